package datadir

import (
	"fmt"
	"os"
	"path/filepath"
)

// neverIndex is the file with which a folder is left out of Spotlight's index on macOS, if it lies directly in it.
const neverIndex = ".metadata_never_index"

// LeaveOutOfDesktopSearch keeps the system's own search from reading the data folder: it would index texts a second
// time, and hold files open that are to be replaced. goos is the system's name.
func LeaveOutOfDesktopSearch(dir, goos string) error {
	switch goos {
	case "darwin":
		f, err := os.OpenFile(filepath.Join(dir, neverIndex), os.O_CREATE|os.O_RDONLY, 0o600)
		if err != nil {
			return fmt.Errorf("leave the data out of Spotlight: %w", err)
		}
		return f.Close()
	case "windows":
		if err := notContentIndexed(dir); err != nil {
			return fmt.Errorf("leave the data out of Windows Search: %w", err)
		}
	}
	return nil // Linux's leave folders with a dot out
}

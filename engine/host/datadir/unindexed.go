package datadir

import (
	"fmt"
	"os"
	"path/filepath"
)

const neverIndex = ".metadata_never_index"

// ExcludeFromDesktopSearch excludes dir from Spotlight or Windows Search, which would lock files that the app replaces.
func ExcludeFromDesktopSearch(dir, goos string) error {
	switch goos {
	case "darwin":
		f, err := os.OpenFile(filepath.Join(dir, neverIndex), os.O_CREATE|os.O_RDONLY, 0o600)
		if err != nil {
			return fmt.Errorf("exclude data folder from Spotlight: %w", err)
		}
		return f.Close()
	case "windows":
		if err := notContentIndexed(dir); err != nil {
			return fmt.Errorf("exclude data folder from Windows Search: %w", err)
		}
	}
	return nil // on Linux, desktop searches skip hidden folders
}

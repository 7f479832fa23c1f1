package ipc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// quitFile is in the data folder from the moment in which a person quits the app until it is started again. It is for
// bridges that were not connected at that moment and so were not told. Its time says when that was.
const quitFile = "quit"

// MarkQuit notes that a person has quit the app of dataDir.
func MarkQuit(dataDir string) error {
	dir, err := privateDir(dataDir)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, quitFile), nil, 0o600)
	}
	if err != nil {
		return fmt.Errorf("note that the app was quit: %w", err)
	}
	return nil
}

// ClearQuit takes the note away: the app runs again.
func ClearQuit(dataDir string) error {
	if err := os.Remove(filepath.Join(dataDir, quitFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget that the app was quit: %w", err)
	}
	return nil
}

// QuitSince reports whether a person has quit the app of dataDir after a time and nobody has started it since. What can't
// be read counts as no: the price of a wrong answer is an app that starts.
func QuitSince(dataDir string, since time.Time) bool {
	info, err := os.Stat(filepath.Join(dataDir, quitFile))
	return err == nil && info.ModTime().After(since)
}

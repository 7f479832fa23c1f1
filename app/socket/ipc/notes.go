package ipc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// quitFile exists from the time at which the user quits the app until its next start. It informs bridges that were not
// connected at that time.
const quitFile = "quit"

// restartFile exists while the app restarts. No bridge starts another app meanwhile.
const restartFile = "restart"

const restartTime = 5 * time.Second // upper limit; a restart takes a fraction of a second

// MarkRestart records that the app restarts. The caller must have locked dataDir.
func MarkRestart(dataDir string) error { return mark(dataDir, restartFile, "restarts") }

func ClearRestart(dataDir string) error { return unmark(dataDir, restartFile, "restarts") }

func Restarting(dataDir string) bool {
	return markedSince(dataDir, restartFile, time.Now().Add(-restartTime))
}

func MarkQuit(dataDir string) error { return mark(dataDir, quitFile, "was quit") }

func ClearQuit(dataDir string) error { return unmark(dataDir, quitFile, "was quit") }

// QuitSince reports whether the user quit the app after the given time and has not started it again.
func QuitSince(dataDir string, since time.Time) bool { return markedSince(dataDir, quitFile, since) }

func mark(dataDir, name, what string) error {
	dir, err := privateDir(dataDir)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), nil, 0o600)
	}
	if err != nil {
		return fmt.Errorf("note that the app %s: %w", what, err)
	}
	return nil
}

func unmark(dataDir, name, what string) error {
	if err := os.Remove(filepath.Join(dataDir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget that the app %s: %w", what, err)
	}
	return nil
}

// markedSince reports whether the file with the given name was written after the given time. If the file can't be
// examined, it counts as missing.
func markedSince(dataDir, name string, since time.Time) bool {
	info, err := os.Stat(filepath.Join(dataDir, name))
	return err == nil && info.ModTime().After(since)
}

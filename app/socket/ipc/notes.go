package ipc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// quitFile exists from the time a user quits the app until it starts again. It informs bridges that were not connected.
const quitFile = "quit"

// restartFile exists while the app replaces itself, so that no bridge starts another app meanwhile.
const restartFile = "restart"

// restartTime is how long restartFile is valid. A restart takes a fraction of a second.
const restartTime = 5 * time.Second

// MarkRestart records that the app of dataDir is about to restart. The caller still has the lock.
func MarkRestart(dataDir string) error { return mark(dataDir, restartFile, "restarts") }

func ClearRestart(dataDir string) error { return unmark(dataDir, restartFile, "restarts") }

// Restarting reports whether the app of dataDir has just ended to restart.
func Restarting(dataDir string) bool {
	return markedSince(dataDir, restartFile, time.Now().Add(-restartTime))
}

// MarkQuit records that a user has quit the app of dataDir.
func MarkQuit(dataDir string) error { return mark(dataDir, quitFile, "was quit") }

func ClearQuit(dataDir string) error { return unmark(dataDir, quitFile, "was quit") }

// QuitSince reports whether a user quit the app of dataDir later than since, and has not started it again.
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

// markedSince reports whether the mark called name is newer than since. An unreadable mark counts as absent.
func markedSince(dataDir, name string, since time.Time) bool {
	info, err := os.Stat(filepath.Join(dataDir, name))
	return err == nil && info.ModTime().After(since)
}

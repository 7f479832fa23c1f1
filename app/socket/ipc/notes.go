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

// restartFile is in the data folder while the app becomes another program: between the end of the one and the start of
// the other nobody has the folder, and a bridge that lost its connection would start an app of its own into that gap.
const restartFile = "restart"

// restartTime is how long a restart is believed in. It takes a fraction of a second; a bridge that has waited this long
// for one that failed still has time to start the app itself.
const restartTime = 5 * time.Second

// MarkRestart notes that the app of dataDir is about to restart. Its caller has the data folder still.
func MarkRestart(dataDir string) error { return mark(dataDir, restartFile, "restarts") }

// ClearRestart takes the note away: the app runs again.
func ClearRestart(dataDir string) error { return unmark(dataDir, restartFile, "restarts") }

// Restarting reports whether the app of dataDir has just ended in order to start again.
func Restarting(dataDir string) bool {
	return markedSince(dataDir, restartFile, time.Now().Add(-restartTime))
}

// MarkQuit notes that a person has quit the app of dataDir.
func MarkQuit(dataDir string) error { return mark(dataDir, quitFile, "was quit") }

// ClearQuit takes the note away: the app runs again.
func ClearQuit(dataDir string) error { return unmark(dataDir, quitFile, "was quit") }

// QuitSince reports whether a person has quit the app of dataDir after a time and nobody has started it since.
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

// markedSince reports whether a note is younger than a time. What can't be read counts as no: the price of a wrong
// answer is an app that starts.
func markedSince(dataDir, name string, since time.Time) bool {
	info, err := os.Stat(filepath.Join(dataDir, name))
	return err == nil && info.ModTime().After(since)
}

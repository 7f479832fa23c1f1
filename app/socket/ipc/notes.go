package ipc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Mark is an empty file in the data folder that informs bridges about the app.
type Mark string

const (
	// Quit exists from the time at which the user quits the app until its next start. It informs bridges that were not
	// connected at that time.
	Quit Mark = "quit"
	// Restart exists while the app restarts. No bridge starts another app meanwhile.
	Restart Mark = "restart"
)

const restartTime = 5 * time.Second // upper limit; a restart takes a fraction of a second

// Set creates the mark. The caller must have locked dataDir, or have ended the app.
func (m Mark) Set(dataDir string) error {
	dir, err := privateDir(dataDir)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, string(m)), nil, 0o600)
	}
	if err != nil {
		return fmt.Errorf("mark %s: %w", m, err)
	}
	return nil
}

func (m Mark) Clear(dataDir string) error {
	if err := os.Remove(filepath.Join(dataDir, string(m))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clear mark %s: %w", m, err)
	}
	return nil
}

// Since reports whether the mark was set after the given time. If its file can't be examined, it counts as missing.
func (m Mark) Since(dataDir string, since time.Time) bool {
	info, err := os.Stat(filepath.Join(dataDir, string(m)))
	return err == nil && info.ModTime().After(since)
}

func Restarting(dataDir string) bool { return Restart.Since(dataDir, time.Now().Add(-restartTime)) }

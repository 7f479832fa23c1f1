package ipc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Mark is the name of an empty file in the data folder, for which bridges look.
type Mark string

const (
	// Quit exists from the user's Quit until the next start of the app. Meanwhile, bridges do not start the app.
	Quit Mark = "quit"
	// Restart exists while the app restarts. Meanwhile, bridges do not start another app.
	Restart Mark = "restart"
)

const restartTime = 5 * time.Second // a restart takes a fraction of a second

// Set creates the file. The caller must have locked dataDir or stopped the app.
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

// Since reports whether the file was created after the given time.
func (m Mark) Since(dataDir string, since time.Time) bool {
	info, err := os.Stat(filepath.Join(dataDir, string(m)))
	return err == nil && info.ModTime().After(since)
}

func Restarting(dataDir string) bool { return Restart.Since(dataDir, time.Now().Add(-restartTime)) }

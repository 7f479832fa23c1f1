package update

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// seenName is the file in the data folder. Deleting it costs the record of feeds seen, with it the protection against
// older ones, and of keys that feeds announced.
const seenName = "update.json"

// seenFeed is the newest feed that was seen, when, and what was learnt of keys.
type seenFeed struct {
	Feed    Feed      `json:"feed"`
	Trust   trust     `json:"trust,omitzero"`
	Checked time.Time `json:"checked,omitzero"`
}

// readSeen reads it; without a file it is empty.
func readSeen(dir string) (seenFeed, error) {
	data, err := os.ReadFile(filepath.Join(dir, seenName))
	if errors.Is(err, fs.ErrNotExist) {
		return seenFeed{}, nil
	}
	if err != nil {
		return seenFeed{}, fmt.Errorf("read %s: %w", seenName, err)
	}
	var m seenFeed
	if err := json.Unmarshal(data, &m); err != nil {
		return seenFeed{}, fmt.Errorf("read %s: %w", seenName, err)
	}
	if err := m.Feed.check(); err != nil {
		return seenFeed{}, fmt.Errorf("read %s: %w", seenName, err)
	}
	return m, nil
}

// write replaces the file, whole or not at all.
func (m seenFeed) write(dir string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", seenName, err)
	}
	tmp, err := os.CreateTemp(dir, ".part-*") // 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", seenName, err)
	}
	defer os.Remove(tmp.Name()) // after the rename there is nothing left to remove
	_, err = tmp.Write(append(data, '\n'))
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", seenName, err)
	}
	if err := os.Rename(tmp.Name(), filepath.Join(dir, seenName)); err != nil {
		return fmt.Errorf("write %s: %w", seenName, err)
	}
	return nil
}

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

// memoryName is the file in the data folder. Deleting it costs the memory of feeds seen, with it the protection against
// older ones, and of keys that feeds announced.
const memoryName = "update.json"

// memory is the newest feed that was seen, when, and what was learnt of keys.
type memory struct {
	Feed    Feed      `json:"feed"`
	Trust   trust     `json:"trust,omitzero"`
	Checked time.Time `json:"checked,omitzero"`
}

// remember reads the memory; without a file it is empty.
func remember(dir string) (memory, error) {
	data, err := os.ReadFile(filepath.Join(dir, memoryName))
	if errors.Is(err, fs.ErrNotExist) {
		return memory{}, nil
	}
	if err != nil {
		return memory{}, fmt.Errorf("read %s: %w", memoryName, err)
	}
	var m memory
	if err := json.Unmarshal(data, &m); err != nil {
		return memory{}, fmt.Errorf("read %s: %w", memoryName, err)
	}
	if err := m.Feed.check(); err != nil {
		return memory{}, fmt.Errorf("read %s: %w", memoryName, err)
	}
	return m, nil
}

// write replaces the file, whole or not at all.
func (m memory) write(dir string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", memoryName, err)
	}
	tmp, err := os.CreateTemp(dir, ".part-*") // 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", memoryName, err)
	}
	defer os.Remove(tmp.Name()) // after the rename there is nothing left to remove
	_, err = tmp.Write(append(data, '\n'))
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", memoryName, err)
	}
	if err := os.Rename(tmp.Name(), filepath.Join(dir, memoryName)); err != nil {
		return fmt.Errorf("write %s: %w", memoryName, err)
	}
	return nil
}

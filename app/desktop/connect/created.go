package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// created is the part of a configuration that connecting created in addition to the entry. Disconnecting removes the
// part if it is empty.
type created string

const (
	createdNothing created = ""
	createdRoot    created = "root" // the key with the servers
	createdText    created = "text" // the whole content of an empty file
	createdFile    created = "file" // the whole file
)

// createdBy returns the part that adding a server to data will create. root is set if the key for servers exists or
// isn't needed.
func createdBy(data []byte, root bool) created {
	switch {
	case data == nil:
		return createdFile
	case readText(data).empty():
		return createdText
	case !root:
		return createdRoot
	}
	return createdNothing
}

func (w created) emptied(t text) []byte {
	if w == createdFile {
		return nil
	}
	return t.with(nil)
}

// records returns the created part of each file. If m.Records is unreadable, at worst an empty key remains.
func (m *Machine) records() map[string]created {
	all := map[string]created{}
	if m.Records == "" {
		return all
	}
	data, err := os.ReadFile(m.Records)
	if err != nil || json.Unmarshal(data, &all) != nil {
		return map[string]created{}
	}
	return all
}

func (m *Machine) record(path string, w created) error {
	all := m.records()
	if m.Records == "" || all[path] == w {
		return nil
	}
	if all[path] = w; w == createdNothing {
		delete(all, path)
	}
	if len(all) == 0 {
		if err := os.Remove(m.Records); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete the record of edits: %w", err)
		}
		return nil
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("record the edits: %w", err)
	}
	dir := filepath.Dir(m.Records)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("record the edits: %w", err)
	}
	temporary, err := write(dir, append(data, '\n'), private)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, m.Records); err != nil {
		return errors.Join(fmt.Errorf("record the edits: %w", err), os.Remove(temporary))
	}
	return nil
}

package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// created is what of a configuration is ours beside the entry itself. Disconnecting takes it away again once it holds
// nothing else; what was there before stays, an empty list of servers too.
type created string

const (
	createdNothing created = ""
	createdRoot    created = "root" // the key that holds the servers
	createdText    created = "text" // all that stands in the file, which was empty
	createdFile    created = "file" // the file
)

// createdBy tells what adding a server will make, from the file as it is and whether it has a place for servers.
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

// emptied is what becomes of a file in which nothing is left.
func (w created) emptied(t text) []byte {
	if w == createdFile {
		return nil
	}
	return t.with(nil)
}

// records reads what was made of each file. One that can't be read is begun anew: the price is an empty key that stays.
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

// record keeps what was made of a file; createdNothing forgets it.
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
			return fmt.Errorf("forget what was made: %w", err)
		}
		return nil
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("remember what was made: %w", err)
	}
	dir := filepath.Dir(m.Records)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("remember what was made: %w", err)
	}
	temporary, err := write(dir, append(data, '\n'), private)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, m.Records); err != nil {
		return errors.Join(fmt.Errorf("remember what was made: %w", err), os.Remove(temporary))
	}
	return nil
}

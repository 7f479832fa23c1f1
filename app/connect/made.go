package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// made is what of a configuration is ours beside the entry itself. Disconnecting takes it away again once it holds nothing
// else; what was there before stays, an empty list of servers too.
type made string

const (
	madeNothing made = ""
	madeRoot    made = "root" // the key that holds the servers
	madeText    made = "text" // all that stands in the file, which was empty
	madeFile    made = "file" // the file
)

// begun tells what adding a server will make, from the file as it is and whether it has a place for servers.
func begun(data []byte, root bool) made {
	switch {
	case data == nil:
		return madeFile
	case readText(data).empty():
		return madeText
	case !root:
		return madeRoot
	}
	return madeNothing
}

// ended is what becomes of a file in which nothing is left.
func (w made) ended(t text) []byte {
	if w == madeFile {
		return nil
	}
	return t.with(nil)
}

// memory reads what was made of each file. One that can't be read is begun anew: the price is an empty key that stays.
func (m *Machine) memory() map[string]made {
	all := map[string]made{}
	if m.Records == "" {
		return all
	}
	data, err := os.ReadFile(m.Records)
	if err != nil || json.Unmarshal(data, &all) != nil {
		return map[string]made{}
	}
	return all
}

// remember keeps what was made of a file; madeNothing forgets it.
func (m *Machine) remember(path string, w made) error {
	all := m.memory()
	if m.Records == "" || all[path] == w {
		return nil
	}
	if all[path] = w; w == madeNothing {
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

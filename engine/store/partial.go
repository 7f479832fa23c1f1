package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
)

// partialName keeps which files are indexed in part across restarts and generations: it is found out when a file is cut
// into chunks, and a file that has not changed is not cut again.
const partialName = "partial.json"

// ReadPartial returns what WritePartial kept in a project's folder.
func ReadPartial(dir string) (list []api.Partial, err error) {
	err = files.ReadJSON(filepath.Join(dir, partialName), &list)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read list of files indexed in part: %w", err)
	}
	return list, nil
}

// WritePartial keeps which files of a project are indexed in part.
func WritePartial(dir string, list []api.Partial) error {
	name := filepath.Join(dir, partialName)
	if len(list) > 0 {
		if err := files.WriteJSON(name, list); err != nil {
			return fmt.Errorf("write list of files indexed in part: %w", err)
		}
		return nil
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove list of files indexed in part: %w", err)
	}
	return nil
}

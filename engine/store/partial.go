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

// partialName is the file that lists partially indexed files. The list survives restarts and generations, because
// unchanged files are not chunked again.
const partialName = "partial.json"

func ReadPartial(dir string) (list []api.Partial, err error) {
	err = files.ReadJSON(filepath.Join(dir, partialName), &list)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read list of partially indexed files: %w", err)
	}
	return list, nil
}

func WritePartial(dir string, list []api.Partial) error {
	name := filepath.Join(dir, partialName)
	if len(list) > 0 {
		if err := files.WriteJSON(name, list); err != nil {
			return fmt.Errorf("write list of partially indexed files: %w", err)
		}
		return nil
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove list of partially indexed files: %w", err)
	}
	return nil
}

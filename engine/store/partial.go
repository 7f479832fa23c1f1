package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
)

// partialName is the file that lists partially indexed files. It is kept when a generation is replaced.
const partialName = "partial.json"

func ReadPartial(dir string) (list []api.Partial, err error) {
	err = files.ReadJSON(filepath.Join(dir, partialName), &list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read list of partially indexed files: %w", err)
	}
	return list, nil
}

func WritePartial(dir string, list []api.Partial) error {
	if err := files.WriteJSON(filepath.Join(dir, partialName), list); err != nil {
		return fmt.Errorf("write list of partially indexed files: %w", err)
	}
	return nil
}

package vector

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func TableDir(dir, name string) string { return filepath.Join(dir, name+".lance") }

func ShapeOf(dir, name string) (Shape, error) {
	var s Shape
	for _, part := range []struct {
		folder string
		suffix string
		count  *int
	}{{"data", ".lance", &s.Fragments}, {"_versions", ".manifest", &s.Versions}, {"_deletions", "", &s.Deletions}} {
		entries, err := os.ReadDir(filepath.Join(TableDir(dir, name), part.folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s, fmt.Errorf("look at vector table: %w", err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), part.suffix) {
				*part.count++
			}
		}
	}
	return s, nil
}

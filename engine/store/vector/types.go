package vector

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector/sketch"
)

var (
	ErrClosed  = errors.New("vector table is closed")
	ErrCorrupt = errors.New("vector table is damaged")
	// ErrCPU means that the processor lacks instructions that the native library uses.
	ErrCPU = errors.New("this processor is too old for the vector library (it needs AVX2, FMA, BMI1 and BMI2)")
	// ErrLibrary means that LanceDB fails even on a new table.
	ErrLibrary  = errors.New("the vector library does not work")
	ErrNoNative = errors.New("no vector library for this platform")
	ErrRemote   = errors.New("remote vectors cannot be used")
	ErrInvalid  = errors.New("not valid for the vector table")
)

type (
	Row   = sketch.Row
	Key   = sketch.Key
	Query = sketch.Query
	Hit   = sketch.Hit
)

// MaxPaths is the maximum number of Query.Paths, which LanceDB parses as SQL.
const MaxPaths = 500

func RowOf(c *api.Chunk, v api.Vector) Row {
	return Row{ID: c.ID, Path: c.Path, Text: c.Text, Vector: v, StartLine: c.StartLine, EndLine: c.EndLine,
		ContentHash: c.ContentHash}
}

type Shape struct {
	Tables    int
	Fragments int
	Versions  int // number of versions; each change of the table adds one
	Deletions int // number of files that list deleted rows
	// Unsketched means that the sketch is missing.
	Unsketched bool
}

func TableDir(dir, name string) string { return filepath.Join(dir, name+".lance") }

func ShapeOf(at Location) (s Shape, err error) {
	err = s.add(at)
	return s, err
}

func (s *Shape) add(at Location) error {
	for _, part := range []struct {
		folder string
		suffix string
		count  *int
	}{{"data", ".lance", &s.Fragments}, {"_versions", ".manifest", &s.Versions}, {"_deletions", "", &s.Deletions}} {
		entries, err := os.ReadDir(filepath.Join(TableDir(at.Dir, at.Name), part.folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("look at vector table: %w", err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), part.suffix) {
				*part.count++
			}
		}
	}
	return nil
}

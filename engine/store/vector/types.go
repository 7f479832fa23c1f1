package vector

import (
	"context"
	"errors"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector/sketch"
)

var (
	ErrClosed  = errors.New("vector table is closed")
	ErrCorrupt = errors.New("vector table is damaged")
	// ErrCPU means that the processor lacks instructions that the native library uses.
	ErrCPU = errors.New("this processor is too old for the vector library (it needs AVX2, FMA, BMI1 and BMI2)")
	// ErrLibrary means that the library fails even on a new table, so the table is not damaged.
	ErrLibrary  = errors.New("the vector library does not work")
	ErrNoNative = errors.New("no vector library for this platform")
	ErrRemote   = errors.New("remote vectors cannot be used")
	ErrInvalid  = errors.New("not valid for the vector table")
)

// Row is a row of the table of RFC 3.2.
type Row struct {
	ID, Path, Text     string
	Vector             api.Vector
	StartLine, EndLine int
	ContentHash        string // SHA-256 of the source file, hex
}

type Key struct {
	ID, Path, ContentHash string
}

type (
	Query = sketch.Query
	Hit   = sketch.Hit
)

// MaxPaths is the maximum number of Query.Paths, which the library parses as text.
const MaxPaths = 500

func RowOf(c *api.Chunk, v api.Vector) Row {
	return Row{ID: c.ID, Path: c.Path, Text: c.Text, Vector: v, StartLine: c.StartLine, EndLine: c.EndLine,
		ContentHash: c.ContentHash}
}

type Shape struct {
	Fragments int
	Versions  int // manifests; each change adds one
	Deletions int // files of deleted rows
	// Unsketched means that the sketch is missing, so searches compare every row.
	Unsketched bool
}

// Table is an open table. Methods other than Close may run concurrently, but only one of them may write at a time.
type Table interface {
	// Add adds rows. The table may then contain an id twice.
	Add(ctx context.Context, rows []Row) error
	DeletePaths(ctx context.Context, paths []string) error
	DeleteIDs(ctx context.Context, ids []string) error
	Search(ctx context.Context, q Query) ([]Hit, error)
	// Keys calls visit with each key, in no order, until visit returns false.
	Keys(ctx context.Context, visit func(Key) bool) error
	// Vectors returns vectors by id. It reads only 3,500 a second, so the cache should be read first.
	Vectors(ctx context.Context, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context) (int, error)
	Version(ctx context.Context) (int, error)
	// Shape returns the shape of the table on disk, without a native call.
	Shape() (Shape, error)
	// Close waits for running calls and closes the table. It may be called twice.
	Close() error
}

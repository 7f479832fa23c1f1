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
	ErrLibrary = errors.New("the vector library does not work")
	// ErrNoNative means that the worker was built for a platform without the library.
	ErrNoNative = errors.New("no vector library for this platform")
	// ErrRemote means that a remote table cannot be reached, read or written.
	ErrRemote = errors.New("remote vectors cannot be used")
	// ErrInvalid means that an argument is invalid and must not reach the native library.
	ErrInvalid = errors.New("not valid for the vector table")
)

// Row is one row of the table (RFC 3.2).
type Row struct {
	ID, Path, Text     string
	Vector             api.Vector
	StartLine, EndLine int
	ContentHash        string // SHA-256 of the source file, hex
}

// Key identifies a row and its content.
type Key struct {
	ID, Path, ContentHash string
}

type (
	Query = sketch.Query
	Hit   = sketch.Hit
)

// MaxPaths limits Query.Paths, because the library parses them as text.
const MaxPaths = 500

// RowOf returns a chunk's row.
func RowOf(c *api.Chunk, v api.Vector) Row {
	return Row{ID: c.ID, Path: c.Path, Text: c.Text, Vector: v, StartLine: c.StartLine, EndLine: c.EndLine,
		ContentHash: c.ContentHash}
}

// Shape is the number of a table's files on disk.
type Shape struct {
	Fragments int
	Versions  int // manifests; each change adds one
	Deletions int // files of deleted rows
	// Unsketched is true if searches compare every row because the sketch is missing.
	Unsketched bool
}

// Table is one corpus's vectors. All methods except Close may run concurrently, but only one at a time may write.
type Table interface {
	// Add appends rows. It does not check for rows with the same id.
	Add(ctx context.Context, rows []Row) error
	DeletePaths(ctx context.Context, paths []string) error
	DeleteIDs(ctx context.Context, ids []string) error
	Search(ctx context.Context, q Query) ([]Hit, error)
	// Keys calls visit for every row, in no order, until visit returns false.
	Keys(ctx context.Context, visit func(Key) bool) error
	// Vectors reads vectors by id. It is slow (3,500 a second) and meant for uncached vectors.
	Vectors(ctx context.Context, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context) (int, error)
	// Version is incremented by every change.
	Version(ctx context.Context) (int, error)
	// Shape reads the folder and makes no native call.
	Shape() (Shape, error)
	// Close waits for running calls and frees the native handles. It may be called twice.
	Close() error
}

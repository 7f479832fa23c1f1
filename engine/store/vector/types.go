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
	// ErrLibrary: it fails even on a new table, so the table is not damaged.
	ErrLibrary  = errors.New("the vector library does not work")
	ErrNoNative = errors.New("no vector library for this platform")
	ErrRemote   = errors.New("remote vectors cannot be used")
	ErrInvalid  = errors.New("not valid for the vector table")
)

// Row is RFC 3.2's.
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

// The library parses Query.Paths as text.
const MaxPaths = 500

func RowOf(c *api.Chunk, v api.Vector) Row {
	return Row{ID: c.ID, Path: c.Path, Text: c.Text, Vector: v, StartLine: c.StartLine, EndLine: c.EndLine,
		ContentHash: c.ContentHash}
}

type Shape struct {
	Fragments int
	Versions  int // manifests; each change adds one
	Deletions int // files of deleted rows
	// Unsketched: searches compare every row.
	Unsketched bool
}

// Table's methods except Close may run concurrently, but only one at a time may write.
type Table interface {
	// Add may repeat ids.
	Add(ctx context.Context, rows []Row) error
	DeletePaths(ctx context.Context, paths []string) error
	DeleteIDs(ctx context.Context, ids []string) error
	Search(ctx context.Context, q Query) ([]Hit, error)
	// Keys is unordered and ends when visit returns false.
	Keys(ctx context.Context, visit func(Key) bool) error
	// Vectors is slow (3,500 a second), for uncached vectors.
	Vectors(ctx context.Context, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context) (int, error)
	Version(ctx context.Context) (int, error)
	// Shape makes no native call.
	Shape() (Shape, error)
	// Close waits for running calls. It may be called twice.
	Close() error
}

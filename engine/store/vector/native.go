package vector

import (
	"context"

	"searchmcp/engine/api"
)

// Location is the location of a LanceDB table, in a local folder or on S3-compatible storage.
type Location struct {
	Dir    string // "" for a table on S3-compatible storage
	Name   string
	Remote Remote
}

// Native runs LanceDB in this process (package lance) or in a worker process (package worker). Methods are safe for
// concurrent use, but each table must have a single writer.
//
// Each call opens its table if necessary, because the worker process may have been restarted. If the worker process
// dies during a write, it is unknown whether the write was done.
type Native interface {
	// Open opens the table again and checks its columns. It creates a missing local table.
	Open(ctx context.Context, at Location) (rows int, err error)
	Create(ctx context.Context, at Location) error
	Add(ctx context.Context, at Location, rows []Row) error
	// Delete deletes the rows of at most MaxPaths paths.
	Delete(ctx context.Context, at Location, paths []string) error
	// Nearest returns the rows nearest to a query. Without an index, it compares the query with every row.
	Nearest(ctx context.Context, at Location, q Query) ([]Hit, error)
	// Keys calls visit with batches of all keys, until visit returns false.
	Keys(ctx context.Context, at Location, visit func([]Key) bool) error
	// Rows calls visit with batches of all rows, without their text.
	Rows(ctx context.Context, at Location, visit func([]Row) error) error
	Vectors(ctx context.Context, at Location, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context, at Location) (int, error)
	// Index creates an index of the vectors.
	Index(ctx context.Context, at Location) error
	// Close waits for running calls and closes the table. The table's folder may then be moved.
	Close(at Location) error
}

// DB opens vector tables. It is safe for concurrent use.
type DB struct{ native Native }

// NewDB returns a DB that uses n. All methods of a nil DB return ErrNoNative.
func NewDB(n Native) *DB { return &DB{n} }

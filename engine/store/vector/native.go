package vector

import (
	"context"

	"searchmcp/engine/api"
)

// Place is the location of a table, in a local folder or on S3-compatible storage.
type Place struct {
	Dir    string
	Name   string
	Remote Remote // if Dir is ""
}

// Native is LanceDB in this process (package lance) or in another process (package worker). Each call names its table,
// which need not be open, so that the other process may be restarted. Methods are safe for concurrent use, but each
// table must have a single writer. If the process dies during a write, it is unknown whether the write was done.
type Native interface {
	// Open reopens the table, or creates a missing local table. It checks the columns and returns the number of rows.
	Open(ctx context.Context, at Place) (rows int, err error)
	Create(ctx context.Context, at Place) error
	Add(ctx context.Context, at Place, rows []Row) error
	// Delete deletes the rows of at most MaxPaths paths.
	Delete(ctx context.Context, at Place, paths []string) error
	// Nearest returns the rows nearest to a query. Without the index that Index creates, it compares the query with
	// every row.
	Nearest(ctx context.Context, at Place, q Query) ([]Hit, error)
	// Keys calls visit with all keys, some at a time, until visit returns false.
	Keys(ctx context.Context, at Place, visit func([]Key) bool) error
	// Rows calls visit with all rows, some at a time, without their text.
	Rows(ctx context.Context, at Place, visit func([]Row) error) error
	Vectors(ctx context.Context, at Place, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context, at Place) (int, error)
	Index(ctx context.Context, at Place) error
	// Close waits for running calls and closes the table, whose folder may then be moved.
	Close(at Place) error
}

// DB opens vector tables. It is safe for concurrent use.
type DB struct{ native Native }

// NewDB returns a DB that uses n. All methods of a nil DB return ErrNoNative.
func NewDB(n Native) *DB { return &DB{n} }

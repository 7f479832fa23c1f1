package vector

import (
	"context"

	"searchmcp/engine/api"
)

// Place is the location of a table, in a local folder or on S3-compatible storage.
type Place struct {
	Dir    string // "" if remote
	Name   string
	Remote Remote // if Dir is ""
}

// Native is LanceDB in this process (package lance) or in another one (package worker). Each call names a table, which
// need not be open, so that the other process may be restarted between calls. All methods are safe for concurrent use,
// but each table needs a single writer. If the process ends during a write, its effect is unknown.
type Native interface {
	// Open reopens the table, or creates a missing local table, checks its columns and returns its number of rows.
	Open(ctx context.Context, at Place) (rows int, err error)
	// Create creates a table on remote storage.
	Create(ctx context.Context, at Place) error
	// Add appends rows in one commit.
	Add(ctx context.Context, at Place, rows []Row) error
	// Delete removes the rows with one of at most MaxPaths values in column, which is "id" or "path".
	Delete(ctx context.Context, at Place, column string, values []string) error
	// Nearest uses the index made by Index, or compares the query with every row.
	Nearest(ctx context.Context, at Place, q Query) ([]Hit, error)
	// Keys passes pages of keys to visit until visit returns false.
	Keys(ctx context.Context, at Place, visit func([]Key) bool) error
	// Rows passes pages of rows without their texts to visit.
	Rows(ctx context.Context, at Place, visit func([]Row) error) error
	Vectors(ctx context.Context, at Place, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context, at Place) (int, error)
	Version(ctx context.Context, at Place) (int, error)
	// Index creates an index if the table has none.
	Index(ctx context.Context, at Place) error
	// Close waits for running calls and frees the table's handles, after which its folder may be moved.
	Close(at Place) error
}

// DB opens tables. Its methods are safe for concurrent use.
type DB struct{ native Native }

// NewDB returns a DB that uses n. All methods of a nil DB fail with ErrNoNative.
func NewDB(n Native) *DB { return &DB{n} }

package vector

import (
	"context"

	"searchmcp/engine/api"
)

// Place is in a local folder or on S3-compatible storage.
type Place struct {
	Dir    string // "" if remote
	Name   string
	Remote Remote // if Dir is ""
}

// Native is LanceDB in this process (package lance) or another one (package worker). Each call names a table, which
// need not be open, so that the other process may be restarted. Methods are safe for concurrent use, but each table
// needs a single writer. If the process ends during a write, its effect is unknown.
type Native interface {
	// Open reopens the table or creates a missing local one, checks its columns and returns its number of rows.
	Open(ctx context.Context, at Place) (rows int, err error)
	Create(ctx context.Context, at Place) error
	// Add makes one commit.
	Add(ctx context.Context, at Place, rows []Row) error
	// Delete takes at most MaxPaths values of column, "id" or "path".
	Delete(ctx context.Context, at Place, column string, values []string) error
	// Nearest uses the index made by Index, or compares the query with every row.
	Nearest(ctx context.Context, at Place, q Query) ([]Hit, error)
	// Keys ends when visit returns false.
	Keys(ctx context.Context, at Place, visit func([]Key) bool) error
	// Rows has no texts.
	Rows(ctx context.Context, at Place, visit func([]Row) error) error
	Vectors(ctx context.Context, at Place, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context, at Place) (int, error)
	Version(ctx context.Context, at Place) (int, error)
	Index(ctx context.Context, at Place) error
	// Close waits for running calls. Then the table's folder may be moved.
	Close(at Place) error
}

// DB is safe for concurrent use.
type DB struct{ native Native }

// All methods of a nil DB fail with ErrNoNative.
func NewDB(n Native) *DB { return &DB{n} }

package vector

import (
	"context"

	"searchmcp/engine/api"
)

// Place is the location of a table: in a local database folder, or on S3-compatible storage.
type Place struct {
	Dir    string // of the database; "" if remote
	Name   string // of the table
	Remote Remote // if Dir is ""
}

// Native is LanceDB in this process (package lance) or in another process (package worker). Each call names a table by
// its place. Tables need not be opened first, so that the other process may be restarted between two calls. All methods
// are safe for concurrent use except writes of one table, which need a single writer. If the process ends during a
// write, it is unknown whether the write was done.
type Native interface {
	// Open opens the table anew, creating a missing local one, checks its columns and returns the number of its
	// rows.
	Open(ctx context.Context, at Place) (rows int, err error)
	// Create makes a table on remote storage.
	Create(ctx context.Context, at Place) error
	// Add appends rows in one commit.
	Add(ctx context.Context, at Place, rows []Row) error
	// Delete removes the rows whose column, "id" or "path", has one of the values, at most MaxPaths.
	Delete(ctx context.Context, at Place, column string, values []string) error
	// Nearest compares the query with every row, or uses the index made by Index.
	Nearest(ctx context.Context, at Place, q Query) ([]Hit, error)
	// Keys passes all keys in pages to visit until it returns false.
	Keys(ctx context.Context, at Place, visit func([]Key) bool) error
	// Rows passes all rows without their texts in pages.
	Rows(ctx context.Context, at Place, visit func([]Row) error) error
	// Vectors reads vectors by id.
	Vectors(ctx context.Context, at Place, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context, at Place) (int, error)
	Version(ctx context.Context, at Place) (int, error)
	// Index trains an index if the table has none.
	Index(ctx context.Context, at Place) error
	// Close waits for running calls and frees the table's handles. Its folder may be moved or removed afterwards.
	Close(at Place) error
}

// DB opens tables. Its methods are safe for concurrent use.
type DB struct{ native Native }

// NewDB returns the tables of a LanceDB. All methods of a nil DB fail with ErrNoNative.
func NewDB(n Native) *DB { return &DB{n} }

package vector

import (
	"context"

	"searchmcp/engine/api"
)

// Place says where a table lies: in a database folder of this computer, or on S3-compatible storage.
type Place struct {
	Dir    string // of the database; "" if remote
	Name   string // of the table
	Remote Remote // if Dir is ""
}

// Native is LanceDB, in this process (package lance) or in another (package worker). A table is named by its place
// in each call; nothing is opened beforehand, so that the process behind may end and come again between two calls.
// All methods are safe for concurrent use but writes of one table, which are for one writer. An error of a write
// that says that the process ended leaves open whether the write was done.
type Native interface {
	// Open opens the table anew, making it if it is of this computer and not there, checks its columns and returns the
	// number of its rows.
	Open(ctx context.Context, at Place) (rows int, err error)
	// Create makes a table on remote storage.
	Create(ctx context.Context, at Place) error
	// Add appends rows in one commit.
	Add(ctx context.Context, at Place, rows []Row) error
	// Delete removes the rows whose column, "id" or "path", has one of the values, at most MaxPaths.
	Delete(ctx context.Context, at Place, column string, values []string) error
	// Nearest compares every row, or asks the index that Index has made.
	Nearest(ctx context.Context, at Place, q Query) ([]Hit, error)
	// Keys hands over all keys in pages until visit returns false.
	Keys(ctx context.Context, at Place, visit func([]Key) bool) error
	// Rows hands over all rows but their texts in pages.
	Rows(ctx context.Context, at Place, visit func([]Row) error) error
	// Vectors reads vectors by id.
	Vectors(ctx context.Context, at Place, ids []string) (map[string]api.Vector, error)
	Count(ctx context.Context, at Place) (int, error)
	Version(ctx context.Context, at Place) (int, error)
	// Index trains an index if the table has none.
	Index(ctx context.Context, at Place) error
	// Close waits for calls in flight and frees the table's handles. Its folder may be moved or removed then.
	Close(at Place) error
}

// DB opens tables. Its methods are safe for concurrent use.
type DB struct{ native Native }

// NewDB returns the tables of a LanceDB. A nil DB has none: everything fails with ErrNoNative.
func NewDB(n Native) *DB { return &DB{n} }

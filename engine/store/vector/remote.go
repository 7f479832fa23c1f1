package vector

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"searchmcp/engine/store/vector/sketch"
)

// Remote is a location on S3-compatible storage. Its credentials are never written to disk.
type Remote struct {
	URI       string
	Endpoint  string // address of the service, or "" for Amazon's service
	Region    string
	AccessKey string // "" for a public bucket
	Secret    string
	Session   string
}

// IndexFrom is the number of rows from which a remote table gets an index. Without an index, a search reads all vectors
// over the network.
const IndexFrom = 5000

// PlainHTTP reports whether the connection is not encrypted.
func (r Remote) PlainHTTP() bool { return strings.HasPrefix(r.Endpoint, "http://") }

func (r Remote) check() error {
	if !strings.HasPrefix(r.URI, "s3://") {
		return fmt.Errorf("%w: %q is no location on S3-compatible storage", ErrInvalid, r.URI)
	}
	return checkStrings(r.URI, r.Endpoint, r.Region, r.AccessKey, r.Secret, r.Session)
}

// CreateRemote creates a remote table and calls fill with the table. It then creates an index if the table is large,
// which takes 0.1 ms and 5 KB of memory per row.
func (db *DB) CreateRemote(ctx context.Context, r Remote, name string, fill func(*Table) error) error {
	return db.writeRemote(ctx, r, name, func(at Location) error { return db.native.Create(ctx, at) }, fill)
}

// ChangeRemote opens a remote table and calls change with the table. It then creates an index if the table is large and
// has none. An existing index is not updated.
func (db *DB) ChangeRemote(ctx context.Context, r Remote, name string, change func(*Table) error) error {
	return db.writeRemote(ctx, r, name, func(at Location) error {
		_, err := db.native.Open(ctx, at)
		return err
	}, change)
}

func (db *DB) writeRemote(ctx context.Context, r Remote, name string, open func(Location) error,
	write func(*Table) error) error {
	return db.withRemote(r, name, func(t *Table) error {
		at := t.parts[0].at
		if err := open(at); err != nil {
			return err
		}
		if err := write(t); err != nil {
			return err
		}
		rows, err := t.Count(ctx)
		if err != nil || rows < IndexFrom {
			return err
		}
		return t.native.Index(ctx, at)
	})
}

// RemoteKeys calls visit with each key of a remote table, until visit returns false. It downloads neither vectors nor
// text.
func (db *DB) RemoteKeys(ctx context.Context, r Remote, name string, visit func(Key) bool) error {
	return db.withRemote(r, name, func(t *Table) error { return t.Keys(ctx, visit) })
}

// OpenRemote opens the local sketch of a remote table, which has the given number of rows. Searches connect only if the
// sketch is missing.
func (db *DB) OpenRemote(_ context.Context, r Remote, name string, rows int, sketchDir string) (*Table, error) {
	t, err := db.remote(r, name, sketchDir)
	if err != nil {
		return nil, err
	}
	t.rows = rows
	t.sketch.load(rows)
	return t, nil
}

func (db *DB) remote(r Remote, name, sketchDir string) (*Table, error) {
	if db == nil {
		return nil, ErrNoNative
	}
	if err := errors.Join(r.check(), checkStrings(name)); err != nil {
		return nil, err
	}
	at := Location{Name: name, Remote: r}
	return &Table{native: db.native, parts: []*part{{at: at}}, sketch: sketched{dir: sketchDir}}, nil
}

// withRemote calls use with a remote table. The table may not exist yet.
func (db *DB) withRemote(r Remote, name string, use func(*Table) error) (err error) {
	t, err := db.remote(r, name, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	return use(t)
}

// Fetch creates the local sketch of a remote table, unless it exists.
func (t *Table) Fetch(ctx context.Context) error {
	if !t.sketch.missing.Load() {
		return nil
	}
	s, err := sketch.Create(t.sketch.dir)
	if err != nil {
		return err
	}
	err = t.use(ctx, func() error {
		return t.native.Rows(ctx, t.parts[0].at, func(rows []Row) error {
			if err := checkRows(rows); err != nil {
				return fmt.Errorf("read remote vectors: %w", err)
			}
			if s.Len()+len(rows) > t.rows { // stops before too many rows fill the disk
				return fmt.Errorf("read remote vectors: %w: more than %d rows", ErrRemote, t.rows)
			}
			return s.Append(rows)
		})
	})
	rows := s.Len()
	err = errors.Join(err, s.Close())
	if err == nil && rows != t.rows {
		err = fmt.Errorf("read remote vectors: %w: %d rows, not %d", ErrRemote, rows, t.rows)
	}
	if err != nil {
		return errors.Join(err, sketch.Remove(t.sketch.dir))
	}
	t.sketch.load(t.rows)
	return nil
}

//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package vector

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/lancedb/lancedb-go/pkg/contracts"
	"github.com/lancedb/lancedb-go/pkg/lancedb"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector/sketch"
)

// Limits of one request to the storage, seconds. Retries end with the first; a bucket that cannot be reached must not hold
// a native call, which nothing can interrupt, for longer.
const (
	remoteTimeout = 30
	remoteConnect = 10
)

func (r Remote) options() *contracts.ConnectionOptions {
	set := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	anonymous, http, pathStyle := r.AccessKey == "", r.plainHTTP(), r.Endpoint != ""
	timeout, connect, retries := remoteTimeout, remoteConnect, 3
	return &contracts.ConnectionOptions{StorageOptions: &contracts.StorageOptions{
		S3Config: &contracts.S3Config{
			AccessKeyID: set(r.AccessKey), SecretAccessKey: set(r.Secret), SessionToken: set(r.Session),
			Region: set(r.Region), Endpoint: set(r.Endpoint), ForcePathStyle: &pathStyle, AnonymousAccess: &anonymous,
		},
		AllowHTTP: &http, Timeout: &timeout, ConnectTimeout: &connect, MaxRetries: &retries,
	}}
}

// CreateRemote makes a new table at r and calls fill with it. With many rows it then trains an index, which takes some 0.1 ms
// and 5 KB of memory a row.
func CreateRemote(ctx context.Context, r Remote, name string, fill func(Table) error) error {
	return withRemote(ctx, r, name, func(t *remoteTable) error {
		described, err := lancedb.NewSchema(schema)
		if err != nil {
			return fmt.Errorf("describe vector table: %w", err)
		}
		table, err := t.conn.CreateTable(ctx, name, described)
		if err != nil {
			return fmt.Errorf("create remote vectors: %w", t.native(err))
		}
		t.holdTable(table)
		if err := fill(t); err != nil {
			return err
		}
		return t.index(ctx)
	})
}

// ChangeRemote opens the table at r and calls change with it. A table that has grown to many rows then gets its index; one that
// has it already goes on with it, and what is added since is compared row by row.
func ChangeRemote(ctx context.Context, r Remote, name string, change func(Table) error) error {
	return withRemote(ctx, r, name, func(t *remoteTable) error {
		if err := t.openTable(ctx); err != nil {
			return err
		}
		if err := change(t); err != nil {
			return err
		}
		return t.index(ctx)
	})
}

// RemoteKeys calls visit for every row of the table at r, in no order, until it returns false. Vectors and texts don't travel.
func RemoteKeys(ctx context.Context, r Remote, name string, visit func(Key) bool) error {
	return withRemote(ctx, r, name, func(t *remoteTable) error {
		if err := t.openTable(ctx); err != nil {
			return err
		}
		return t.Keys(ctx, visit)
	})
}

// withRemote connects to the database at r and calls use with a table that is neither made nor opened.
func withRemote(ctx context.Context, r Remote, name string, use func(*remoteTable) error) (err error) {
	t, err := newRemote(r, name, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if err := t.openConnection(ctx); err != nil {
		return err
	}
	return use(t)
}

// index trains an index if there are many rows and no index.
func (t *remoteTable) index(ctx context.Context) error {
	rows, err := t.Count(ctx)
	if err != nil || rows < IndexFrom {
		return err
	}
	return t.call(ctx, "train index of remote vectors", func() error {
		there, err := t.table.GetAllIndexes(ctx)
		if err != nil || len(there) > 0 {
			return err
		}
		return t.table.CreateIndex(ctx, []string{"vector"}, contracts.IndexTypeIvfFlat)
	})
}

// remoteTable is a lanceTable that connects when it has to: with its sketch here, never.
type remoteTable struct {
	lanceTable
	place Remote
	rows  int
}

func newRemote(r Remote, name, sketchDir string) (*remoteTable, error) {
	if err := cpuProblem(); err != nil {
		return nil, err
	}
	if err := errors.Join(r.check(), checkStrings(name)); err != nil {
		return nil, err
	}
	return &remoteTable{lanceTable: lanceTable{name: name, remote: true, sketch: sketched{dir: sketchDir}}, place: r}, nil
}

func (t *lanceTable) hold(c contracts.IConnection) {
	t.conn = c
	handles.Add(1)
}

func (t *lanceTable) holdTable(table contracts.ITable) {
	t.table = table
	handles.Add(1)
}

// OpenRemote opens a table of so many rows, whose sketch is kept in a folder of this computer. It makes no connection.
func OpenRemote(_ context.Context, r Remote, name string, rows int, sketchDir string) (RemoteTable, error) {
	t, err := newRemote(r, name, sketchDir)
	if err != nil {
		return nil, err
	}
	t.rows = rows
	t.sketch.open(rows)
	return t, nil
}

// connect opens the table if that was not done yet.
func (t *remoteTable) connect(ctx context.Context) error {
	if err := slots.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer slots.Release(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return ErrClosed
	}
	if t.conn == nil {
		if err := t.openConnection(ctx); err != nil {
			return err
		}
	}
	if t.table != nil {
		return nil
	}
	return t.openTable(ctx)
}

// openConnection connects to the database. Nobody else uses t meanwhile.
func (t *remoteTable) openConnection(ctx context.Context) error {
	conn, err := lancedb.Connect(ctx, t.place.URI, t.place.options())
	if err != nil {
		return fmt.Errorf("connect to remote vectors: %w", t.native(err))
	}
	t.hold(conn)
	return nil
}

// openTable opens the table of the connection. Nobody else uses t meanwhile.
func (t *remoteTable) openTable(ctx context.Context) error {
	table, err := t.conn.OpenTable(ctx, t.name)
	if err != nil {
		return fmt.Errorf("open remote vectors: %w", t.native(err))
	}
	t.holdTable(table)
	return t.checkSchema(ctx)
}

// Search implements RemoteTable. When ctx ends first it returns; a native call goes on unobserved.
func (t *remoteTable) Search(ctx context.Context, q Query) ([]Hit, error) {
	if q.K <= 0 {
		return nil, nil
	}
	if err := checkQuery(q); err != nil {
		return nil, fmt.Errorf("search remote vectors: %w", err)
	}
	if hits, ok, err := t.sketch.search(ctx, &q); ok {
		return hits, err
	}
	connected := make(chan error, 1)
	if !t.begin() {
		return nil, ErrClosed
	}
	go func() { defer t.calls.Done(); connected <- t.connect(ctx) }()
	select {
	case err := <-connected:
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return t.exact(ctx, q)
}

// fetchPage is how many rows with their vectors travel at once: as JSON some 5 MB.
const fetchPage = 500

// Fetch implements RemoteTable.
func (t *remoteTable) Fetch(ctx context.Context) error {
	if !t.sketch.lacking() {
		return nil
	}
	if err := t.connect(ctx); err != nil {
		return err
	}
	part := t.sketch.dir + ".part"
	s, err := sketch.Create(part)
	if err != nil {
		return err
	}
	err = t.visit(ctx, func(rows []Row) error { return s.Append(entriesOf(rows)) })
	rows := s.Len()
	err = errors.Join(err, s.Close())
	if err == nil && rows != t.rows {
		err = fmt.Errorf("read remote vectors: %w: %d rows, not %d", ErrRemote, rows, t.rows)
	}
	if err == nil {
		err = sketch.Remove(t.sketch.dir)
	}
	if err == nil {
		err = os.Rename(part, t.sketch.dir)
	}
	if err != nil {
		return errors.Join(err, sketch.Remove(part))
	}
	t.sketch.open(t.rows)
	return nil
}

// visit reads all rows but their texts, a page at a time.
func (t *lanceTable) visit(ctx context.Context, f func([]Row) error) error {
	limit := fetchPage
	for offset := 0; ; offset += limit {
		var found []map[string]any
		err := t.call(ctx, "read remote vectors", func() (err error) {
			found, err = t.table.Select(ctx, contracts.QueryConfig{
				Columns: []string{"id", "path", "start_line", "end_line", "content_hash", "vector"}, Limit: &limit, Offset: &offset,
			})
			return err
		})
		if err != nil {
			return err
		}
		rows := make([]Row, len(found))
		for i, r := range found {
			if rows[i], err = rowOf(r); err != nil {
				return fmt.Errorf("read remote vectors: %w", err)
			}
		}
		if err := checkRows(rows); err != nil {
			return fmt.Errorf("read remote vectors: %w", err)
		}
		if err := f(rows); err != nil {
			return err
		}
		if len(found) < limit {
			return nil
		}
	}
}

func rowOf(r map[string]any) (Row, error) {
	id, ok1 := r["id"].(string)
	path, ok2 := r["path"].(string)
	hash, ok3 := r["content_hash"].(string)
	start, ok4 := r["start_line"].(float64)
	end, ok5 := r["end_line"].(float64)
	values, ok6 := r["vector"].([]any)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 {
		return Row{}, fmt.Errorf("%w: a row lacks a column", ErrCorrupt)
	}
	v, err := vectorIn(values)
	return Row{ID: id, Path: path, ContentHash: hash, StartLine: int(start), EndLine: int(end), Vector: v}, err
}

// vectorIn reads a vector as the library's JSON has it.
func vectorIn(values []any) (v api.Vector, err error) {
	if len(values) != api.VectorDim {
		return v, fmt.Errorf("%w: a vector has %d components", ErrCorrupt, len(values))
	}
	for i, x := range values {
		f, ok := x.(float64)
		if !ok {
			return v, fmt.Errorf("%w: a component is no number", ErrCorrupt)
		}
		v[i] = float32(f)
	}
	return v, nil
}

//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package lance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/lancedb/lancedb-go/pkg/contracts"
	"github.com/lancedb/lancedb-go/pkg/lancedb"
	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/store/vector"
)

// slots limits concurrent native calls. Each call may use all cores.
var slots = semaphore.NewWeighted(int64(max(2, runtime.GOMAXPROCS(0))))

// handles is the number of open tables, for leak tests.
var handles atomic.Int64

// schema has the columns of RFC 3.2. Compression reduces the texts of 10,000 chunks of Go from 12 MB to 2 MB.
var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.BinaryTypes.String},
	{Name: "path", Type: arrow.BinaryTypes.String},
	{Name: "text", Type: arrow.BinaryTypes.String, Metadata: arrow.NewMetadata([]string{"lance-encoding:compression"},
		[]string{"zstd"})},
	{Name: "vector", Type: arrow.FixedSizeListOf(api.VectorDim, arrow.PrimitiveTypes.Float32)},
	{Name: "start_line", Type: arrow.PrimitiveTypes.Int32},
	{Name: "end_line", Type: arrow.PrimitiveTypes.Int32},
	{Name: "content_hash", Type: arrow.BinaryTypes.String},
}, nil)

// DB implements vector.Native.
type DB struct {
	mu     sync.Mutex
	tables map[vector.Location]*handle
}

var _ vector.Native = (*DB)(nil)

// New returns vector.ErrCPU if the processor cannot run the library.
func New() (*DB, error) {
	if !modern() {
		return nil, vector.ErrCPU
	}
	return &DB{tables: map[vector.Location]*handle{}}, nil
}

// handle is an open table. It refers to the connection as well, because lancedb-go closes unreferenced connections.
type handle struct {
	at vector.Location

	mu    sync.RWMutex
	conn  contracts.IConnection
	table contracts.ITable
}

func (db *DB) handle(at vector.Location) *handle {
	db.mu.Lock()
	defer db.mu.Unlock()
	h := db.tables[at]
	if h == nil {
		h = &handle{at: at}
		db.tables[at] = h
	}
	return h
}

// call opens a table if necessary and calls f with the table. It waits while too many calls are running.
func (db *DB) call(ctx context.Context, at vector.Location, op string, f func(contracts.ITable) error) error {
	if err := slots.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer slots.Release(1)
	h := db.handle(at)
	if err := h.ready(ctx); err != nil {
		return err
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.table == nil {
		return vector.ErrClosed
	}
	if err := f(h.table); err != nil {
		return fmt.Errorf("%s: %w", op, h.typed(err))
	}
	return nil
}

func (h *handle) ready(ctx context.Context) error {
	h.mu.RLock()
	open := h.table != nil
	h.mu.RUnlock()
	if open {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.table != nil {
		return nil
	}
	if err := h.connect(ctx); err != nil {
		return err
	}
	table, err := h.conn.OpenTable(ctx, h.at.Name)
	if err != nil {
		return fmt.Errorf("open vector table: %w", h.typed(err))
	}
	h.hold(table)
	return h.checkSchema(ctx)
}

// connect connects to the database, if necessary. The caller must hold h.mu.
func (h *handle) connect(ctx context.Context) error {
	if h.conn != nil {
		return nil
	}
	uri, o := h.at.Dir, (*contracts.ConnectionOptions)(nil)
	if h.remote() {
		uri, o = h.at.Remote.URI, options(h.at.Remote)
	}
	conn, err := lancedb.Connect(ctx, uri, o)
	if err != nil {
		return fmt.Errorf("connect to vector database: %w", h.typed(err))
	}
	h.conn = conn
	handles.Add(1)
	return nil
}

// create creates and opens the table. The caller must hold h.mu.
func (h *handle) create(ctx context.Context) error {
	if err := h.connect(ctx); err != nil {
		return err
	}
	s, err := lancedb.NewSchema(schema)
	if err != nil {
		return fmt.Errorf("describe vector table: %w", err)
	}
	native.TempDir() // for the temporary file of CreateTable
	table, err := h.conn.CreateTable(ctx, h.at.Name, s)
	if err != nil {
		return fmt.Errorf("create vector table: %w", h.typed(err))
	}
	h.hold(table)
	return nil
}

func (h *handle) hold(table contracts.ITable) {
	h.table = table
	handles.Add(1)
}

func (h *handle) remote() bool { return h.at.Dir == "" }

// typed wraps an error of LanceDB. An error of a remote table is an ErrRemote, because it may come from the network.
func (h *handle) typed(err error) error {
	if h.remote() {
		return fmt.Errorf("%w: %w", vector.ErrRemote, err)
	}
	return nativeError(err)
}

// close closes the table and the connection. The caller must hold h.mu.
func (h *handle) close() error {
	var errs []error
	if h.table != nil {
		errs = append(errs, h.table.Close())
		h.table = nil
		handles.Add(-1)
	}
	if h.conn != nil {
		errs = append(errs, h.conn.Close())
		h.conn = nil
		handles.Add(-1)
	}
	return errors.Join(errs...)
}

// Open closes the table and opens it again. It creates a missing local table.
func (db *DB) Open(ctx context.Context, at vector.Location) (int, error) {
	err := db.setUp(ctx, at, func(h *handle) error {
		exists, err := true, h.close()
		if err == nil && !h.remote() {
			exists, err = h.exists()
		}
		if err != nil || exists {
			return err
		}
		return h.create(ctx)
	})
	rows := 0
	if err == nil {
		rows, err = db.Count(ctx, at)
	}
	if err != nil {
		return 0, errors.Join(err, db.Close(at))
	}
	return rows, nil
}

func (db *DB) Create(ctx context.Context, at vector.Location) error {
	return db.setUp(ctx, at, func(h *handle) error { return h.create(ctx) })
}

func (db *DB) setUp(ctx context.Context, at vector.Location, f func(*handle) error) error {
	if err := slots.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer slots.Release(1)
	h := db.handle(at)
	h.mu.Lock()
	defer h.mu.Unlock()
	return f(h)
}

func (db *DB) Close(at vector.Location) error {
	db.mu.Lock()
	h := db.tables[at]
	delete(db.tables, at)
	db.mu.Unlock()
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.close()
}

// exists reports whether the table exists. It removes the empty folder of a table whose creation was interrupted.
func (h *handle) exists() (bool, error) {
	folder := vector.TableDir(h.at.Dir, h.at.Name)
	_, err := os.Stat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("open vector table: %w", err)
	}
	shape, err := vector.ShapeOf(h.at)
	if err != nil {
		return false, err
	}
	if shape.Versions > 0 {
		return true, nil
	}
	if shape.Fragments > 0 {
		return false, fmt.Errorf("open vector table: %w: its versions are missing", vector.ErrCorrupt)
	}
	if err := os.RemoveAll(folder); err != nil {
		return false, fmt.Errorf("remove unfinished vector table: %w", err)
	}
	return false, nil
}

func (h *handle) checkSchema(ctx context.Context) error {
	have, err := h.table.Schema(ctx)
	if err != nil {
		return fmt.Errorf("open vector table: %w", h.typed(err))
	}
	for _, want := range schema.Fields() {
		got, ok := have.FieldsByName(want.Name)
		if !ok || got[0].Type.ID() != want.Type.ID() {
			return fmt.Errorf("open vector table: %w: column %s is missing or of another type", vector.ErrCorrupt, want.Name)
		}
	}
	return nil
}

// nativeError determines the kind of an error by LanceDB's message. An unknown message is treated as damage, because
// the arguments are valid.
func nativeError(err error) error {
	text := err.Error()
	for _, known := range []struct {
		mark string
		kind error
	}{
		{"os error 28", syscall.ENOSPC}, {"No space left", syscall.ENOSPC}, {"os error 122", syscall.ENOSPC},
		{"os error 13", fs.ErrPermission}, {"Permission denied", fs.ErrPermission},
		{"os error 24", syscall.EMFILE}, {"Too many open files", syscall.EMFILE},
		{"is closed", vector.ErrClosed},
	} {
		if strings.Contains(text, known.mark) {
			return fmt.Errorf("%w: %w", known.kind, err)
		}
	}
	return fmt.Errorf("%w: %w", vector.ErrCorrupt, err)
}

func (db *DB) Add(ctx context.Context, at vector.Location, rows []vector.Row) error {
	rec := record(rows)
	defer rec.Release()
	return db.call(ctx, at, "add vectors", func(t contracts.ITable) error {
		return t.AddRecords(ctx, []arrow.Record{rec}, nil)
	})
}

func record(rows []vector.Row) arrow.Record {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Reserve(len(rows))
	text := func(i int) *array.StringBuilder { return b.Field(i).(*array.StringBuilder) }
	number := func(i int) *array.Int32Builder { return b.Field(i).(*array.Int32Builder) }
	vectors := b.Field(3).(*array.FixedSizeListBuilder)
	values := vectors.ValueBuilder().(*array.Float32Builder)
	values.Reserve(len(rows) * api.VectorDim)
	for i := range rows {
		r := &rows[i]
		text(0).Append(r.ID)
		text(1).Append(r.Path)
		text(2).Append(r.Text)
		vectors.Append(true)
		values.AppendValues(r.Vector[:], nil)
		number(4).Append(int32(r.StartLine))
		number(5).Append(int32(r.EndLine))
		text(6).Append(r.ContentHash)
	}
	return b.NewRecord()
}

func (db *DB) Delete(ctx context.Context, at vector.Location, paths []string) error {
	return db.call(ctx, at, "delete vectors", func(t contracts.ITable) error { return t.Delete(ctx, in("path", paths)) })
}

// in returns an SQL condition such as "path IN ('a', 'b')". It escapes only quotes, because package vector has checked
// the values.
func in(column string, values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	return column + " IN (" + strings.Join(quoted, ", ") + ")"
}

func (db *DB) Nearest(ctx context.Context, at vector.Location, q vector.Query) ([]vector.Hit, error) {
	config := contracts.QueryConfig{
		Columns:      []string{"id", "path", "start_line", "end_line", "content_hash"},
		VectorSearch: &contracts.VectorSearch{Column: "vector", Vector: q.Vector[:], K: q.K},
	}
	if q.Paths != nil {
		config.Where = in("path", q.Paths)
	}
	return query(ctx, db, at, "search vectors", func(t contracts.ITable) ([]vector.Hit, error) {
		rows, err := t.Select(ctx, config)
		if err != nil {
			return nil, err
		}
		return hitsOf(rows)
	})
}

func hitsOf(rows []map[string]any) (hits []vector.Hit, err error) {
	hits = make([]vector.Hit, 0, len(rows))
	for _, r := range rows {
		hits = append(hits, vector.Hit{ID: column[string](r, "id", &err), Path: column[string](r, "path", &err),
			ContentHash: column[string](r, "content_hash", &err), StartLine: int(column[float64](r, "start_line", &err)),
			EndLine: int(column[float64](r, "end_line", &err)), Score: cosine(column[float64](r, "_distance", &err))})
	}
	return hits, err
}

// column returns the value of a column. It sets err if the column is missing or has another type.
func column[T any](row map[string]any, name string, err *error) T {
	v, ok := row[name].(T)
	if !ok && *err == nil {
		*err = fmt.Errorf("%w: a row has no column %s", vector.ErrCorrupt, name)
	}
	return v
}

// cosine converts a squared distance between unit vectors to their cosine: |a−b|² = 2 − 2·cos.
func cosine(squared float64) float64 { return 1 - squared/2 }

func (db *DB) Count(ctx context.Context, at vector.Location) (int, error) {
	n, err := query(ctx, db, at, "count vectors", func(t contracts.ITable) (int64, error) { return t.Count(ctx) })
	return int(n), err
}

func query[T any](ctx context.Context, db *DB, at vector.Location, op string,
	f func(contracts.ITable) (T, error)) (v T, err error) {
	err = db.call(ctx, at, op, func(t contracts.ITable) (err error) {
		v, err = f(t)
		return err
	})
	return v, err
}

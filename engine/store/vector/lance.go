//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package vector

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
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
	"searchmcp/engine/store/vector/sketch"
)

// slots bounds the native calls of the process: each may use all cores, and none can be interrupted.
var slots = semaphore.NewWeighted(int64(max(2, runtime.GOMAXPROCS(0))))

// handles counts open native handles, for leak tests.
var handles atomic.Int64

// schema is RFC 3.2's table. Nothing here reads the text back (the text index has it), so it is compressed: of 30 MB for 10,000
// chunks of Go it was 12, and is less than 2.
var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.BinaryTypes.String},
	{Name: "path", Type: arrow.BinaryTypes.String},
	{Name: "text", Type: arrow.BinaryTypes.String, Metadata: arrow.NewMetadata([]string{"lance-encoding:compression"}, []string{"zstd"})},
	{Name: "vector", Type: arrow.FixedSizeListOf(api.VectorDim, arrow.PrimitiveTypes.Float32)},
	{Name: "start_line", Type: arrow.PrimitiveTypes.Int32},
	{Name: "end_line", Type: arrow.PrimitiveTypes.Int32},
	{Name: "content_hash", Type: arrow.BinaryTypes.String},
}, nil)

// lanceTable holds connection and table together for as long as the table is used: lancedb-go frees both by finalizer, which must
// never come first.
type lanceTable struct {
	dir, name string // dir is "" if remote
	remote    bool
	sketch    sketched

	mu     sync.RWMutex // see the package's comment
	conn   contracts.IConnection
	table  contracts.ITable
	closed bool
	calls  sync.WaitGroup // searches whose callers have gone
}

// Open opens a table of the database in dir, or makes database and table if they are not there.
func Open(ctx context.Context, dir, name string) (Table, error) {
	if err := cpuProblem(); err != nil {
		return nil, err
	}
	if err := checkStrings(dir, name); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of vector table: %w", err)
	}
	t := &lanceTable{dir: dir, name: name, sketch: sketched{dir: sketchDir(dir, name)}}
	if err := slots.Acquire(ctx, 1); err != nil {
		return nil, context.Cause(ctx)
	}
	defer slots.Release(1)
	if err := t.open(ctx); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (t *lanceTable) open(ctx context.Context) error {
	exists, err := t.exists()
	if err != nil {
		return err
	}
	conn, err := lancedb.Connect(ctx, t.dir, nil)
	if err != nil {
		return fmt.Errorf("connect to vector database: %w", nativeError(err))
	}
	t.hold(conn)
	if !exists {
		s, err := lancedb.NewSchema(schema)
		if err != nil {
			return fmt.Errorf("describe vector table: %w", err)
		}
		t.table, err = conn.CreateTable(ctx, t.name, s)
		if err != nil {
			t.table = nil
			return fmt.Errorf("create vector table: %w", nativeError(err))
		}
		handles.Add(1)
		t.sketch.open(0)
		return nil
	}
	t.table, err = conn.OpenTable(ctx, t.name)
	if err != nil {
		t.table = nil
		return fmt.Errorf("open vector table: %w", nativeError(err))
	}
	handles.Add(1)
	if err := t.checkSchema(ctx); err != nil {
		return err
	}
	rows, err := t.table.Count(ctx)
	if err != nil {
		return fmt.Errorf("count vectors: %w", nativeError(err))
	}
	t.sketch.open(int(rows))
	return nil
}

// exists reports whether the table was made. A folder without any file is what a crash in its making leaves.
func (t *lanceTable) exists() (bool, error) {
	folder := tableDir(t.dir, t.name)
	_, err := os.Stat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("open vector table: %w", err)
	}
	shape, err := shapeOf(t.dir, t.name)
	if err != nil {
		return false, err
	}
	if shape.Versions > 0 {
		return true, nil
	}
	if shape.Fragments > 0 {
		return false, fmt.Errorf("open vector table: %w: its versions are missing", ErrCorrupt)
	}
	if err := os.RemoveAll(folder); err != nil {
		return false, fmt.Errorf("remove unfinished vector table: %w", err)
	}
	return false, nil
}

func (t *lanceTable) checkSchema(ctx context.Context) error {
	have, err := t.table.Schema(ctx)
	if err != nil {
		return fmt.Errorf("open vector table: %w", nativeError(err))
	}
	for _, want := range schema.Fields() {
		got, ok := have.FieldsByName(want.Name)
		if !ok || got[0].Type.ID() != want.Type.ID() {
			return fmt.Errorf("open vector table: %w: column %s is missing or of another type", ErrCorrupt, want.Name)
		}
	}
	return nil
}

// call runs one native operation under a slot.
func (t *lanceTable) call(ctx context.Context, op string, f func() error) error {
	if err := slots.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer slots.Release(1)
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return ErrClosed
	}
	if err := f(); err != nil {
		return fmt.Errorf("%s: %w", op, t.native(err))
	}
	return nil
}

// native gives an error of the library its kind: of a remote table it may be the network's.
func (t *lanceTable) native(err error) error {
	if t.remote {
		return fmt.Errorf("%w: %w", ErrRemote, err)
	}
	return nativeError(err)
}

// nativeError gives the library's texts the kinds that callers act on. What is neither the disk nor the system refusing is taken
// as damage: the library has no other way to fail on valid arguments.
func nativeError(err error) error {
	text := err.Error()
	for _, known := range []struct {
		mark string
		kind error
	}{
		{"os error 28", syscall.ENOSPC}, {"No space left", syscall.ENOSPC}, {"os error 122", syscall.ENOSPC},
		{"os error 13", fs.ErrPermission}, {"Permission denied", fs.ErrPermission},
		{"os error 24", syscall.EMFILE}, {"Too many open files", syscall.EMFILE},
		{"is closed", ErrClosed},
	} {
		if strings.Contains(text, known.mark) {
			return fmt.Errorf("%w: %w", known.kind, err)
		}
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}

// Add implements Table.
func (t *lanceTable) Add(ctx context.Context, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	if err := checkRows(rows); err != nil {
		return fmt.Errorf("add vectors: %w", err)
	}
	rec := record(rows)
	defer rec.Release()
	err := t.call(ctx, "add vectors", func() error { return t.table.AddRecords(ctx, []arrow.Record{rec}, nil) })
	if err == nil {
		t.sketch.add(rows)
	}
	return err
}

func record(rows []Row) arrow.Record {
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

// DeletePaths implements Table.
func (t *lanceTable) DeletePaths(ctx context.Context, paths []string) error {
	return t.deleteIn(ctx, "path", paths, (*sketch.Sketch).RemovePaths)
}

// DeleteIDs implements Table.
func (t *lanceTable) DeleteIDs(ctx context.Context, ids []string) error {
	return t.deleteIn(ctx, "id", ids, (*sketch.Sketch).RemoveIDs)
}

func (t *lanceTable) deleteIn(ctx context.Context, column string, values []string, remove func(*sketch.Sketch, []string) error) error {
	if err := checkStrings(values...); err != nil {
		return fmt.Errorf("delete vectors: %w", err)
	}
	for part := range slices.Chunk(values, maxIn) {
		err := t.call(ctx, "delete vectors", func() error { return t.table.Delete(ctx, in(column, part)) })
		if err != nil {
			return err
		}
		t.sketch.change(func(s *sketch.Sketch) error { return remove(s, part) })
	}
	return nil
}

// Search implements Table: the sketch answers, or LanceDB by comparing every row. When ctx ends first
// it returns; a native call goes on unobserved.
func (t *lanceTable) Search(ctx context.Context, q Query) ([]Hit, error) {
	if q.K <= 0 || (q.Paths != nil && len(q.Paths) == 0) {
		return nil, nil
	}
	if len(q.Paths) > MaxPaths {
		return nil, fmt.Errorf("search vectors: %w: %d paths", ErrInvalid, len(q.Paths))
	}
	if err := checkQuery(q); err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	if hits, ok, err := t.sketch.search(ctx, &q); ok {
		return hits, err
	}
	return t.exact(ctx, q)
}

// exact asks LanceDB.
func (t *lanceTable) exact(ctx context.Context, q Query) ([]Hit, error) {
	config := contracts.QueryConfig{
		Columns:      []string{"id", "path", "start_line", "end_line", "content_hash"},
		VectorSearch: &contracts.VectorSearch{Column: "vector", Vector: q.Vector[:], K: q.K},
	}
	if q.Paths != nil {
		config.Where = in("path", q.Paths)
	}
	type answer struct {
		hits []Hit
		err  error
	}
	if !t.begin() {
		return nil, ErrClosed
	}
	done := make(chan answer, 1)
	go func() {
		defer t.calls.Done()
		var a answer
		a.err = t.call(ctx, "search vectors", func() error {
			rows, err := t.table.Select(ctx, config)
			if err == nil {
				a.hits, err = hitsOf(rows)
			}
			return err
		})
		done <- a
	}()
	select {
	case a := <-done:
		return a.hits, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// begin makes Close wait for a goroutine that calls t.calls.Done; false if the table is closed.
func (t *lanceTable) begin() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return false
	}
	t.calls.Add(1)
	return true
}

func hitsOf(rows []map[string]any) ([]Hit, error) {
	hits := make([]Hit, 0, len(rows))
	for _, r := range rows {
		var h Hit
		var ok [6]bool
		h.ID, ok[0] = r["id"].(string)
		h.Path, ok[1] = r["path"].(string)
		h.ContentHash, ok[2] = r["content_hash"].(string)
		start, ok3 := r["start_line"].(float64)
		end, ok4 := r["end_line"].(float64)
		distance, ok5 := r["_distance"].(float64)
		ok[3], ok[4], ok[5] = ok3, ok4, ok5
		if slices.Contains(ok[:], false) {
			return nil, errors.New("a row lacks a column")
		}
		h.StartLine, h.EndLine, h.Score = int(start), int(end), cosine(distance)
		hits = append(hits, h)
	}
	return hits, nil
}

// Rows travel as JSON; a page bounds what that takes to a few megabytes.
const keyPage = 20_000

// Keys implements Table.
func (t *lanceTable) Keys(ctx context.Context, visit func(Key) bool) error {
	limit := keyPage
	for offset := 0; ; offset += limit {
		var rows []map[string]any
		err := t.call(ctx, "list vectors", func() (err error) {
			rows, err = t.table.Select(ctx, contracts.QueryConfig{
				Columns: []string{"id", "path", "content_hash"}, Limit: &limit, Offset: &offset,
			})
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			id, ok1 := r["id"].(string)
			path, ok2 := r["path"].(string)
			hash, ok3 := r["content_hash"].(string)
			if !ok1 || !ok2 || !ok3 {
				return fmt.Errorf("list vectors: %w: a row lacks a column", ErrCorrupt)
			}
			if !visit(Key{ID: id, Path: path, ContentHash: hash}) {
				return nil
			}
		}
		if len(rows) < limit {
			return nil
		}
	}
}

// vectorPage bounds one answer of Vectors: a vector is some 4 KB of JSON and ten times that once parsed.
const vectorPage = 250

// Vectors implements Table.
func (t *lanceTable) Vectors(ctx context.Context, ids []string) (map[string]api.Vector, error) {
	if err := checkStrings(ids...); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	out := make(map[string]api.Vector, len(ids))
	for part := range slices.Chunk(ids, vectorPage) {
		var rows []map[string]any
		err := t.call(ctx, "read vectors", func() (err error) {
			rows, err = t.table.Select(ctx, contracts.QueryConfig{Columns: []string{"id", "vector"}, Where: in("id", part)})
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			id, ok := r["id"].(string)
			values, ok2 := r["vector"].([]any)
			if !ok || !ok2 {
				return nil, fmt.Errorf("read vectors: %w: a row lacks a column", ErrCorrupt)
			}
			if out[id], err = vectorIn(values); err != nil {
				return nil, fmt.Errorf("read vectors: %w", err)
			}
		}
	}
	return out, nil
}

// Count implements Table.
func (t *lanceTable) Count(ctx context.Context) (int, error) {
	var n int64
	err := t.call(ctx, "count vectors", func() (err error) {
		n, err = t.table.Count(ctx)
		return err
	})
	return int(n), err
}

// Version implements Table.
func (t *lanceTable) Version(ctx context.Context) (v int, err error) {
	err = t.call(ctx, "ask for the vectors' version", func() (err error) {
		v, err = t.table.Version(ctx)
		return err
	})
	return v, err
}

// Shape implements Table.
func (t *lanceTable) Shape() (Shape, error) {
	s, err := shapeOf(t.dir, t.name)
	s.Unsketched = t.sketch.lacking()
	return s, err
}

// Close implements Table: the table first, then the connection it belongs to.
func (t *lanceTable) Close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.calls.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	errs := []error{t.sketch.close()}
	if t.table != nil {
		errs = append(errs, t.table.Close())
		t.table = nil
		handles.Add(-1)
	}
	if t.conn != nil {
		errs = append(errs, t.conn.Close())
		t.conn = nil
		handles.Add(-1)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close vector table: %w", err)
	}
	return nil
}

package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"syscall"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/store/vector"
)

// Tables is vector.Native in a process of its own.
type Tables struct {
	p *native.Process

	mu     sync.Mutex // guards deaths, a leaf
	deaths map[vector.Place]int
}

var _ vector.Native = (*Tables)(nil)

// NewTables returns the tables of a process.
func NewTables(p *native.Process) *Tables { return &Tables{p: p, deaths: map[vector.Place]int{}} }

// tableErrors are those that callers act on, by the code that they travel under. A library that the processor
// cannot run shows as cpu with either library.
var tableErrors = codes{
	"closed": vector.ErrClosed, "corrupt": vector.ErrCorrupt, "avx2": vector.ErrCPU, "native": vector.ErrNoNative,
	"remote": vector.ErrRemote, "invalid": vector.ErrInvalid, "full": syscall.ENOSPC, "denied": fs.ErrPermission,
	"files": syscall.EMFILE,
}

func place(at vector.Place) native.Body {
	r := at.Remote
	remote := []string{r.URI, r.Endpoint, r.Region, r.AccessKey, r.Secret, r.Session}
	return native.Body{}.Text(at.Dir).Text(at.Name).Texts(remote)
}

func readPlace(r *native.Reader) vector.Place {
	at := vector.Place{Dir: r.Text(), Name: r.Text()}
	if list := r.Texts(); len(list) == 6 {
		at.Remote = vector.Remote{URI: list[0], Endpoint: list[1], Region: list[2],
			AccessKey: list[3], Secret: list[4], Session: list[5]}
	}
	return at
}

// fatal is how many reads of one table in a row may end the worker for want of memory, each tried twice. Other calls
// get by with what there is, so it is what stands in the table that makes the library ask for so much.
const fatal = 2

// read calls what may be done twice. A table of this computer that kills the process when nothing else is asked is
// damaged: the library fails in no other way on what it was given. Want of memory may be the computer's, and is taken
// as damage when it comes back.
func (t *Tables) read(
	ctx context.Context, op byte, at vector.Place, args native.Body, item func(*native.Reader),
) (*native.Reader, error) {
	r, err := t.p.Retry(patience(ctx, at), op, args, item)
	var died *native.Died
	if errors.As(err, &died) && died.Alone && at.Dir != "" && (t.died(at) >= fatal || !died.Memory) {
		return nil, fmt.Errorf("read vector table: %w: %w", vector.ErrCorrupt, err)
	}
	if err == nil {
		t.mu.Lock()
		delete(t.deaths, at)
		t.mu.Unlock()
	}
	return r, tableErrors.restore(err)
}

// died counts a death and returns how many there were in a row.
func (t *Tables) died(at vector.Place) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.deaths[at]++
	return t.deaths[at]
}

// write calls what may not be done twice.
func (t *Tables) write(ctx context.Context, op byte, at vector.Place, args native.Body) error {
	_, err := t.p.Call(patience(ctx, at), op, args, nil)
	return tableErrors.restore(err)
}

// patience lets a remote table be silent for as long as its storage takes: each request to that has a limit of its own.
func patience(ctx context.Context, at vector.Place) context.Context {
	if at.Dir == "" {
		return native.Patient(ctx)
	}
	return ctx
}

// Open implements vector.Native.
func (t *Tables) Open(ctx context.Context, at vector.Place) (int, error) {
	return t.number(ctx, opOpen, at)
}

// Count implements vector.Native.
func (t *Tables) Count(ctx context.Context, at vector.Place) (int, error) {
	return t.number(ctx, opCount, at)
}

// Version implements vector.Native.
func (t *Tables) Version(ctx context.Context, at vector.Place) (int, error) {
	return t.number(ctx, opVersion, at)
}

func (t *Tables) number(ctx context.Context, op byte, at vector.Place) (int, error) {
	r, err := t.read(ctx, op, at, place(at), nil)
	if err != nil {
		return 0, err
	}
	n := r.Uint()
	return n, r.End()
}

// Create implements vector.Native.
func (t *Tables) Create(ctx context.Context, at vector.Place) error {
	return t.write(ctx, opCreate, at, place(at))
}

// Index implements vector.Native.
func (t *Tables) Index(ctx context.Context, at vector.Place) error {
	return t.write(ctx, opIndex, at, place(at))
}

// Add implements vector.Native.
func (t *Tables) Add(ctx context.Context, at vector.Place, rows []vector.Row) error {
	size := 0
	for i := range rows {
		r := &rows[i]
		size += len(r.ID) + len(r.Path) + len(r.Text) + len(r.ContentHash) + 4*len(r.Vector) + 20
	}
	head := place(at).Uint(len(rows))
	args := append(make(native.Body, 0, len(head)+size), head...)
	for i := range rows {
		args = appendRow(args, &rows[i])
	}
	return t.write(ctx, opAdd, at, args)
}

func appendRow(b native.Body, r *vector.Row) native.Body {
	b = b.Text(r.ID).Text(r.Path).Text(r.Text).Text(r.ContentHash).Uint(r.StartLine).Uint(r.EndLine)
	return b.Floats(r.Vector[:])
}

func readRows(r *native.Reader) []vector.Row {
	rows := make([]vector.Row, r.Count())
	for i := range rows {
		row := &rows[i]
		row.ID, row.Path, row.Text, row.ContentHash = r.Text(), r.Text(), r.Text(), r.Text()
		row.StartLine, row.EndLine = r.Uint(), r.Uint()
		r.Floats(row.Vector[:])
	}
	return rows
}

// Delete implements vector.Native.
func (t *Tables) Delete(ctx context.Context, at vector.Place, column string, values []string) error {
	return t.write(ctx, opDelete, at, place(at).Text(column).Texts(values))
}

// Nearest implements vector.Native.
func (t *Tables) Nearest(ctx context.Context, at vector.Place, q vector.Query) ([]vector.Hit, error) {
	args := place(at).Uint(q.K).Bool(q.Paths != nil).Texts(q.Paths).Floats(q.Vector[:])
	r, err := t.read(ctx, opNearest, at, args, nil)
	if err != nil {
		return nil, err
	}
	hits := make([]vector.Hit, r.Count())
	for i := range hits {
		h := &hits[i]
		h.ID, h.Path, h.ContentHash = r.Text(), r.Text(), r.Text()
		h.StartLine, h.EndLine, h.Score = r.Uint(), r.Uint(), r.Float()
	}
	return hits, r.End()
}

// Keys implements vector.Native.
func (t *Tables) Keys(ctx context.Context, at vector.Place, visit func([]vector.Key) bool) error {
	return t.pages(ctx, opKeys, at, func(r *native.Reader) (bool, error) {
		keys := make([]vector.Key, r.Count())
		for i := range keys {
			keys[i] = vector.Key{ID: r.Text(), Path: r.Text(), ContentHash: r.Text()}
		}
		if err := r.End(); err != nil {
			return false, err
		}
		return visit(keys), nil
	})
}

// Rows implements vector.Native.
func (t *Tables) Rows(ctx context.Context, at vector.Place, visit func([]vector.Row) error) error {
	return t.pages(ctx, opRows, at, func(r *native.Reader) (bool, error) {
		rows := readRows(r)
		if err := r.End(); err != nil {
			return false, err
		}
		return true, visit(rows)
	})
}

// errEnough ends a call whose further pages nobody wants.
var errEnough = errors.New("enough pages")

// pages hands over what comes in pages until visit wants no more. Only a call of which no page came yet is tried again.
func (t *Tables) pages(
	ctx context.Context, op byte, at vector.Place, visit func(*native.Reader) (more bool, err error),
) error {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var failed error
	began, done := false, false
	page := func(r *native.Reader) {
		began = true
		if done {
			return
		}
		more, err := visit(r)
		if err != nil || !more {
			done, failed = true, err
			stop(errEnough)
		}
	}
	_, err := t.p.Call(patience(inner, at), op, place(at), page)
	var died *native.Died
	if errors.As(err, &died) && !began {
		_, err = t.read(inner, op, at, place(at), page)
	}
	if done {
		return failed
	}
	return tableErrors.restore(err)
}

// Vectors implements vector.Native.
func (t *Tables) Vectors(ctx context.Context, at vector.Place, ids []string) (map[string]api.Vector, error) {
	out := make(map[string]api.Vector, len(ids))
	r, err := t.read(ctx, opVectors, at, place(at).Texts(ids), nil)
	if err != nil {
		return nil, err
	}
	for range r.Count() {
		id := r.Text()
		var v api.Vector
		r.Floats(v[:])
		out[id] = v
	}
	return out, r.End()
}

// Close implements vector.Native. A process that does not run holds nothing.
func (t *Tables) Close(at vector.Place) error {
	if !t.p.Running() {
		return nil
	}
	_, err := t.p.Call(context.Background(), opClose, place(at), nil)
	var died *native.Died
	if errors.As(err, &died) || errors.Is(err, native.ErrUnavailable) || errors.Is(err, native.ErrClosed) {
		return nil // its handles went with it
	}
	return tableErrors.restore(err)
}

// Storing answers Tables' calls in the worker.
func Storing(db vector.Native) map[byte]native.Handler {
	type handler = func(context.Context, vector.Place, *native.Reader, func(native.Body)) (native.Body, error)
	number := func(f func(context.Context, vector.Place) (int, error)) handler {
		return func(ctx context.Context, at vector.Place, r *native.Reader, _ func(native.Body)) (native.Body, error) {
			if err := r.End(); err != nil {
				return nil, err
			}
			n, err := f(ctx, at)
			return native.Body{}.Uint(n), err
		}
	}
	act := func(f func(ctx context.Context, at vector.Place, r *native.Reader) error) handler {
		return func(ctx context.Context, at vector.Place, r *native.Reader, _ func(native.Body)) (native.Body, error) {
			return nil, f(ctx, at, r)
		}
	}
	none := func(f func(context.Context, vector.Place) error) handler {
		return act(func(ctx context.Context, at vector.Place, r *native.Reader) error {
			if err := r.End(); err != nil {
				return err
			}
			return f(ctx, at)
		})
	}
	out := map[byte]native.Handler{}
	for op, h := range map[byte]handler{
		opOpen: number(db.Open), opCount: number(db.Count), opVersion: number(db.Version),
		opCreate: none(db.Create), opIndex: none(db.Index),
		opClose: none(func(_ context.Context, at vector.Place) error { return db.Close(at) }),
		opAdd: act(func(ctx context.Context, at vector.Place, r *native.Reader) error {
			rows := readRows(r)
			if err := r.End(); err != nil {
				return err
			}
			return db.Add(ctx, at, rows)
		}),
		opDelete: act(func(ctx context.Context, at vector.Place, r *native.Reader) error {
			column, values := r.Text(), r.Texts()
			if err := r.End(); err != nil {
				return err
			}
			return db.Delete(ctx, at, column, values)
		}),
		opNearest: func(ctx context.Context, at vector.Place, r *native.Reader, _ func(native.Body)) (native.Body, error) {
			q := vector.Query{K: r.Uint()}
			some := r.Bool()
			if q.Paths = r.Texts(); some && q.Paths == nil {
				q.Paths = []string{}
			}
			r.Floats(q.Vector[:])
			if err := r.End(); err != nil {
				return nil, err
			}
			hits, err := db.Nearest(ctx, at, q)
			b := native.Body{}.Uint(len(hits))
			for _, h := range hits {
				b = b.Text(h.ID).Text(h.Path).Text(h.ContentHash).Uint(h.StartLine).Uint(h.EndLine).Float(h.Score)
			}
			return b, err
		},
		opKeys: func(ctx context.Context, at vector.Place, _ *native.Reader, item func(native.Body)) (native.Body, error) {
			return nil, db.Keys(ctx, at, func(keys []vector.Key) bool {
				b := make(native.Body, 0, 150*len(keys)+8).Uint(len(keys))
				for _, k := range keys {
					b = b.Text(k.ID).Text(k.Path).Text(k.ContentHash)
				}
				item(b)
				return ctx.Err() == nil
			})
		},
		opRows: func(ctx context.Context, at vector.Place, _ *native.Reader, item func(native.Body)) (native.Body, error) {
			return nil, db.Rows(ctx, at, func(rows []vector.Row) error {
				b := native.Body{}.Uint(len(rows))
				for i := range rows {
					b = appendRow(b, &rows[i])
				}
				item(b)
				return ctx.Err()
			})
		},
		opVectors: func(ctx context.Context, at vector.Place, r *native.Reader, _ func(native.Body)) (native.Body, error) {
			ids := r.Texts()
			if err := r.End(); err != nil {
				return nil, err
			}
			found, err := db.Vectors(ctx, at, ids)
			b := native.Body{}.Uint(len(found))
			for id, v := range found {
				b = b.Text(id).Floats(v[:])
			}
			return b, err
		},
	} {
		out[op] = func(ctx context.Context, r *native.Reader, item func(native.Body)) (native.Body, error) {
			at := readPlace(r)
			if err := r.Err(); err != nil {
				return nil, err
			}
			return h(ctx, at, r, item)
		}
	}
	return out
}

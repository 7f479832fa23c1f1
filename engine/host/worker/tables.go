package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/store/vector"
)

type Tables struct{ p *native.Process }

var _ vector.Native = (*Tables)(nil)

func NewTables(p *native.Process) *Tables { return &Tables{p} }

var tableErrors = codes{
	"closed": vector.ErrClosed, "corrupt": vector.ErrCorrupt, "avx2": vector.ErrCPU, "native": vector.ErrNoNative,
	"remote": vector.ErrRemote, "invalid": vector.ErrInvalid, "full": syscall.ENOSPC, "denied": fs.ErrPermission,
	"files": syscall.EMFILE,
}

type with[T any] struct {
	At  vector.Location
	Arg T
}

type vectorAt struct {
	ID     string
	Vector api.Vector
}

// reading returns a native.Caller that retries operations. A local table that kills the worker twice counts as corrupt.
func (t *Tables) reading(table vector.Location) native.Caller {
	return func(ctx context.Context, op byte, args native.Body, item func(native.Body)) (native.Body, error) {
		b, err := t.p.Retry(patience(ctx, table), op, args, item)
		var died *native.CrashError
		if errors.As(err, &died) && died.CausedByCall() && table.Dir != "" {
			return nil, fmt.Errorf("read vector table: %w: %w", vector.ErrCorrupt, err)
		}
		return b, tableErrors.restore(err)
	}
}

func (t *Tables) once(at vector.Location) native.Caller {
	return func(ctx context.Context, op byte, args native.Body, item func(native.Body)) (native.Body, error) {
		b, err := t.p.Call(patience(ctx, at), op, args, item)
		return b, tableErrors.restore(err)
	}
}

func patience(ctx context.Context, table vector.Location) context.Context {
	if table.Dir == "" {
		return native.AllowSilence(ctx)
	}
	return ctx
}

func (t *Tables) Open(ctx context.Context, at vector.Location) (int, error) {
	return opOpen.Call(ctx, t.reading(at), at)
}

func (t *Tables) Count(ctx context.Context, at vector.Location) (int, error) {
	return opCount.Call(ctx, t.reading(at), at)
}

func (t *Tables) Create(ctx context.Context, at vector.Location) error {
	return opCreate.Do(ctx, t.once(at), at)
}

func (t *Tables) Index(ctx context.Context, at vector.Location) error {
	return opIndex.Do(ctx, t.once(at), at)
}

func (t *Tables) Add(ctx context.Context, at vector.Location, rows []vector.Row) error {
	return opAdd.Do(ctx, t.once(at), with[[]vector.Row]{at, rows})
}

func (t *Tables) Delete(ctx context.Context, at vector.Location, paths []string) error {
	return opDelete.Do(ctx, t.once(at), with[[]string]{at, paths})
}

func (t *Tables) Nearest(ctx context.Context, at vector.Location, q vector.Query) ([]vector.Hit, error) {
	return opNearest.Call(ctx, t.reading(at), with[vector.Query]{at, q})
}

func (t *Tables) Keys(ctx context.Context, at vector.Location, visit func([]vector.Key) bool) error {
	return inPages(ctx, t, opKeys, at, func(keys []vector.Key) (bool, error) { return visit(keys), nil })
}

func (t *Tables) Rows(ctx context.Context, at vector.Location, visit func([]vector.Row) error) error {
	return inPages(ctx, t, opRows, at, func(rows []vector.Row) (bool, error) { return true, visit(rows) })
}

var errEnough = errors.New("enough pages")

func inPages[R any](ctx context.Context, t *Tables, op native.Op[vector.Location, R], at vector.Location,
	visit func(R) (more bool, err error)) error {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var failed error
	began, done := false, false
	page := func(r R) {
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
	err := op.Each(inner, t.once(at), at, page)
	var died *native.CrashError
	if errors.As(err, &died) && !began {
		err = op.Each(inner, t.reading(at), at, page)
	}
	if done {
		return failed
	}
	return err
}

func (t *Tables) Vectors(ctx context.Context, at vector.Location, ids []string) (map[string]api.Vector, error) {
	found, err := opVectors.Call(ctx, t.reading(at), with[[]string]{at, ids})
	out := make(map[string]api.Vector, len(found))
	for _, v := range found {
		out[v.ID] = v.Vector
	}
	return out, err
}

// Close closes the table. It does nothing if no worker is running.
func (t *Tables) Close(table vector.Location) error {
	if !t.p.Running() {
		return nil
	}
	err := opClose.Do(context.Background(), t.once(table), table)
	var died *native.CrashError
	if errors.As(err, &died) || errors.Is(err, native.ErrUnavailable) || errors.Is(err, native.ErrClosed) {
		return nil // the worker has exited, which closed the table
	}
	return err
}

func StoreHandlers(db vector.Native) native.Handlers {
	h := native.Handlers{}
	opOpen.Serve(h, db.Open)
	opCount.Serve(h, db.Count)
	opCreate.Act(h, db.Create)
	opIndex.Act(h, db.Index)
	opClose.Act(h, func(_ context.Context, at vector.Location) error { return db.Close(at) })
	opAdd.Act(h, func(ctx context.Context, r with[[]vector.Row]) error { return db.Add(ctx, r.At, r.Arg) })
	opDelete.Act(h, func(ctx context.Context, p with[[]string]) error { return db.Delete(ctx, p.At, p.Arg) })
	opNearest.Serve(h, func(ctx context.Context, q with[vector.Query]) ([]vector.Hit, error) {
		return db.Nearest(ctx, q.At, q.Arg)
	})
	opKeys.ServeEach(h, func(ctx context.Context, at vector.Location, part func([]vector.Key)) error {
		return db.Keys(ctx, at, func(keys []vector.Key) bool {
			part(keys)
			return ctx.Err() == nil
		})
	})
	opRows.ServeEach(h, func(ctx context.Context, at vector.Location, part func([]vector.Row)) error {
		return db.Rows(ctx, at, func(rows []vector.Row) error {
			part(rows)
			return ctx.Err()
		})
	})
	opVectors.Serve(h, func(ctx context.Context, q with[[]string]) (all []vectorAt, err error) {
		found, err := db.Vectors(ctx, q.At, q.Arg)
		for id, v := range found {
			all = append(all, vectorAt{id, v})
		}
		return all, err
	})
	return h
}

// FailingHandlers returns handlers that return err for all operations except Close.
func FailingHandlers(err error) native.Handlers {
	h := native.Handlers{}
	for op := byte(opOpen); op < byte(opClose); op++ {
		h[op] = func(context.Context, native.Body, func(native.Body)) (native.Body, error) { return nil, err }
	}
	opClose.Act(h, func(context.Context, vector.Location) error { return nil })
	return h
}

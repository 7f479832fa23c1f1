package page

import (
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

var errNotConnected = errors.New("not connected to Search MCP")

// later runs work in the background and passes its result to then on Fyne's goroutine.
func later[T any](w *Window, work func(context.Context, Backend) (T, error), then func(T, error)) {
	b := w.Backend
	if b == nil {
		var none T
		then(none, errNotConnected)
		return
	}
	aside(w, func(ctx context.Context) (T, error) { return work(ctx, b) }, func(v T, err error) {
		then(v, present.Failed("Search MCP did not answer. The connection may be lost.", err))
	})
}

// aside is like later for work without a connection, such as a call of the desktop.
func aside[T any](w *Window, work func(context.Context) (T, error), then func(T, error)) {
	w.Background(func() {
		v, err := work(w.Ctx)
		w.OnUI(func() {
			if w.Ctx.Err() == nil {
				then(v, err)
			}
		})
	})
}

type call = func(context.Context, Backend) error

// Get returns a call that invokes m and stores the result in *into.
func Get[R any](m wire.Method[wire.Empty, R], into *R) call {
	return func(ctx context.Context, b Backend) (err error) {
		*into, err = m.Call(ctx, b, wire.Empty{})
		return err
	}
}

// Gather makes calls in order until one fails, and passes its error or nil to then.
func (w *Window) Gather(then func(error), calls ...call) {
	later(w, func(ctx context.Context, b Backend) (none struct{}, err error) {
		for _, c := range calls {
			if err = c(ctx, b); err != nil {
				break
			}
		}
		return none, err
	}, func(_ struct{}, err error) { then(err) })
}

func Request[P, R any](w *Window, m wire.Method[P, R], params P, then func(R, error)) {
	later(w, func(ctx context.Context, b Backend) (R, error) { return m.Call(ctx, b, params) }, then)
}

func Order[P, R any](w *Window, m wire.Method[P, R], params P) {
	w.act(func(ctx context.Context, b Backend) error { return m.Do(ctx, b, params) })
}

func (w *Window) agreed(a api.Action, root string) {
	w.creating = w.creating || a == api.ActionCreate
	w.Gather(func(err error) {
		if err != nil {
			w.creating = false
			w.frame.Refresh()
		}
		w.failedAt(err, func() { w.agreed(a, root) })
	}, func(ctx context.Context, b Backend) error { return b.Agreed(ctx, a, root) })
}

func reference(p api.Project) wire.ProjectRef { return wire.ProjectRef{Project: p.Root()} }

func (w *Window) act(c call) { w.Gather(func(err error) { w.failedAt(err, func() { w.act(c) }) }, c) }

func (w *Window) attempt(what present.Text, do func() error) {
	w.run(do, func(err error) { w.Failed(present.Failed(what, err)) })
}

func (w *Window) run(do func() error, then func(error)) {
	aside(w, func(context.Context) (struct{}, error) { return struct{}{}, do() },
		func(_ struct{}, err error) { then(err) })
}

func (w *Window) Background(f func()) {
	if w.Opts.Inline {
		f()
		return
	}
	w.Work.Go(f)
}

func (w *Window) OnUI(f func()) {
	if w.Opts.Inline {
		f()
		return
	}
	w.Opts.Stir()
	fyne.Do(f)
}

// After calls f on Fyne's goroutine after pause, or at once in tests.
func (w *Window) After(pause time.Duration, f func()) {
	w.Background(func() {
		if !w.Opts.Inline {
			select {
			case <-time.After(pause):
			case <-w.Ctx.Done():
				return
			}
		}
		w.OnUI(f)
	})
}

// Every calls f on Fyne's goroutine at the interval pause until f returns false or the window closes. In tests it does
// nothing.
func (w *Window) Every(pause time.Duration, f func() bool) {
	if w.Opts.Inline {
		return
	}
	w.Background(func() {
		t := time.NewTicker(pause)
		defer t.Stop()
		for more := true; more; {
			select {
			case <-w.Ctx.Done():
				return
			case <-t.C:
			}
			again := make(chan bool, 1)
			w.OnUI(func() { again <- f() })
			select {
			case <-w.Ctx.Done():
				return
			case more = <-again:
			}
		}
	})
}

// Backend is the window's connection to the app. Its methods may be called from any goroutine and block until the app
// answers. Errors with a user message are *api.Error.
type Backend interface {
	wire.Caller
	// Agreed performs a on the project or folder at root, which the user has confirmed in this window. It returns when
	// the job has started or the deletion is done.
	Agreed(ctx context.Context, a api.Action, root string) error
	// Reporting returns a Caller that reports the progress of its calls to progress. total is 0 while it is unknown.
	Reporting(progress func(done, total int)) wire.Caller
}

func ofEditor(s wire.Session) bool { return s.Role != api.RoleWindow && s.Role != api.RoleTerminal }

type Desktop interface {
	Openers(ctx context.Context) ([]connect.Opener, error)
	// OpenFile opens path at line, or without a line if line is 0. opener is an opener's ID, OpenerDesktop, or
	// OpenerCommand followed by a command line. OpenFile waits briefly in case the program fails, and returns
	// ErrFileGone for a missing file.
	OpenFile(opener, path string, line int) error
	OpenPage(address string) error
	Reveal(path string) error
	Autostart() (on, ok bool)
	SetAutostart(on bool) error
	// Notify shows n with its buttons until ctx ends. It calls pressed with the pressed button, or with
	// present.NoticeGone if the user closes n. It reports whether the desktop supports notifications with buttons.
	Notify(ctx context.Context, n present.Notice, pressed func(button string)) bool
	Start(ctx context.Context) error

	Editors(ctx context.Context) ([]connect.Status, error)
	// Connect plans adding Search MCP to an editor's configuration, and Disconnect plans removing it.
	Connect(ctx context.Context, editor string) (Change, error)
	Disconnect(ctx context.Context, editor string) (Change, error)
	// Note plans adding the paragraph for assistants to a project or, if remove is set, removing it.
	Note(ctx context.Context, project, editor string, remove bool) ([]Change, error)
	Snippet(editor string) string
}

var ErrFileGone = errors.New("the file is gone")

type Change struct {
	Title string
	Run   []string
	File  string   // file to write, or ""
	Lines []string // diff of File with "- ", "+ " and, for context, two spaces
	After string   // the user's next step
	Empty bool
	// Apply makes the change and returns the path of the backup, or "".
	Apply func(ctx context.Context) (backup string, err error)
}

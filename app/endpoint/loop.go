package endpoint

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// serve runs the session until its peer closes, ctx ends or the connection fails.
func (s *session) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(s.srv.mcp.WithContext(ctx, s))
	defer cancel()
	if err := s.srv.mcp.RegisterSession(ctx, s); err != nil {
		s.close()
		return fmt.Errorf("register session: %w", err)
	}
	defer s.srv.mcp.UnregisterSession(context.WithoutCancel(ctx), s.id)

	var writer, handlers sync.WaitGroup
	writer.Go(s.write)
	stop := context.AfterFunc(ctx, s.close) // unblocks the reader
	err := s.read(ctx, &handlers)

	idle := make(chan struct{})
	go func() { handlers.Wait(); close(idle) }()
	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-idle:
	case <-grace.C:
	case <-s.done:
	}
	stop()
	cancel()
	<-idle
	s.drain(closeGrace)
	s.close()
	writer.Wait()
	s.background.Wait()
	return err
}

// read takes messages until the connection ends. It never waits for a handler: an answer that a handler waits for
// comes through here.
func (s *session) read(ctx context.Context, handlers *sync.WaitGroup) error {
	r := bufio.NewReaderSize(s.conn, 64<<10)
	workers := make(chan struct{}, maxWorkers)
	for {
		line, err := readLine(r, maxLine)
		switch {
		case errors.Is(err, errTooLong):
			s.trySend(fail(nil, mcp.INVALID_REQUEST, fmt.Sprintf("the message is longer than %d MB", maxLine>>20)))
			continue
		case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.Is(err, io.ErrClosedPipe), err != nil && ctx.Err() != nil:
			return nil // gone, or closed by the writer because it is
		case err != nil:
			return fmt.Errorf("read message: %w", err)
		case len(line) == 0:
			continue
		}
		s.take(ctx, handlers, workers, line)
	}
}

// take sorts one message. Errors are answered with trySend: a client that floods us with garbage and does not read
// must not stop its own reader, nor anybody else's.
func (s *session) take(ctx context.Context, handlers *sync.WaitGroup, workers chan struct{}, line []byte) {
	var f frame
	if line[0] == '[' {
		s.trySend(fail(nil, mcp.INVALID_REQUEST, "batches are not supported: send one message a line"))
		return
	}
	if err := json.Unmarshal(line, &f); err != nil {
		s.trySend(fail(nil, mcp.PARSE_ERROR, "the message is not a JSON-RPC object"))
		return
	}
	if f.hasID() && !f.validID() {
		s.trySend(fail(nil, mcp.INVALID_REQUEST, "an id must be a string or a number"))
		return
	}
	if f.Method == wire.MethodHello {
		s.welcome(&f)
		return
	}
	s.mu.Lock()
	s.started = true
	s.mu.Unlock()
	switch {
	case f.Method == "" && (f.Result != nil || f.Error != nil):
		// An answer to something we asked; HandleMessage would answer an error response with an error.
		if f.hasID() {
			s.deliver(&f)
		}
	case f.Method == "":
		s.trySend(fail(f.ID, mcp.INVALID_REQUEST, "a message needs a method"))
	case f.Method == string(mcp.MethodNotificationCancelled):
		s.cancelled(&f)
	case !f.hasID():
		if f.Method == string(mcp.MethodNotificationRootsListChanged) {
			s.forgetRoots()
		}
		if !wire.Private(f.Method) {
			s.srv.mcp.HandleMessage(ctx, line)
		}
	case f.Method == string(mcp.MethodInitialize):
		if err := s.send(s.handle(ctx, f.ID, line)); err != nil {
			s.srv.log.Debug("session gone while it was initialized", "session", s.id, "error", err)
		}
	default:
		s.start(ctx, handlers, workers, f, line)
	}
}

func (s *session) welcome(f *frame) {
	var h wire.Hello
	if err := json.Unmarshal(f.Params, &h); err != nil {
		s.trySend(fail(f.ID, mcp.INVALID_PARAMS, "the parameters of "+wire.MethodHello+" are malformed"))
		return
	}
	if err := s.greet(h); err != nil {
		s.trySend(fail(f.ID, mcp.INVALID_REQUEST, err.Error()))
		return
	}
	h = s.facts()
	if s.srv.opts.Met != nil && h.Version != s.srv.opts.Version {
		s.srv.log.Info("another version connects", "session", s.id, "role", h.Role, "version", shorten(visible(h.Version), maxClientName))
		s.srv.opts.Met(h.Version)
	}
	if h.Confirmed {
		s.srv.log.Info("a person confirmed beforehand at the terminal", "session", s.id, "pid", h.PID, "directory", h.Dir)
	}
	if f.hasID() {
		s.trySend(ok(f.ID, s.srv.welcome()))
	}
}

// cancelled marks a request as given up by the client, which then gets no response to it.
func (s *session) cancelled(f *frame) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(f.Params, &p) != nil {
		return // a notification has no answer
	}
	s.mu.Lock()
	in := s.inFlight[string(p.RequestID)]
	if in != nil {
		in.cancelled = true
	}
	s.mu.Unlock()
	if in != nil {
		in.cancel()
	}
}

// start serves a request in a goroutine of its own. Its cancel function is registered before start returns to the
// reader, so a cancellation that comes right behind the request finds it.
func (s *session) start(ctx context.Context, handlers *sync.WaitGroup, workers chan struct{}, f frame, line []byte) {
	ctx, cancel := context.WithCancel(ctx)
	in, err := s.register(string(f.ID), cancel)
	if err != nil {
		cancel()
		s.trySend(fail(f.ID, mcp.INVALID_REQUEST, err.Error()))
		return
	}
	m := f.meta()
	if m.modern() {
		s.mu.Lock()
		s.modern = true
		s.mu.Unlock()
	}
	handlers.Go(func() {
		defer cancel()
		answer := s.dispatch(ctx, workers, f, m, line)
		s.mu.Lock()
		delete(s.inFlight, string(f.ID))
		drop := in.cancelled
		s.mu.Unlock()
		if answer == nil || drop {
			return
		}
		if err := s.send(answer); err != nil {
			s.srv.log.Debug("answer not delivered", "session", s.id, "method", f.Method, "error", err)
		}
	})
}

func (s *session) register(id string, cancel context.CancelFunc) (*inFlight, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, duplicate := s.inFlight[id]; duplicate {
		return nil, errors.New("a request with this id is in flight")
	}
	if len(s.inFlight) >= maxInFlight {
		return nil, fmt.Errorf("too many requests in flight: at most %d", maxInFlight)
	}
	in := &inFlight{cancel: cancel}
	s.inFlight[id] = in
	return in, nil
}

// dispatch serves one request and returns what to answer.
func (s *session) dispatch(ctx context.Context, workers chan struct{}, f frame, m meta, line []byte) any {
	ctx = context.WithValue(ctx, tokenKey{}, m.ProgressToken)
	switch f.Method {
	case string(mcp.MethodSubscriptionsListen):
		return s.listen(ctx, f, line)
	case string(mcp.MethodToolsCall), string(mcp.MethodResourcesRead), string(mcp.MethodPromptsGet):
		if s.srv.isQuitting() {
			return failWith(f.ID, errQuitting)
		}
		slot := &slot{workers: workers}
		if !slot.take(ctx) {
			return nil
		}
		defer slot.release()
		ctx = context.WithValue(ctx, slotKey{}, slot)
		return s.handle(ctx, f.ID, line)
	}
	if wire.Private(f.Method) {
		return s.private(ctx, &f)
	}
	return s.handle(ctx, f.ID, line) // lists, ping, setLevel: cheap
}

// handle gives one request to mcp-go. A panic ends the request, not the session.
func (s *session) handle(ctx context.Context, id json.RawMessage, line []byte) (answer any) {
	defer func() {
		if p := recover(); p != nil {
			s.srv.log.Error("panic while serving a request", "session", s.id, "panic", p, "stack", string(debug.Stack()))
			answer = failWith(id, errInternal(nil))
		}
	}()
	refused := &refusal{}
	ctx = context.WithValue(ctx, refusalKey{}, refused)
	switch m := s.srv.mcp.HandleMessage(ctx, line).(type) {
	case nil:
		return nil
	case mcp.JSONRPCResponse:
		return ok(id, declared(m.Result))
	case mcp.JSONRPCError:
		f := fail(id, m.Error.Code, visible(m.Error.Message))
		f.Error.Data = m.Error.Data
		if refused.code != 0 {
			f.Error.Code, f.Error.Data = refused.code, refused.data
		}
		return f
	default:
		return m
	}
}

// errInternal is for what is a mistake of ours; the cause goes to the log, not to the client.
func errInternal(cause error) *api.Error {
	return api.New(api.Internal, "Something went wrong inside Search MCP. Its log has the details.",
		"unexpected error, see the log of the app", cause)
}

var errQuitting = api.New(api.ShuttingDown, "Search MCP is closing. Try again once it has been started.",
	"the app is shutting down", nil)

type (
	slotKey    struct{}
	tokenKey   struct{}
	refusalKey struct{}
)

// refusal is the JSON-RPC code and data that a handler wants for its error: the library makes every error of a handler an
// internal one. Code 0 leaves it at that. It belongs to one request and is written before the handler returns.
type refusal struct {
	code int
	data any
}

// refuse sets the code and data of the error that the request in ctx ends with.
func refuse(ctx context.Context, code int, data any) {
	if r, ok := ctx.Value(refusalKey{}).(*refusal); ok {
		r.code, r.data = code, data
	}
}

// slot is one of a session's places for requests that work. It is given back while a request only waits, for a
// person or for a job, so that waiting requests don't block others.
type slot struct {
	workers chan struct{}
	once    sync.Once
}

func (w *slot) take(ctx context.Context) bool {
	select {
	case w.workers <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (w *slot) release() { w.once.Do(func() { <-w.workers }) }

// releaseSlot gives the slot of the request in ctx back for good.
func releaseSlot(ctx context.Context) {
	if w, held := ctx.Value(slotKey{}).(*slot); held {
		w.release()
	}
}

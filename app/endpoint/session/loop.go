package session

import (
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
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
)

// Serve runs the session until its peer closes, ctx ends or the connection fails.
func (s *Session) Serve(ctx context.Context) error {
	ctx = server.WithSupportedProtocolVersions(s.o.MCP.WithContext(ctx, s), offered)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := s.o.MCP.RegisterSession(ctx, s); err != nil {
		s.close()
		return fmt.Errorf("register session: %w", err)
	}
	defer s.o.MCP.UnregisterSession(context.WithoutCancel(ctx), s.id)

	var writer, handlers sync.WaitGroup
	writer.Go(s.write)
	stop := context.AfterFunc(ctx, s.close) // unblocks the reader
	silent := time.AfterFunc(silentTime, s.endSilent)
	defer silent.Stop()
	err := s.read(ctx, &handlers)

	idle := make(chan struct{})
	go func() { handlers.Wait(); close(idle) }()
	grace := time.NewTimer(CloseGrace)
	defer grace.Stop()
	select {
	case <-idle:
	case <-grace.C:
	case <-s.done:
	}
	stop()
	cancel()
	<-idle
	s.Drain(CloseGrace)
	s.close()
	writer.Wait()
	s.background.Wait()
	return err
}

// read dispatches messages until the connection ends. It never waits for a handler, because answers for handlers arrive
// here.
func (s *Session) read(ctx context.Context, handlers *sync.WaitGroup) error {
	r := jsonrpc.NewReader(s.conn, maxLine)
	workers := make(chan struct{}, maxWorkers)
	for {
		line, err := r.ReadLine()
		var long *jsonrpc.TooLongError
		switch {
		case errors.As(err, &long):
			s.trySend(jsonrpc.Failure(nil, jsonrpc.InvalidRequest, fmt.Sprintf("the message is longer than %d MB", maxLine>>20)))
			continue
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
			errors.Is(err, io.ErrClosedPipe), err != nil && ctx.Err() != nil:
			return nil // closed by the peer or the writer
		case err != nil:
			return fmt.Errorf("read message: %w", err)
		case len(line) == 0:
			continue
		}
		s.take(ctx, handlers, workers, line)
	}
}

// take dispatches one message. Errors are sent with trySend: a client that sends garbage and does not read must not
// block its reader.
func (s *Session) take(ctx context.Context, handlers *sync.WaitGroup, workers chan struct{}, line []byte) {
	m, err := jsonrpc.Parse(line)
	var bad *jsonrpc.Error
	if errors.As(err, &bad) {
		s.trySend(jsonrpc.Failure(m.ID, bad.Code, bad.Message))
		return
	}
	if m.Method == string(wire.MethodHello) {
		s.welcome(&m)
		return
	}
	s.mu.Lock()
	s.started = true
	s.mu.Unlock()
	switch {
	case m.IsAnswer():
		s.asked.Answer(m) // HandleMessage would answer an error with an error
	case m.Method == string(mcp.MethodNotificationCancelled):
		s.serving.Cancel(jsonrpc.Cancelled(m.Params))
	case m.IsNotification():
		if m.Method == string(mcp.MethodNotificationRootsListChanged) {
			s.forgetRoots()
		}
		if !wire.Private(m.Method) {
			s.o.MCP.HandleMessage(ctx, line)
		}
	case m.Method == string(mcp.MethodInitialize):
		if err := s.send(s.handle(ctx, negotiable(&m))); err != nil {
			s.o.Log.Debug("session gone while it was initialized", "session", s.id, "err", err)
		}
	default:
		s.start(ctx, handlers, workers, &m)
	}
}

func (s *Session) welcome(m *jsonrpc.Message) {
	var h wire.Hello
	if err := json.Unmarshal(m.Params, &h); err != nil {
		s.trySend(jsonrpc.Failure(m.ID, jsonrpc.InvalidParams, "the parameters of "+m.Method+" are malformed"))
		return
	}
	if err := s.greet(h); err != nil {
		s.trySend(jsonrpc.Failure(m.ID, jsonrpc.InvalidRequest, err.Error()))
		return
	}
	welcome := s.o.Welcome(s)
	if m.IsRequest() {
		s.trySend(jsonrpc.Result(m.ID, welcome))
	}
}

// start serves a request in its own goroutine.
func (s *Session) start(ctx context.Context, handlers *sync.WaitGroup, workers chan struct{}, m *jsonrpc.Message) {
	ctx, err := s.serving.Begin(ctx, m.ID)
	if err != nil {
		s.trySend(jsonrpc.Failure(m.ID, jsonrpc.InvalidRequest, err.Error()))
		return
	}
	meta := metaOf(m.Params)
	if meta.modern() {
		s.mu.Lock()
		s.modern = true
		s.mu.Unlock()
	}
	handlers.Go(func() {
		answer := s.dispatch(ctx, workers, m, meta)
		cancelled := s.serving.End(m.ID)
		if answer == nil || cancelled {
			return
		}
		if err := s.send(answer); err != nil {
			s.o.Log.Debug("answer not delivered", "session", s.id, "method", m.Method, "err", err)
		}
	})
}

// dispatch serves one request and returns the answer.
func (s *Session) dispatch(ctx context.Context, workers chan struct{}, m *jsonrpc.Message, meta meta) any {
	ctx = context.WithValue(ctx, tokenKey{}, meta.ProgressToken)
	switch m.Method {
	case string(mcp.MethodSubscriptionsListen):
		return s.listen(ctx, m)
	case string(mcp.MethodToolsCall), string(mcp.MethodResourcesRead), string(mcp.MethodPromptsGet):
		if s.o.Quitting() {
			return Failure(m.ID, ErrQuitting)
		}
		slot := &slot{workers: workers}
		if !slot.take(ctx) {
			return nil
		}
		defer slot.release()
		ctx = context.WithValue(ctx, slotKey{}, slot)
		return s.handle(ctx, m)
	}
	if wire.Private(m.Method) {
		return s.o.Private(ctx, s, m)
	}
	return s.handle(ctx, m) // lists, ping and setLevel are cheap
}

// handle passes one request to mcp-go. A panic ends the request, not the session.
func (s *Session) handle(ctx context.Context, m *jsonrpc.Message) (answer any) {
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.Error("panic while serving a request", "session", s.id, "panic", p, "stack", string(debug.Stack()))
			answer = Failure(m.ID, ErrInternal(nil))
		}
	}()
	refused := &refusal{}
	ctx = context.WithValue(ctx, refusalKey{}, refused)
	ctx = context.WithValue(ctx, paramsKey{}, m.Params)
	switch r := s.o.MCP.HandleMessage(ctx, m.Raw).(type) {
	case nil:
		return nil
	case mcp.JSONRPCResponse:
		return jsonrpc.Result(m.ID, declared(r.Result))
	case mcp.JSONRPCError:
		code, data := r.Error.Code, r.Error.Data
		if refused.code != 0 {
			code, data = refused.code, refused.data
		}
		f := jsonrpc.Failure(m.ID, code, display.Visible(r.Error.Message))
		if data != nil {
			f = f.WithData(data)
		}
		return f
	default:
		return r
	}
}

type (
	slotKey    struct{}
	tokenKey   struct{}
	refusalKey struct{}
)

// refusal is the JSON-RPC code and data of a handler's error. It is needed because the library reports every handler
// error as internal, as does code 0. It belongs to one request and is written before the handler returns.
type refusal struct {
	code int
	data any
}

// Refuse sets the code and data of the error of the request in ctx.
func Refuse(ctx context.Context, code int, data any) {
	if r, ok := ctx.Value(refusalKey{}).(*refusal); ok {
		r.code, r.data = code, data
	}
}

// slot limits a session's concurrent requests. It is released while a request waits for the user or a job, so that
// waiting requests don't block others.
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

// Yield releases the slot of the request in ctx permanently, before the request waits for the user or a job.
func Yield(ctx context.Context) {
	if w, held := ctx.Value(slotKey{}).(*slot); held {
		w.release()
	}
}

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
	stop := context.AfterFunc(ctx, s.close)       // stops the read
	silent := time.AfterFunc(silentTime, func() { // unused connections also count towards maxSessions
		if !s.now().started {
			s.close()
		}
	})
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

// read reads messages until the connection is closed. It never waits for a handler, which may itself wait for a
// message.
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
			return nil // the peer or the writer has closed the connection
		case err != nil:
			return fmt.Errorf("read message: %w", err)
		case len(line) == 0:
			continue
		}
		s.take(ctx, handlers, workers, line)
	}
}

// take serves a message. It sends errors with trySend, so that a client that doesn't read never blocks the reader.
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
	s.update(func(st *state) { st.started = true })
	switch {
	case m.IsAnswer():
		s.asked.Answer(m) // mcp-go does not accept answers
	case m.Method == string(mcp.MethodNotificationCancelled):
		s.serving.Cancel(jsonrpc.Cancelled(m.Params))
	case m.IsNotification():
		if m.Method == string(mcp.MethodNotificationRootsListChanged) {
			s.update(func(st *state) { st.roots = rootsCache{epoch: st.roots.epoch + 1} })
		}
		if !wire.Private(m.Method) {
			s.o.MCP.HandleMessage(ctx, line)
		}
	case m.Method == string(mcp.MethodInitialize):
		if err := s.send(s.handle(ctx, negotiable(&m))); err != nil {
			s.o.Log.Debug("the session ended while it was initialized", "session", s.id, "err", err)
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

func (s *Session) start(ctx context.Context, handlers *sync.WaitGroup, workers chan struct{}, m *jsonrpc.Message) {
	ctx, err := s.serving.Begin(ctx, m.ID)
	if err != nil {
		s.trySend(jsonrpc.Failure(m.ID, jsonrpc.InvalidRequest, err.Error()))
		return
	}
	r := &request{params: paramsOf(m.Params)}
	ctx = context.WithValue(ctx, requestKey{}, r)
	if mcp.IsModernProtocol(r.Meta.Version) {
		s.update(func(st *state) { st.modern = true })
	}
	handlers.Go(func() {
		answer := s.dispatch(ctx, workers, m, r)
		cancelled := s.serving.End(m.ID)
		if answer == nil || cancelled {
			return
		}
		if err := s.send(answer); err != nil {
			s.o.Log.Debug("answer not delivered", "session", s.id, "method", m.Method, "err", err)
		}
	})
}

func (s *Session) dispatch(ctx context.Context, workers chan struct{}, m *jsonrpc.Message, r *request) any {
	switch m.Method {
	case string(mcp.MethodSubscriptionsListen):
		return s.listen(ctx, m)
	case string(mcp.MethodToolsCall), string(mcp.MethodResourcesRead):
		if s.o.Quitting() {
			return Failure(m.ID, ErrQuitting)
		}
		if !r.take(ctx, workers) {
			return nil
		}
		defer r.release()
		return s.handle(ctx, m)
	}
	if wire.Private(m.Method) {
		return s.o.Private(ctx, s, m)
	}
	return s.handle(ctx, m) // lists and pings do not count as running requests
}

// handle passes a request to mcp-go and returns the answer. If mcp-go panics, only this request fails.
func (s *Session) handle(ctx context.Context, m *jsonrpc.Message) (answer any) {
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.Error("panic while serving a request", "session", s.id, "panic", p, "stack", string(debug.Stack()))
			answer = Failure(m.ID, ErrInternal(nil))
		}
	}()
	switch r := s.o.MCP.HandleMessage(ctx, m.Raw).(type) {
	case nil:
		return nil
	case mcp.JSONRPCResponse:
		if m.Method == string(mcp.MethodInitialize) || m.Method == string(mcp.MethodServerDiscover) {
			return jsonrpc.Result(m.ID, explicit(r.Result))
		}
		return jsonrpc.Result(m.ID, r.Result)
	case mcp.JSONRPCError:
		code, data := r.Error.Code, r.Error.Data
		if own := requestOf(ctx); own.code != 0 {
			code, data = own.code, own.data
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

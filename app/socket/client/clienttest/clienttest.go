// Package clienttest is a fake app on the real socket of a data folder. It answers Hello, initialize and ping, and
// passes other requests to a Handler. Each connection and request has a goroutine. Close waits for all of them.
package clienttest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net"
	"os"
	"slices"
	"sync"

	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

type Message struct {
	jsonrpc.Message
	Conn *Conn
}

func (m *Message) Decode(v any) error { return json.Unmarshal(m.Params, v) }

// ErrNoAnswer is returned by a Handler to leave the request unanswered.
var ErrNoAnswer = errors.New("no answer")

type Handler func(ctx context.Context, m *Message) (result any, err error)

type App struct {
	handle  Handler
	ln      net.Listener
	workers sync.WaitGroup

	mu       sync.Mutex
	cond     sync.Cond
	conns    map[*Conn]bool
	messages []*Message
	closed   bool
}

type Conn struct {
	app  *App
	conn net.Conn

	ctx     context.Context // ends when the connection is closed
	end     context.CancelFunc
	asked   jsonrpc.Calls
	serving jsonrpc.Serving
}

// Start starts a fake app that listens at the address of dataDir. handle may be nil.
func Start(dataDir string, handle Handler) (*App, error) {
	address, err := ipc.Address(dataDir)
	if err != nil {
		return nil, err
	}
	ln, err := ipc.Listen(address)
	if err != nil {
		return nil, err
	}
	a := &App{handle: handle, ln: ln, conns: map[*Conn]bool{}}
	a.cond.L = &a.mu
	a.workers.Go(a.accept)
	return a, nil
}

func (a *App) accept() {
	for {
		conn, err := a.ln.Accept()
		if err != nil {
			return
		}
		c := &Conn{app: a, conn: conn, asked: jsonrpc.Calls{Prefix: "srv-"}}
		c.ctx, c.end = context.WithCancel(context.Background())
		a.mu.Lock()
		a.conns[c] = true
		closed := a.closed
		a.mu.Unlock()
		if closed {
			conn.Close()
		}
		a.workers.Go(c.read)
	}
}

// Close closes the listener and all connections without notice, like a crash, and waits for the goroutines.
func (a *App) Close() {
	a.mu.Lock()
	a.closed = true
	for c := range a.conns {
		c.conn.Close()
	}
	a.cond.Broadcast()
	a.mu.Unlock()
	a.ln.Close()
	a.workers.Wait()
}

// Quit notifies all clients that the app is shutting down and then closes the app.
func (a *App) Quit(q wire.Quitting) error {
	a.mu.Lock()
	conns := slices.Collect(maps.Keys(a.conns))
	a.mu.Unlock()
	for _, c := range conns {
		if err := c.Notify(wire.NotifyQuit, q); err != nil {
			return err
		}
	}
	a.Close()
	return nil
}

// Got waits for a message with the given method and returns the first such message. If the app is closed first, it
// returns an error.
func (a *App) Got(method string) (*Message, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		if i := slices.IndexFunc(a.messages, func(m *Message) bool { return m.Method == method }); i >= 0 {
			return a.messages[i], nil
		}
		if a.closed {
			return nil, errors.New("the app is closed")
		}
		a.cond.Wait()
	}
}

func (a *App) Methods() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var methods []string
	for _, m := range a.messages {
		if m.Method != "" {
			methods = append(methods, m.Method)
		}
	}
	return methods
}

func (c *Conn) read() {
	defer func() {
		c.conn.Close()
		c.app.mu.Lock()
		delete(c.app.conns, c)
		c.app.mu.Unlock()
		c.end()
	}()
	r := jsonrpc.NewReader(c.conn, math.MaxInt)
	for {
		line, err := r.ReadLine()
		if err != nil {
			return
		}
		parsed, err := jsonrpc.Parse(line)
		if err != nil {
			return
		}
		m := &Message{Message: parsed, Conn: c}
		serve := c.take(m)
		c.app.mu.Lock()
		c.app.messages = append(c.app.messages, m)
		c.app.cond.Broadcast()
		c.app.mu.Unlock()
		if serve != nil {
			c.app.workers.Go(serve)
		}
	}
}

// take processes m and returns a function that answers m, or nil. The caller first records m for Got.
func (c *Conn) take(m *Message) (serve func()) {
	switch {
	case m.IsAnswer():
		c.asked.Answer(m.Message)
	case m.Method == "notifications/cancelled":
		c.serving.Cancel(jsonrpc.Cancelled(m.Params))
	case m.IsRequest():
		ctx, err := c.serving.Begin(c.ctx, m.ID)
		if err != nil {
			c.answer(m.ID, nil, err)
			return nil
		}
		serve = func() {
			result, err := c.serve(ctx, m)
			gone := ctx.Err() != nil
			c.serving.End(m.ID)
			if gone || errors.Is(err, ErrNoAnswer) {
				return
			}
			c.answer(m.ID, result, err)
		}
		if m.Method == "initialize" || m.Method == string(wire.MethodHello) {
			serve()
			return nil
		}
	}
	return serve
}

func (c *Conn) serve(ctx context.Context, m *Message) (any, error) {
	if c.app.handle != nil {
		result, err := c.app.handle(ctx, m)
		if result != nil || err != nil {
			return result, err
		}
	}
	switch m.Method {
	case string(wire.MethodHello):
		return wire.Welcome{Version: "test", PID: os.Getpid()}, nil
	case "initialize":
		return map[string]any{
			"protocolVersion": "2025-11-25", "serverInfo": map[string]any{"name": "test", "version": "1"},
			"capabilities": map[string]any{"tools": map[string]any{"listChanged": true}},
		}, nil
	case "ping":
		return map[string]any{}, nil
	}
	return nil, errors.New("unknown method " + m.Method)
}

func (c *Conn) answer(id json.RawMessage, result any, err error) {
	reply := jsonrpc.Result(id, result)
	if known := new(api.Error); errors.As(err, &known) {
		reply = jsonrpc.Failure(id, jsonrpc.ServerError, known.UserMessage).WithData(known)
	} else if err != nil {
		reply = jsonrpc.Failure(id, jsonrpc.InternalError, err.Error())
	}
	_ = c.Send(reply) // fails if the client has disconnected
}

func (c *Conn) Send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.conn.Write(append(line, '\n'))
	return err
}

func (c *Conn) Notify(method string, params any) error {
	return c.Send(jsonrpc.Notification(method, params))
}

func (c *Conn) Ask(ctx context.Context, method string, params any) (*Message, error) {
	id, answer := c.asked.Open()
	defer c.asked.Close(id)
	if err := c.Send(jsonrpc.Request(id, method, params)); err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		return &Message{Message: m, Conn: c}, nil
	case <-c.ctx.Done():
		return nil, net.ErrClosed
	case <-ctx.Done():
		err := c.Notify("notifications/cancelled", map[string]any{"requestId": id})
		return nil, errors.Join(ctx.Err(), err)
	}
}

func Text(v any) any {
	text := must(json.Marshal(v))
	return map[string]any{"content": []any{map[string]any{"type": "text", "text": string(text)}}, "structuredContent": v}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Main is the main function of a fake app, which runs until a client sends MethodQuit.
func Main(handle Handler) {
	dir := must(ipc.DataDir())
	in := must(ipc.Lock(dir))
	quit := make(chan struct{})
	once := sync.OnceFunc(func() { close(quit) })
	a := must(Start(dir, func(ctx context.Context, m *Message) (any, error) {
		switch {
		case m.Method == string(wire.MethodQuit):
			once()
			return wire.Empty{}, nil
		case handle == nil:
			return nil, nil
		}
		return handle(ctx, m)
	}))
	<-quit
	if err := errors.Join(a.Quit(wire.Quitting{ByUser: true}), in.Unlock()); err != nil {
		panic(err)
	}
}

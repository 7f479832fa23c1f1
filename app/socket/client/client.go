package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/engine/api"
)

// ProtocolVersion is the newest MCP revision that begins with a handshake.
const ProtocolVersion = "2025-11-25"

const (
	maxLine          = 64 << 20 // far more than api.MaxResult
	writeTimeout     = 30 * time.Second
	handshakeTimeout = 10 * time.Second
)

// Options configures a Client. The functions may be nil. The reading goroutine calls them, except Elicit. They must not
// block or call the Client.
type Options struct {
	DataDir string
	Hello   wire.Hello // Open fills in Version and PID
	Name    string     // clientInfo.name in initialize
	// Launcher starts the app if necessary. If it is nil, the app must already run.
	Launcher *Launcher

	// Elicit shows a form to the user and returns the answer. It has its own goroutine. ctx ends when the app withdraws
	// the form.
	Elicit   func(ctx context.Context, e Elicitation) (ElicitResult, error)
	Event    func(api.Event)
	Raise    func(wire.Show)
	Quitting func(wire.Quitting)

	Log *slog.Logger
}

// Client is a connection to the app. Its methods may be called from any goroutine.
type Client struct {
	opts    Options
	conn    net.Conn
	log     *slog.Logger
	welcome wire.Welcome
	greeted bool

	done    chan struct{}
	workers sync.WaitGroup
	stop    context.CancelFunc
	calls   jsonrpc.Calls
	asked   jsonrpc.Serving // forms that the user is answering

	mu       sync.Mutex
	progress map[string]func(ToolProgress)
	err      error
}

// ErrHung means that the app did not answer a ping or the handshake in time.
var ErrHung = errors.New("Search MCP does not respond")

// ErrClosed means that the connection was closed. It wraps the cause.
var ErrClosed = errors.New("the connection to Search MCP has ended")

// Connect connects to the app, and performs the handshakes of wire (Hello) and MCP (initialize). If o.Launcher is set,
// it starts the app if necessary.
func Connect(ctx context.Context, o Options) (*Client, error) {
	for again := o.Launcher != nil; ; again = false {
		conn, err := o.Launcher.Dial(ctx, o.DataDir)
		if err != nil {
			return nil, fmt.Errorf("connect to Search MCP: %w", err)
		}
		c, err := Open(ctx, conn, o)
		if err == nil {
			return c, nil
		}
		if !again || !errors.Is(err, ErrClosed) {
			return nil, fmt.Errorf("connect to Search MCP: %w", err)
		}
	}
}

// Open performs the handshakes of wire (Hello) and MCP (initialize) on conn. It closes conn if they fail.
func Open(ctx context.Context, conn net.Conn, o Options) (*Client, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Hello.Version = version.Version
	if o.Hello.PID == 0 {
		o.Hello.PID = os.Getpid()
	}
	life, stop := context.WithCancel(context.Background())
	c := &Client{
		opts: o, conn: conn, log: o.Log, stop: stop, done: make(chan struct{}),
		progress: map[string]func(ToolProgress){},
	}
	c.workers.Go(func() { c.end(c.read(life)) })
	if err := c.greet(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Client) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, handshakeTimeout, ErrHung)
	defer cancel()
	var err error
	if c.welcome, err = wire.MethodHello.Call(ctx, c, c.opts.Hello); err != nil {
		return err
	}
	capabilities := map[string]any{}
	if c.opts.Elicit != nil {
		capabilities["elicitation"] = map[string]any{"form": map[string]any{}}
	}
	params := map[string]any{
		"protocolVersion": ProtocolVersion,
		"capabilities":    capabilities,
		"clientInfo":      map[string]string{"name": c.opts.Name, "version": version.Version},
	}
	if err := c.Call(ctx, "initialize", params, nil); err != nil {
		return err
	}
	c.greeted = true
	return c.notify("notifications/initialized", nil)
}

func (c *Client) Welcome() wire.Welcome { return c.welcome }

func (c *Client) Done() <-chan struct{} { return c.done }

func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *Client) Close() error {
	c.end(net.ErrClosed)
	c.workers.Wait()
	return nil
}

func (c *Client) end(cause error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = fmt.Errorf("%w: %w", ErrClosed, cause)
	close(c.done)
	c.mu.Unlock()
	c.stop()
	if err := c.conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		c.log.Debug("close connection", "err", err)
	}
}

// RPCError is an error from the app. It unwraps to the *api.Error in its data.
type RPCError jsonrpc.Error

func (e *RPCError) Error() string { return e.Message }

func (e *RPCError) Unwrap() error {
	var inner api.Error
	if len(e.Data) == 0 || json.Unmarshal(e.Data, &inner) != nil || inner.Code == "" {
		return nil
	}
	return &inner
}

// Call sends a request and decodes the answer into result, unless result is nil. Ending ctx cancels the request.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	return Reporting{Client: c}.Call(ctx, method, params, result)
}

// Reporting is a Client that reports the progress of its calls. The reading goroutine calls Progress.
type Reporting struct {
	*Client
	Progress func(ToolProgress)
}

func (r Reporting) Call(ctx context.Context, method string, params, result any) error {
	if err := r.call(ctx, method, params, result, "", r.Progress); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

func (c *Client) call(
	ctx context.Context, method string, params, result any, consent api.Answer, progress func(ToolProgress),
) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	id, answer := c.calls.Open()
	defer c.calls.Close(id)
	meta := map[string]any{}
	if consent != "" {
		meta[wire.MetaConsent] = consent
	}
	if progress != nil {
		meta["progressToken"] = id
		c.mu.Lock()
		c.progress[string(id)] = progress
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			delete(c.progress, string(id))
			c.mu.Unlock()
		}()
	}
	if len(meta) > 0 {
		var err error
		if params, err = withMeta(params, meta); err != nil {
			return fmt.Errorf("encode parameters: %w", err)
		}
	}
	if err := c.write(jsonrpc.Request(id, method, params)); err != nil {
		return err
	}
	if c.greeted && method != methodPing {
		watched, stop := context.WithCancel(ctx)
		defer stop()
		c.workers.Go(func() { c.watch(watched) })
	}
	select {
	case m := <-answer:
		return decode(m, result)
	case <-ctx.Done():
		err := c.notify("notifications/cancelled", map[string]any{"requestId": id, "reason": "no longer needed"})
		return errors.Join(context.Cause(ctx), err)
	case <-c.done:
		select {
		case m := <-answer: // the answer arrived before the disconnect
			return decode(m, result)
		default:
			return c.Err()
		}
	}
}

const methodPing = "ping"

func (c *Client) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wire.PingPause):
		}
		answered, cancel := context.WithTimeoutCause(ctx, wire.PingTime, ErrHung)
		err := c.call(answered, methodPing, nil, nil, "", nil)
		cancel()
		if errors.Is(err, ErrHung) {
			c.end(ErrHung)
			return
		}
	}
}

func decode(m jsonrpc.Message, result any) error {
	if m.Error != nil {
		return (*RPCError)(m.Error)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		return fmt.Errorf("decode result: %w", err)
	}
	return nil
}

func (c *Client) notify(method string, params any) error {
	return c.write(jsonrpc.Notification(method, params))
}

func (c *Client) write(e jsonrpc.Envelope) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	if err := c.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	if _, err := c.conn.Write(append(line, '\n')); err != nil {
		c.end(fmt.Errorf("write: %w", err))
		return c.Err()
	}
	return nil
}

func (c *Client) read(ctx context.Context) error {
	r := jsonrpc.NewReader(c.conn, maxLine)
	for {
		line, err := r.ReadLine()
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		m, err := jsonrpc.Parse(line)
		switch {
		case err != nil:
			return fmt.Errorf("the app sent no JSON-RPC: %w", err)
		case m.IsAnswer():
			c.calls.Answer(m)
		case m.IsRequest():
			c.serve(ctx, &m)
		default:
			c.hear(&m)
		}
	}
}

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

	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/engine/api"
)

// ProtocolVersion is the newest MCP revision with a handshake, sessions and server-to-client requests.
const ProtocolVersion = "2025-11-25"

const (
	// maxLine limits the bytes of one message from the app. It is far above the longest result (api.MaxResult).
	maxLine = 64 << 20
	// writeTimeout limits how long the app may leave our messages unread.
	writeTimeout     = 30 * time.Second
	handshakeTimeout = 10 * time.Second
)

// Options configures a Client. Its functions may be nil. Except for Elicit, the reading goroutine calls them, so they
// must return soon and not call the Client.
type Options struct {
	DataDir string
	Hello   wire.Hello // Open fills in Version and PID
	Name    string     // clientInfo.name in initialize
	// Launcher starts the app. If it is nil and the app doesn't run, Connect returns ipc.ErrNotListening.
	Launcher *Launcher

	// Elicit shows a form to the user, in its own goroutine. ctx ends when the app withdraws the form.
	Elicit func(ctx context.Context, e Elicitation) (ElicitResult, error)
	// Event receives the app's events after Subscribe.
	Event func(api.Event)
	// Raise asks a connected window to move to the front.
	Raise func(wire.Show)
	// Quitting reports that the app is about to end, and why.
	Quitting func(wire.Quitting)

	Log *slog.Logger // nil disables logging
}

// Client is one connection to the app. Its methods may be called from any goroutine.
type Client struct {
	opts    Options
	conn    net.Conn
	log     *slog.Logger
	welcome wire.Welcome
	greeted bool // the handshakes are done

	done    chan struct{}
	workers sync.WaitGroup // reader and elicitations
	stop    context.CancelFunc
	calls   jsonrpc.Calls
	asked   jsonrpc.Serving // forms that the user is answering

	mu       sync.Mutex
	progress map[string]func(ToolProgress) // by progress token
	err      error                         // nil while open
}

// ErrHung means that the app answered neither a ping nor a call, or not the handshake.
var ErrHung = errors.New("Search MCP does not respond")

// ErrClosed is returned by calls after the connection has ended. It is wrapped together with the cause.
var ErrClosed = errors.New("the connection to Search MCP has ended")

// Connect dials the app and performs both handshakes. If o.Launcher is set, it starts the app if necessary, and dials
// once more if an app that is ending hangs up.
func Connect(ctx context.Context, o Options) (*Client, error) {
	for again := o.Launcher != nil; ; again = false {
		conn, err := dial(ctx, o)
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

func dial(ctx context.Context, o Options) (net.Conn, error) {
	if o.Launcher != nil {
		return o.Launcher.Dial(ctx, o.DataDir)
	}
	address, err := ipc.Address(o.DataDir)
	if err != nil {
		return nil, err
	}
	return ipc.Dial(ctx, address)
}

// Open performs the handshakes on conn. It closes conn if they fail.
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

// Welcome returns the app's Welcome.
func (c *Client) Welcome() wire.Welcome { return c.welcome }

// Done is closed at the end of the connection.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err returns why the connection ended, or nil while it is open.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection and waits for its goroutines.
func (c *Client) Close() error {
	c.end(net.ErrClosed)
	c.workers.Wait()
	return nil
}

// end ends the connection. Only the cause of the first call is recorded.
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

// RPCError is a JSON-RPC error. Unwrap returns the *api.Error in its data, if any.
type RPCError jsonrpc.Error

func (e *RPCError) Error() string { return e.Message }

// Unwrap returns the engine's error from e.Data, or nil.
func (e *RPCError) Unwrap() error {
	var inner api.Error
	if len(e.Data) == 0 || json.Unmarshal(e.Data, &inner) != nil || inner.Code == "" {
		return nil
	}
	return &inner
}

// Call sends a request and decodes its answer into result unless result is nil. It cancels the request if ctx ends
// first.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	return Reporting{Client: c}.Call(ctx, method, params, result)
}

// Reporting is a Client that reports the progress of its calls. The reading goroutine calls Progress.
type Reporting struct {
	*Client
	Progress func(ToolProgress)
}

func (r Reporting) Call(ctx context.Context, method string, params, result any) error {
	if err := r.call(ctx, method, params, result, callMeta{}, r.Progress); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// call implements Call. It also sends meta in the parameters, and calls progress for the request's notifications.
func (c *Client) call(
	ctx context.Context, method string, params, result any, meta callMeta, progress func(ToolProgress),
) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	id, answer := c.calls.Open()
	defer c.calls.Close(id)
	if progress != nil {
		meta.ProgressToken = id
		c.mu.Lock()
		c.progress[string(id)] = progress
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			delete(c.progress, string(id))
			c.mu.Unlock()
		}()
	}
	if meta.ProgressToken != nil || meta.Consent != "" {
		var err error
		if params, err = meta.with(params); err != nil {
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
		case m := <-answer: // the answer arrived just before the end
			return decode(m, result)
		default:
			return c.Err()
		}
	}
}

const methodPing = "ping"

// watch ends the connection if the app does not answer a ping before ctx ends.
func (c *Client) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wire.PingPause):
		}
		answered, cancel := context.WithTimeoutCause(ctx, wire.PingTime, ErrHung)
		err := c.call(answered, methodPing, nil, nil, callMeta{}, nil)
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

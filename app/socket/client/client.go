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

// ProtocolVersion is the newest revision of MCP with a handshake, sessions and requests of the server to the client.
const ProtocolVersion = "2025-11-25"

const (
	// maxLine bounds one message of the app: far above any result (api.MaxResult) and any list of projects.
	maxLine = 64 << 20
	// writeTimeout is how long the app may leave our messages unread before it counts as gone.
	writeTimeout = 30 * time.Second
	// handshakeTimeout bounds Hello and initialize; the app answers them before it opens anything.
	handshakeTimeout = 10 * time.Second
)

// Options say who connects and what the app may ask of it. The functions are called from the reading goroutine unless
// said otherwise: they return soon and do not call the Client. Nil functions are left out.
type Options struct {
	DataDir string
	Hello   wire.Hello // Version and PID are filled in
	Name    string     // clientInfo.name
	// Launcher starts the app if nobody listens; nil means ErrNotListening instead.
	Launcher *Launcher

	// Elicit puts a form of the app to a person, in a goroutine of its own. ctx ends when the app withdraws the question
	// or the connection ends. Nil: the client does not declare elicitation.
	Elicit func(ctx context.Context, e Elicitation) (ElicitResult, error)
	// Event receives the app's events after Subscribe.
	Event func(api.Event)
	// Raise asks a connected window to come to the front.
	Raise func(wire.Show)
	// Quitting says that the app is about to go, and why.
	Quitting func(wire.Quitting)

	Log *slog.Logger // nil: none
}

// Client is one connection to the app. Its methods may be called from any goroutine.
type Client struct {
	opts    Options
	conn    net.Conn
	log     *slog.Logger
	welcome wire.Welcome

	done    chan struct{}
	workers sync.WaitGroup // reader and elicitations
	stop    context.CancelFunc
	calls   jsonrpc.Calls
	asked   jsonrpc.Serving // forms of the app that a person is answering

	mu       sync.Mutex
	progress map[string]func(ToolProgress) // of the calls that want it, by token
	err      error                         // why the connection ended
}

// ErrClosed is returned by calls on a connection that has ended; the cause is wrapped with it.
var ErrClosed = errors.New("the connection to Search MCP has ended")

// Connect dials the app, starting it if the options say so, and does both handshakes. An app that hangs up before the
// first word was about to go (or is one of Wine's pipes: see ipc.Listen); where it may be started it is dialled again,
// once.
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

// Open does the handshakes on a connection and owns it from then on, also if it fails.
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
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
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
	return c.notify("notifications/initialized", nil)
}

// Welcome is what the app said of itself.
func (c *Client) Welcome() wire.Welcome { return c.welcome }

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err tells why the connection ended, nil while it has not.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection and waits for the goroutines.
func (c *Client) Close() error {
	c.end(net.ErrClosed)
	c.workers.Wait()
	return nil
}

// end is the one way a connection ends; the first cause counts.
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

// RPCError is a JSON-RPC error. Unwrap gives the *api.Error it carries, if it does.
type RPCError jsonrpc.Error

// Error returns the app's message.
func (e *RPCError) Error() string { return e.Message }

// Unwrap makes errors.As find the error of the engine that travelled in data.
func (e *RPCError) Unwrap() error {
	var inner api.Error
	if len(e.Data) == 0 || json.Unmarshal(e.Data, &inner) != nil || inner.Code == "" {
		return nil
	}
	return &inner
}

// Call sends a request and decodes its result into result, unless that is nil. When ctx ends the app is told that the
// request is cancelled.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	return Reporting{Client: c}.Call(ctx, method, params, result)
}

// Reporting is a Client that tells the progress of its calls, from the reading goroutine.
type Reporting struct {
	*Client
	Progress func(ToolProgress)
}

// Call is Client.Call.
func (r Reporting) Call(ctx context.Context, method string, params, result any) error {
	m, err := r.call(ctx, method, params, callMeta{}, r.Progress)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		return fmt.Errorf("%s: decode result: %w", method, err)
	}
	return nil
}

func (c *Client) call(
	ctx context.Context, method string, params any, meta callMeta, progress func(ToolProgress),
) (jsonrpc.Message, error) {
	if ctx.Err() != nil {
		return jsonrpc.Message{}, context.Cause(ctx)
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
			return jsonrpc.Message{}, fmt.Errorf("encode parameters: %w", err)
		}
	}
	if err := c.write(jsonrpc.Request(id, method, params)); err != nil {
		return jsonrpc.Message{}, err
	}
	select {
	case m := <-answer:
		return answered(m)
	case <-ctx.Done():
		err := c.notify("notifications/cancelled", map[string]any{"requestId": id, "reason": "no longer needed"})
		return jsonrpc.Message{}, errors.Join(context.Cause(ctx), err)
	case <-c.done:
		select {
		case m := <-answer: // it came just before the end
			return answered(m)
		default:
			return jsonrpc.Message{}, c.Err()
		}
	}
}

func answered(m jsonrpc.Message) (jsonrpc.Message, error) {
	if m.Error != nil {
		return jsonrpc.Message{}, (*RPCError)(m.Error)
	}
	return m, nil
}

func (c *Client) notify(method string, params any) error {
	return c.write(jsonrpc.Notification(method, params))
}

// write sends one message. A connection's Write is atomic for callers side by side, so no lock is needed.
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

// read takes messages until the connection ends and says why it did.
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

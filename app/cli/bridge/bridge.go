package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const (
	maxEditorLine = 8 << 20  // the app refuses longer messages
	maxAppLine    = 64 << 20 // far more than the longest result of a tool
	// drainTime is less than the 2 s that many clients wait between closing stdin and sending a signal.
	drainTime = 1800 * time.Millisecond
	flushTime = 500 * time.Millisecond
	// connectTime is below the 30 s that some editors wait for a server.
	connectTime = 10 * time.Second
)

type Options struct {
	In    io.Reader
	Out   io.Writer
	Hello wire.Hello
	// Dial connects to the app. If start is set and the app does not run, Dial starts it.
	Dial func(ctx context.Context, start bool) (net.Conn, error)
	// Quit reports whether the user has quit the app since the bridge started.
	Quit func() bool
	Log  *slog.Logger
}

type Bridge struct {
	o    Options
	out  *queue
	wake chan struct{}
	end  context.CancelFunc

	mu      sync.Mutex
	link    *link
	quit    bool
	ending  bool
	idle    chan struct{}
	waiting []*call          // requests not yet sent, oldest first
	calls   map[string]*call // unanswered requests, by id
	order   uint64
	asks    map[string]appRequest // the app's open requests, by the id sent to the editor
	lastAsk uint64
	replay  replay
}

type call struct {
	jsonrpc.Message
	order    uint64
	repeated bool // sent again after an app exited
	acked    bool // the editor has received the acknowledgement of subscriptions/listen
}

type appRequest struct {
	link *link
	id   json.RawMessage
}

type replay struct {
	initialize  []byte
	answered    bool // the editor received the answer to initialize
	initialized []byte
}

var ErrEditorGone = errors.New("the editor does not read any more")

// Run forwards messages until the editor closes stdin or stops reading, or ctx ends.
func Run(ctx context.Context, o Options) error {
	b := &Bridge{
		o: o, out: newQueue(), wake: make(chan struct{}, 1), idle: make(chan struct{}),
		calls: map[string]*call{}, asks: map[string]appRequest{},
	}
	ctx, b.end = context.WithCancel(ctx)
	defer b.end()
	written := make(chan error, 1)
	go func() { // the only goroutine that writes to the editor
		err := b.out.drain(o.Out)
		if err != nil {
			err = fmt.Errorf("write to the editor: %w", err)
		}
		written <- err
	}()
	read := make(chan error, 1)
	go func() { read <- b.read() }()
	connector := make(chan struct{})
	go func() { defer close(connector); b.connect(ctx) }()

	var err error
	ended := false
	select {
	case err = <-read:
		b.drain(ctx)
	case err = <-written:
		ended = true
	case <-ctx.Done():
	}
	b.end()
	b.out.noWait()
	<-connector
	b.failAll(errEnded)
	b.out.close()
	if ended {
		return err
	}
	select {
	case werr := <-written:
		err = errors.Join(err, werr)
	case <-time.After(flushTime):
		err = errors.Join(err, ErrEditorGone)
	}
	return err
}

// read reads the editor's messages. It never waits for the app.
func (b *Bridge) read() error {
	r := jsonrpc.NewReader(b.o.In, maxEditorLine)
	for {
		line, err := r.ReadLine()
		var long *jsonrpc.TooLongError
		switch {
		case errors.As(err, &long):
			b.reply(errorFor(jsonrpc.FindID(long.Start), jsonrpc.InvalidRequest, fmt.Sprintf(
				"This message has %d bytes. Search MCP accepts at most %d MB per message.", long.Size, long.Limit>>20)))
		case err == nil, errors.Is(err, io.ErrUnexpectedEOF): // the last line may lack a newline
			if len(line) > 0 {
				b.fromEditor(line)
			}
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe):
			return nil
		default:
			return fmt.Errorf("read from the editor: %w", err)
		}
	}
}

func (b *Bridge) drain(ctx context.Context) {
	b.mu.Lock()
	b.ending = true
	b.settled()
	b.mu.Unlock()
	select {
	case <-b.idle:
	case <-time.After(drainTime):
	case <-ctx.Done():
	}
}

// settled closes b.idle if stdin is closed and no request is open. The caller must hold b.mu.
func (b *Bridge) settled() {
	if !b.ending || len(b.waiting) > 0 {
		return
	}
	for _, c := range b.calls {
		if c.Method != methodListen {
			return
		}
	}
	select {
	case <-b.idle:
	default:
		close(b.idle)
	}
}

// reply sends the editor a message from the bridge. If the editor does not read, reply ends the bridge.
func (b *Bridge) reply(line []byte) {
	if !b.out.pushOwn(line) {
		b.end()
	}
}

func (b *Bridge) fromEditor(line []byte) {
	m, err := jsonrpc.Parse(line)
	var bad *jsonrpc.Error
	switch {
	case errors.As(err, &bad):
		b.reply(errorFor(m.ID, bad.Code, bad.Message))
	case m.IsAnswer():
		b.editorAnswers(m)
	case wire.Private(m.Method):
		// With these methods, a client could answer the app's questions in place of the user.
		b.o.Log.Warn("private method refused", "method", m.Method)
		if m.IsRequest() {
			b.reply(errorFor(m.ID, jsonrpc.MethodNotFound, "Method not found: "+m.Method))
		}
	case m.IsNotification():
		b.editorNotifies(m)
	default:
		b.editorAsks(m)
	}
}

func (b *Bridge) editorAnswers(m jsonrpc.Message) {
	b.mu.Lock()
	ask, ok := b.asks[string(m.ID)]
	delete(b.asks, string(m.ID))
	b.mu.Unlock()
	// Pushing fails if the app that sent the question has exited. A restarted app does not get the answer.
	if ok && !ask.link.out.push(withMember(m.Raw, "id", ask.id)) {
		b.o.Log.Warn("answer to the app dropped: it is gone or is not reading")
	}
}

func (b *Bridge) editorNotifies(m jsonrpc.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch m.Method {
	case methodInitialized:
		b.replay.initialized = m.Raw
	case methodCancelled:
		id := string(jsonrpc.Cancelled(m.Params))
		delete(b.calls, id)
		before := len(b.waiting)
		b.waiting = slices.DeleteFunc(b.waiting, func(c *call) bool { return string(c.ID) == id })
		b.settled()
		if len(b.waiting) < before {
			return
		}
	}
	// Without an app, drop the notification. The next app requests the roots anyway.
	if b.link != nil && !b.link.out.push(m.Raw) {
		b.o.Log.Warn("notification dropped: the app is not reading", "method", m.Method)
	}
}

func (b *Bridge) editorAsks(m jsonrpc.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m.Method == methodInitialize { // a new app must also receive this message
		b.replay.initialize, b.replay.answered, b.replay.initialized = m.Raw, false, nil
	}
	b.order++
	c := &call{Message: m, order: b.order}
	switch {
	case b.link == nil && len(b.waiting) >= maxWaiting:
		b.reply(errorFor(m.ID, jsonrpc.ServerError, "Too many requests are waiting for Search MCP to start."))
	case b.link == nil:
		b.waiting = append(b.waiting, c)
		signal(b.wake)
	default:
		b.dispatch(c)
	}
}

const maxWaiting = 1000

// dispatch sends c to the app. The caller must hold b.mu and check that b.link is not nil.
func (b *Bridge) dispatch(c *call) {
	if !b.link.out.push(c.Raw) {
		b.reply(errorFor(c.ID, jsonrpc.ServerError,
			"Search MCP is busy and accepts no more requests at the moment. Please call again later."))
		return
	}
	b.calls[string(c.ID)] = c
	signal(b.link.asked)
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (b *Bridge) pending() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.calls {
		if !c.acked {
			return true
		}
	}
	return false
}

// failAll answers all open requests with an error, except acknowledged listen streams.
func (b *Bridge) failAll(why *api.Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.waiting {
		b.reply(failure(c.ID, why))
	}
	b.waiting = nil
	for id, c := range b.calls {
		if !c.acked {
			b.reply(failure(c.ID, why))
			delete(b.calls, id)
		}
	}
	b.settled()
}

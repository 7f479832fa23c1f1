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
	// maxEditorLine is the app's own limit in bytes. The bridge refuses a longer line itself.
	maxEditorLine = 8 << 20
	// maxAppLine is far above the longest result, in bytes.
	maxAppLine = 64 << 20
	// drainTime limits the wait for open requests after the editor has closed stdin. Clients send a signal 2 s after
	// closing it.
	drainTime = 1800 * time.Millisecond
	flushTime = 500 * time.Millisecond
	// connectTime limits the wait for the app. Some editors abandon a server after 30 s.
	connectTime = 10 * time.Second
)

type Options struct {
	In  io.Reader // messages from the editor
	Out io.Writer // receives only protocol messages
	// Hello describes the session. The bridge adds role and version.
	Hello wire.Hello
	// Start connects to the app and starts it if necessary. Attach only connects.
	Start, Attach func(context.Context) (net.Conn, error)
	// Quit reports whether a user has quit the app since the bridge started. If so, the bridge does not start the app.
	// Quit may be nil.
	Quit func() bool
	Log  *slog.Logger
}

type Bridge struct {
	o    Options
	log  *slog.Logger
	out  *queue        // to the editor
	wake chan struct{} // wakes the connector for a waiting request; buffer of one
	gone chan struct{} // closed when the editor has left its answers unread for too long
	once sync.Once

	mu      sync.Mutex
	link    *link
	links   int  // connections made so far
	quit    bool // the user quit the app, so don't start it
	ending  bool // the editor has closed stdin
	idle    chan struct{}
	waiting []*call               // unsent requests, oldest first
	calls   map[string]*call      // sent but unanswered requests, by id
	order   uint64                // number of the last call
	asks    map[string]appRequest // requests of the app, by the id sent to the editor
	lastAsk uint64
	replay  replay
}

type call struct {
	jsonrpc.Message
	order    uint64
	repeated bool // already sent to a second app
	acked    bool // for subscriptions/listen: the editor has received the acknowledgement
}

type appRequest struct {
	link *link
	id   json.RawMessage // id sent by the app
}

type replay struct {
	initialize  []byte // the editor's initialize
	answered    bool   // the editor has received the answer to initialize
	initialized []byte // the editor's notifications/initialized
	level       []byte // the last logging/setLevel
}

var ErrEditorGone = errors.New("the editor does not read any more")

// Run serves the editor until the editor closes stdin or stops reading, or ctx ends. Closing stdin is not an error.
func Run(ctx context.Context, o Options) error {
	b := &Bridge{
		o: o, log: o.Log, out: newQueue(), wake: make(chan struct{}, 1), gone: make(chan struct{}), idle: make(chan struct{}),
		calls: map[string]*call{}, asks: map[string]appRequest{},
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
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
	case <-b.gone:
		err = ErrEditorGone
	case <-ctx.Done():
	}
	cancel()
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

// read handles the editor's messages until stdin ends. It never waits for the app.
func (b *Bridge) read() error {
	r := jsonrpc.NewReader(b.o.In, maxEditorLine)
	for {
		line, err := r.ReadLine()
		var long *jsonrpc.TooLongError
		switch {
		case errors.As(err, &long):
			b.reply(errorFor(jsonrpc.FindID(long.Start), jsonrpc.InvalidRequest, fmt.Sprintf(
				"This message has %d bytes; Search MCP takes at most %d MB a message.", long.Size, long.Limit>>20)))
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

// drain waits until all requests are answered, at most drainTime.
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

// settled closes idle if the editor has closed stdin and all requests are answered. It requires mu.
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

// reply sends one of the bridge's own messages without blocking. An editor with a full queue counts as gone.
func (b *Bridge) reply(line []byte) {
	if !b.out.pushOwn(line) {
		b.once.Do(func() { close(b.gone) })
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
		// Otherwise a client could answer the app's questions.
		b.log.Warn("private method refused", "method", m.Method)
		if m.IsRequest() {
			b.reply(errorFor(m.ID, jsonrpc.MethodNotFound, "Method not found: "+m.Method))
		}
	case m.IsNotification():
		b.editorNotifies(m)
	default:
		b.editorAsks(m)
	}
}

// editorAnswers forwards m, the answer to a request of the app, if that app is still connected.
func (b *Bridge) editorAnswers(m jsonrpc.Message) {
	b.mu.Lock()
	ask, ok := b.asks[string(m.ID)]
	delete(b.asks, string(m.ID))
	b.mu.Unlock()
	// push fails on a closed link, so the answer never reaches another app.
	if ok && !ask.link.out.push(withMember(m.Raw, "id", ask.id)) {
		b.log.Warn("answer to the app dropped: it is gone or does not read")
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
			return // a waiting request needs no cancellation in the app
		}
	}
	// A new app needs no notification, because it requests the roots itself.
	if b.link != nil && !b.link.out.push(m.Raw) {
		b.log.Warn("notification dropped: the app does not read", "method", m.Method)
	}
}

func (b *Bridge) editorAsks(m jsonrpc.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remember(&m)
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

// maxWaiting limits the requests that wait for the app, and so memory.
const maxWaiting = 1000

// dispatch sends a request to the app. It requires mu and a link.
func (b *Bridge) dispatch(c *call) {
	if !b.link.out.push(c.Raw) {
		b.reply(errorFor(c.ID, jsonrpc.ServerError,
			"Search MCP is busy and takes no more requests at the moment. Please call again later."))
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

// pending reports whether the app has left a request unanswered. Acknowledged listen streams don't count.
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

// remember records m for replay. It requires mu.
func (b *Bridge) remember(m *jsonrpc.Message) {
	switch m.Method {
	case methodInitialize:
		b.replay.initialize, b.replay.answered, b.replay.initialized = m.Raw, false, nil
	case methodSetLevel:
		b.replay.level = m.Raw
	}
}

// failAll answers every open request with why. Acknowledged listen streams continue with the next app.
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

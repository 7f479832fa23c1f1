package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/engine/api"
)

type link struct {
	b     *Bridge
	conn  net.Conn
	out   *queue
	since time.Time
	own   jsonrpc.Calls
	asked chan struct{}
	done  chan struct{}
	ends  sync.WaitGroup

	quitting  *wire.Quitting
	hung      bool
	inSession bool
}

const ownID = "search-mcp-bridge-"

func (l *link) write() {
	defer l.close()
	if err := l.out.drain(l.conn); err != nil {
		l.b.o.Log.Debug("write to the app", "err", err)
	}
}

func (l *link) finish() {
	l.out.close()
	if err := l.conn.SetDeadline(time.Now().Add(flushTime)); err != nil {
		l.close()
	}
}

func (l *link) close() {
	l.out.close()
	if err := l.conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		l.b.o.Log.Debug("close connection", "err", err)
	}
}

func (l *link) read() {
	defer close(l.done)
	r := jsonrpc.NewReader(l.conn, maxAppLine)
	for {
		line, err := r.ReadLine()
		if err == nil && len(line) > 0 {
			err = l.b.fromApp(l, line)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
				l.b.o.Log.Warn("connection to the app ends", "err", err)
			}
			l.close()
			return
		}
	}
}

func (b *Bridge) fromApp(l *link, line []byte) error {
	m, err := jsonrpc.Parse(line)
	if err != nil {
		return fmt.Errorf("the app sent no protocol: %w", err)
	}
	switch {
	case m.IsAnswer():
		b.appAnswers(l, m)
	case m.IsRequest():
		b.appAsks(l, m)
	default:
		b.appNotifies(l, m)
	}
	return nil
}

func (b *Bridge) appAnswers(l *link, m jsonrpc.Message) {
	id := string(m.ID)
	if strings.HasPrefix(id, `"`+ownID) {
		l.own.Answer(m)
		return
	}
	b.mu.Lock()
	c := b.calls[id]
	if c != nil && c.Method == methodListen && l.quitting != nil {
		// The listen stream stays open for the editor. The next app continues the stream.
		b.mu.Unlock()
		return
	}
	if c != nil && c.Method == methodInitialize && m.Error == nil {
		b.replay.answered = true
	}
	b.mu.Unlock()
	b.out.pushWait(m.Raw)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls[id] == c { // the editor may have reused the id
		delete(b.calls, id)
	}
	b.settled()
}

// appAsks forwards the app's request m to the editor under a new id, which no other app has used.
func (b *Bridge) appAsks(l *link, m jsonrpc.Message) {
	if wire.Private(m.Method) {
		l.out.pushOwn(errorFor(m.ID, jsonrpc.MethodNotFound, "the bridge serves no private method"))
		return
	}
	b.mu.Lock()
	b.lastAsk++
	id := json.RawMessage(strconv.Quote("search-mcp-" + strconv.FormatUint(b.lastAsk, 10)))
	b.asks[string(id)] = appRequest{link: l, id: m.ID}
	b.mu.Unlock()
	b.out.pushWait(withMember(m.Raw, "id", id))
}

func (b *Bridge) appNotifies(l *link, m jsonrpc.Message) {
	switch {
	case m.Method == wire.NotifyQuit:
		q := &wire.Quitting{}
		if err := json.Unmarshal(m.Params, q); err != nil {
			b.o.Log.Warn("malformed notification", "method", m.Method, "err", err)
		}
		b.mu.Lock()
		l.quitting = q
		b.mu.Unlock()
	case wire.Private(m.Method):
	case m.Method == methodCancelled:
		b.appCancels(l, m)
	case m.Method == methodAcknowledged:
		b.appAcknowledges(m)
	default:
		b.out.pushWait(m.Raw)
	}
}

func (b *Bridge) appCancels(l *link, m jsonrpc.Message) {
	of := string(jsonrpc.Cancelled(m.Params))
	b.mu.Lock()
	var known json.RawMessage
	for id, ask := range b.asks {
		if ask.link == l && string(ask.id) == of {
			known = json.RawMessage(id)
			delete(b.asks, id)
		}
	}
	b.mu.Unlock()
	if known != nil {
		b.out.pushWait(withMember(m.Raw, "params", withMember(m.Params, "requestId", known)))
	}
}

// appAcknowledges forwards the acknowledgement of a listen stream. The editor gets only the first one.
func (b *Bridge) appAcknowledges(m jsonrpc.Message) {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		b.o.Log.Warn("malformed notification", "method", m.Method, "err", err)
		return
	}
	id := p.Meta[metaSubscription]
	b.mu.Lock()
	c := b.calls[string(id)]
	again := c != nil && c.acked
	if c != nil {
		c.acked = true
	}
	b.mu.Unlock()
	switch {
	case !again:
		b.out.pushWait(m.Raw)
	case wantsTools(c):
		b.out.pushWait(notification(methodToolsChanged, map[string]any{"_meta": map[string]any{metaSubscription: id}}))
	}
}

func wantsTools(c *call) bool {
	var p struct {
		Notifications struct {
			Tools bool `json:"toolsListChanged"`
		} `json:"notifications"`
	}
	return json.Unmarshal(c.Params, &p) == nil && p.Notifications.Tools
}

var errHungUp = errors.New("Search MCP closed the connection")

func (l *link) request(ctx context.Context, line []byte) (jsonrpc.Message, error) {
	id, answer := l.own.Open()
	if !l.out.push(withMember(line, "id", id)) {
		return jsonrpc.Message{}, errHungUp
	}
	select {
	case m := <-answer:
		return m, nil
	case <-l.done:
		return jsonrpc.Message{}, errHungUp
	case <-ctx.Done():
		return jsonrpc.Message{}, context.Cause(ctx)
	}
}

// watch closes the link if the app does not answer a ping while requests are open.
func (l *link) watch(ctx context.Context) {
	var look <-chan time.Time // nil if no request is open
	for {
		select {
		case <-l.asked:
			if look != nil {
				continue
			}
		case <-look:
			look = nil
			if !l.b.pending() {
				continue
			}
			if !l.alive(ctx) {
				l.b.mu.Lock()
				l.hung = ctx.Err() == nil
				l.b.mu.Unlock()
				l.close()
				return
			}
		case <-l.done:
			return
		case <-ctx.Done():
			return
		}
		look = time.After(wire.PingPause)
	}
}

func (l *link) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, wire.PingTime)
	defer cancel()
	_, err := l.request(ctx, encode(jsonrpc.Request(nil, "ping", nil)))
	return err == nil
}

func (l *link) greet(ctx context.Context) error {
	hello := l.b.o.Hello
	hello.Role, hello.Version = api.RoleAssistant, version.Version
	m, err := l.request(ctx, notification(string(wire.MethodHello), hello))
	if err != nil {
		return err
	}
	if m.Error != nil {
		return fmt.Errorf("Search MCP refused the connection: %s", m.Error.Message)
	}
	var w wire.Welcome
	if err := json.Unmarshal(m.Result, &w); err == nil && w.Version != version.Version {
		l.b.o.Log.Warn("the app and this bridge have different versions", "app", w.Version, "bridge", version.Version)
	}
	l.b.mu.Lock()
	s := l.b.replay
	l.b.mu.Unlock()
	if !s.answered {
		return nil
	}
	if m, err = l.request(ctx, s.initialize); err != nil {
		return err
	}
	if m.Error != nil {
		return fmt.Errorf("Search MCP refused the session: %s", m.Error.Message)
	}
	if s.initialized == nil {
		return nil
	}
	l.b.mu.Lock()
	l.inSession = l.out.push(s.initialized)
	l.b.mu.Unlock()
	if !l.inSession {
		return errHungUp
	}
	return nil
}

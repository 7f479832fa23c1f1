package session

import (
	"context"
	"encoding/json"
	"maps"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/socket/jsonrpc"
)

const maxListen = 8

// stream is an open subscriptions/listen request (protocol version 2026-07-28). mcp-go treats each stream as a session
// with its own filter.
type stream struct {
	*Session
	id string
	ch chan mcp.JSONRPCNotification

	mu     sync.Mutex
	filter mcp.SubscriptionFilter
}

func (s *Session) listen(ctx context.Context, m *jsonrpc.Message) any {
	defer s.streams.Add(-1)
	if s.streams.Add(1) > maxListen {
		return jsonrpc.Failure(m.ID, jsonrpc.InvalidRequest, "too many subscription streams")
	}
	t := &stream{
		Session: s, id: s.id + "/listen/" + string(m.ID),
		ch: make(chan mcp.JSONRPCNotification, noteQueue),
	}
	if err := s.o.MCP.RegisterSession(ctx, t); err != nil {
		return jsonrpc.Failure(m.ID, jsonrpc.InternalError, "the subscription could not be opened")
	}
	defer s.o.MCP.UnregisterSession(context.WithoutCancel(ctx), t.id)

	stop := make(chan struct{})
	var forwarder sync.WaitGroup
	forwarder.Go(func() { t.forward(m.ID, stop) })
	answer := s.handle(s.o.MCP.WithContext(ctx, t), m)
	close(stop)
	forwarder.Wait()
	return answer
}

func (t *stream) forward(id json.RawMessage, stop <-chan struct{}) {
	tagged := func(n mcp.JSONRPCNotification) bool {
		m := maps.Clone(n.Params.Meta)
		if m == nil {
			m = map[string]any{}
		}
		m[mcp.MetaKeySubscriptionID] = id
		n.Params.Meta = m
		return t.send(n) == nil // fails if the session has ended
	}
	for {
		select {
		case n := <-t.ch:
			if !tagged(n) {
				return
			}
		case <-stop:
			for len(t.ch) > 0 {
				if !tagged(<-t.ch) {
					return
				}
			}
			return
		}
	}
}

func (t *stream) SessionID() string                                   { return t.id }
func (t *stream) Initialized() bool                                   { return true }
func (t *stream) NotificationChannel() chan<- mcp.JSONRPCNotification { return t.ch }

func (t *stream) SetSubscriptionFilter(f mcp.SubscriptionFilter) {
	t.mu.Lock()
	t.filter = f
	t.mu.Unlock()
}

func (t *stream) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.filter, true
}

var _ server.SessionWithSubscriptionFilter = (*stream)(nil)

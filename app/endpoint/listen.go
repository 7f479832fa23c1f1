package endpoint

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/jsonrpc"
)

// maxListen bounds the streams of one session; an editor opens one.
const maxListen = 8

// listener is one subscriptions/listen stream (2026-07-28) as a session of its own, so that several streams of a
// connection keep their own filters and each notification carries the id of the stream that it belongs to.
type listener struct {
	*session
	id string
	ch chan mcp.JSONRPCNotification

	mu     sync.Mutex
	filter mcp.SubscriptionFilter
	uris   map[string]struct{}
}

// listen serves a subscriptions/listen request until it is cancelled or the session ends.
func (s *session) listen(ctx context.Context, m *jsonrpc.Message) any {
	if !s.srv.listening(s, +1) {
		return jsonrpc.Failure(m.ID, jsonrpc.InvalidRequest, "too many subscription streams")
	}
	defer s.srv.listening(s, -1)
	l := &listener{
		session: s, id: s.id + "/listen/" + string(m.ID),
		ch: make(chan mcp.JSONRPCNotification, noteQueue), uris: map[string]struct{}{},
	}
	if err := s.srv.mcp.RegisterSession(ctx, l); err != nil {
		return jsonrpc.Failure(m.ID, jsonrpc.InternalError, "the subscription could not be opened")
	}
	defer s.srv.mcp.UnregisterSession(context.WithoutCancel(ctx), l.id)

	stop := make(chan struct{})
	var forwarder sync.WaitGroup
	forwarder.Go(func() { l.forward(m.ID, stop) })
	answer := s.handle(s.srv.mcp.WithContext(ctx, l), m)
	close(stop)
	forwarder.Wait()
	return answer
}

// forward tags the stream's notifications with its id and queues them, what is left at the end included.
func (l *listener) forward(id json.RawMessage, stop <-chan struct{}) {
	tagged := func(n mcp.JSONRPCNotification) bool {
		m := maps.Clone(n.Params.Meta)
		if m == nil {
			m = map[string]any{}
		}
		m[mcp.MetaKeySubscriptionID] = id
		n.Params.Meta = m
		return l.send(n) == nil // an error means that the session has gone
	}
	for {
		select {
		case n := <-l.ch:
			if !tagged(n) {
				return
			}
		case <-stop:
			for len(l.ch) > 0 {
				if !tagged(<-l.ch) {
					return
				}
			}
			return
		}
	}
}

func (l *listener) SessionID() string                                   { return l.id }
func (l *listener) Initialized() bool                                   { return true }
func (l *listener) NotificationChannel() chan<- mcp.JSONRPCNotification { return l.ch }

func (l *listener) SetSubscriptionFilter(f mcp.SubscriptionFilter) {
	l.mu.Lock()
	l.filter = f
	l.mu.Unlock()
}

func (l *listener) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.filter, true
}

func (l *listener) SubscribeToResource(uri string) {
	l.mu.Lock()
	l.uris[uri] = struct{}{}
	l.mu.Unlock()
}

func (l *listener) UnsubscribeFromResource(uri string) {
	l.mu.Lock()
	delete(l.uris, uri)
	l.mu.Unlock()
}

func (l *listener) IsSubscribedToResource(uri string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, subscribed := l.uris[uri]
	return subscribed
}

func (l *listener) SubscribedResources() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.uris))
}

var (
	_ server.SessionWithSubscriptionFilter    = (*listener)(nil)
	_ server.SessionWithResourceSubscriptions = (*listener)(nil)
)

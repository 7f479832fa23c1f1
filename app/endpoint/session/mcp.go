package session

import (
	"maps"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// The methods of this file implement mcp-go's session interfaces.

func (s *Session) SessionID() string                                   { return s.id }
func (s *Session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }
func (s *Session) Initialize()                                         { s.initialized.Store(true) }
func (s *Session) Initialized() bool                                   { return s.initialized.Load() }
func (s *Session) SetLogLevel(l mcp.LoggingLevel)                      { s.level.Store(l) }
func (s *Session) GetLogLevel() mcp.LoggingLevel                       { return s.level.Load().(mcp.LoggingLevel) }

func (s *Session) SetClientInfo(i mcp.Implementation) { set(s, &s.info, i) }
func (s *Session) GetClientInfo() mcp.Implementation  { return get(s, &s.info) }

func (s *Session) SetClientCapabilities(c mcp.ClientCapabilities) { set(s, &s.caps, c) }
func (s *Session) GetClientCapabilities() mcp.ClientCapabilities  { return get(s, &s.caps) }

func (s *Session) SetProtocolVersion(v string) { set(s, &s.version, v) }
func (s *Session) ProtocolVersion() string     { return get(s, &s.version) }

// resources are the resource subscriptions of a session or stream.
type resources struct {
	mu   sync.Mutex
	uris map[string]bool
}

func (r *resources) SubscribeToResource(uri string)     { r.set(uri, true) }
func (r *resources) UnsubscribeFromResource(uri string) { r.set(uri, false) }

func (r *resources) set(uri string, on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.uris == nil {
		r.uris = map[string]bool{}
	}
	if r.uris[uri] = true; !on {
		delete(r.uris, uri)
	}
}

func (r *resources) IsSubscribedToResource(uri string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.uris[uri]
}

func (r *resources) SubscribedResources() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Keys(r.uris))
}

func (s *Session) SetSubscriptionFilter(mcp.SubscriptionFilter) {}

// SubscriptionFilter blocks broadcasts to clients of 2026-07-28, which receive only the events of their listen streams.
func (s *Session) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	return mcp.SubscriptionFilter{}, get(s, &s.modern)
}

var (
	_ server.SessionWithLogging               = (*Session)(nil)
	_ server.SessionWithClientInfo            = (*Session)(nil)
	_ server.SessionWithElicitation           = (*Session)(nil)
	_ server.SessionWithRoots                 = (*Session)(nil)
	_ server.SessionWithResourceSubscriptions = (*Session)(nil)
	_ server.SessionWithProtocolVersion       = (*Session)(nil)
	_ server.SessionWithSubscriptionFilter    = (*Session)(nil)
)

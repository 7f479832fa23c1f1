package session

import (
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// The methods of this file make Session an mcp-go session.

func (s *Session) SessionID() string                                   { return s.id }
func (s *Session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }
func (s *Session) Initialize()                                         { s.initialized.Store(true) }
func (s *Session) Initialized() bool                                   { return s.initialized.Load() }
func (s *Session) SetLogLevel(l mcp.LoggingLevel)                      { s.level.Store(l) }
func (s *Session) GetLogLevel() mcp.LoggingLevel                       { return s.level.Load().(mcp.LoggingLevel) }

func (s *Session) SetClientInfo(i mcp.Implementation) {
	s.mu.Lock()
	s.info = i
	s.mu.Unlock()
}

func (s *Session) GetClientInfo() mcp.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

func (s *Session) SetClientCapabilities(c mcp.ClientCapabilities) {
	s.mu.Lock()
	s.caps = c
	s.mu.Unlock()
}

func (s *Session) GetClientCapabilities() mcp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caps
}

func (s *Session) SetProtocolVersion(v string) {
	s.mu.Lock()
	s.version = v
	s.mu.Unlock()
}

func (s *Session) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

func (s *Session) SubscribeToResource(uri string) {
	s.mu.Lock()
	s.subs[uri] = struct{}{}
	s.mu.Unlock()
}

func (s *Session) UnsubscribeFromResource(uri string) {
	s.mu.Lock()
	delete(s.subs, uri)
	s.mu.Unlock()
}

func (s *Session) IsSubscribedToResource(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, subscribed := s.subs[uri]
	return subscribed
}

func (s *Session) SubscribedResources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.subs))
}

// SetSubscriptionFilter does nothing: the filters belong to the listen streams.
func (s *Session) SetSubscriptionFilter(mcp.SubscriptionFilter) {}

// SubscriptionFilter lets nothing be broadcast to a client that spoke 2026-07-28: it gets what its listen streams ask
// for, and nothing else.
func (s *Session) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mcp.SubscriptionFilter{}, s.modern
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

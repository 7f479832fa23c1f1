package session

import (
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func (s *Session) SessionID() string                                   { return s.id }
func (s *Session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }
func (s *Session) Initialize()                                         { s.initialized.Store(true) }
func (s *Session) Initialized() bool                                   { return s.initialized.Load() }

func (s *Session) SetClientInfo(i mcp.Implementation) {
	s.update(func(st *state) { st.info = i })
}
func (s *Session) GetClientInfo() mcp.Implementation { return s.now().info }

func (s *Session) SetClientCapabilities(c mcp.ClientCapabilities) {
	s.update(func(st *state) { st.caps = c })
}
func (s *Session) GetClientCapabilities() mcp.ClientCapabilities { return s.now().caps }

func (s *Session) SetProtocolVersion(v string) { s.update(func(st *state) { st.version = v }) }
func (s *Session) ProtocolVersion() string     { return s.now().version }

func (s *Session) SetSubscriptionFilter(mcp.SubscriptionFilter) {}

// SubscriptionFilter returns an empty filter for clients of version 2026-07-28. They get notifications only in their
// listen streams.
func (s *Session) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	return mcp.SubscriptionFilter{}, s.now().modern
}

var (
	_ server.SessionWithClientInfo         = (*Session)(nil)
	_ server.SessionWithProtocolVersion    = (*Session)(nil)
	_ server.SessionWithSubscriptionFilter = (*Session)(nil)
)

package session

import (
	"context"
	"encoding/json"
	"fmt"
	"net"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/socket/jsonrpc"
)

func (s *Session) ask(ctx context.Context, method mcp.MCPMethod, params, result any) error {
	id, answer := s.asked.Open()
	defer s.asked.Close(id)
	if err := s.send(jsonrpc.Request(id, string(method), params)); err != nil {
		return fmt.Errorf("ask %s: %w", method, err)
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("ask for %s: the client answered with error %d: %s",
				method, m.Error.Code, display.Visible(m.Error.Message))
		}
		if err := json.Unmarshal(m.Result, result); err != nil {
			return fmt.Errorf("ask %s: decode answer: %w", method, err)
		}
		return nil
	case <-s.done:
		return fmt.Errorf("ask %s: %w", method, net.ErrClosed)
	case <-ctx.Done():
		s.trySend(jsonrpc.Notification(string(mcp.MethodNotificationCancelled),
			map[string]any{"requestId": id, "reason": "no longer needed"}))
		return fmt.Errorf("ask %s: %w", method, context.Cause(ctx))
	}
}

// Elicit shows a form in the client. Elicits must have returned true.
func (s *Session) Elicit(ctx context.Context, form mcp.ElicitationParams) (*mcp.ElicitationResponse, error) {
	var result mcp.ElicitationResult
	err := s.ask(ctx, mcp.MethodElicitationCreate, form, &result)
	return &result.ElicitationResponse, err
}

// Capabilities returns the client's capabilities. In the stateless protocol they are in each request, and otherwise in
// the handshake.
func (s *Session) Capabilities(ctx context.Context) mcp.ClientCapabilities {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		if info.ClientCapabilities == nil {
			return mcp.ClientCapabilities{}
		}
		return *info.ClientCapabilities
	}
	return s.GetClientCapabilities()
}

// Elicits reports whether the client can show forms. In MCP, an empty elicitation capability means forms.
func (s *Session) Elicits(ctx context.Context) bool {
	c := s.Capabilities(ctx).Elicitation
	return c != nil && (c.Form != nil || c.URL == nil)
}

package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/socket/jsonrpc"
)

var errClientLacks = errors.New("the client did not declare this capability")

func (s *Session) Ask(ctx context.Context, method mcp.MCPMethod, params, result any) error {
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

func (s *Session) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	if !elicits(s.GetClientCapabilities()) {
		return nil, fmt.Errorf("elicitation: %w", errClientLacks)
	}
	var result mcp.ElicitationResult
	if err := s.Ask(ctx, mcp.MethodElicitationCreate, r.Params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

func (s *Session) ListRoots(ctx context.Context, _ mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	if s.GetClientCapabilities().Roots == nil {
		return nil, fmt.Errorf("roots: %w", errClientLacks)
	}
	var result mcp.ListRootsResult
	if err := s.Ask(ctx, mcp.MethodListRoots, nil, &result); err != nil {
		return nil, err
	}
	return &result, nil
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

func (s *Session) Elicits(ctx context.Context) bool { return elicits(s.Capabilities(ctx)) }

// elicits reports whether the client can show forms. An empty elicitation capability includes forms. A capability with
// only URLs doesn't.
func elicits(c mcp.ClientCapabilities) bool {
	return c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

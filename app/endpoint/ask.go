package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/jsonrpc"
)

// errClientLacks is returned for a server-to-client request that the client did not declare to understand.
var errClientLacks = errors.New("the client did not declare this capability")

// ask sends a request to the client and waits for its answer or the end of ctx, which withdraws the request.
func (s *session) ask(ctx context.Context, method mcp.MCPMethod, params, result any) error {
	id, answer := s.asked.Open()
	defer s.asked.Close(id)
	if err := s.send(jsonrpc.Request(id, string(method), params)); err != nil {
		return fmt.Errorf("ask %s: %w", method, err)
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("ask %s: the client answered with error %d: %s", method, m.Error.Code, visible(m.Error.Message))
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

// RequestElicitation implements server.SessionWithElicitation.
func (s *session) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	if !elicits(s.GetClientCapabilities()) {
		return nil, fmt.Errorf("elicitation: %w", errClientLacks)
	}
	var result mcp.ElicitationResult
	if err := s.ask(ctx, mcp.MethodElicitationCreate, r.Params, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// ListRoots implements server.SessionWithRoots.
func (s *session) ListRoots(ctx context.Context, _ mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	if s.GetClientCapabilities().Roots == nil {
		return nil, fmt.Errorf("roots: %w", errClientLacks)
	}
	var result mcp.ListRootsResult
	if err := s.ask(ctx, mcp.MethodListRoots, nil, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// elicits reports whether forms may be sent. An empty capability means forms; one that names only URLs does not.
func elicits(c mcp.ClientCapabilities) bool {
	return c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

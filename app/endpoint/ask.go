package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"

	"github.com/mark3labs/mcp-go/mcp"
)

// errClientLacks is returned for a server-to-client request that the client did not declare to understand.
var errClientLacks = errors.New("the client did not declare this capability")

// ask sends a request to the client and waits for its answer or the end of ctx, which withdraws the request.
func (s *session) ask(ctx context.Context, method mcp.MCPMethod, params, result any) error {
	answer := make(chan reply, 1)
	s.mu.Lock()
	s.lastAsk++
	id := fmt.Sprintf("srv-%d", s.lastAsk)
	s.asked[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.asked, id)
		s.mu.Unlock()
	}()

	if err := s.send(request{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Method: string(method), Params: params}); err != nil {
		return fmt.Errorf("ask %s: %w", method, err)
	}
	select {
	case r := <-answer:
		if r.err != nil {
			return fmt.Errorf("ask %s: %w", method, r.err)
		}
		if err := json.Unmarshal(r.result, result); err != nil {
			return fmt.Errorf("ask %s: decode answer: %w", method, err)
		}
		return nil
	case <-s.done:
		return fmt.Errorf("ask %s: %w", method, net.ErrClosed)
	case <-ctx.Done():
		s.trySend(request{JSONRPC: mcp.JSONRPC_VERSION, Method: string(mcp.MethodNotificationCancelled),
			Params: map[string]any{"requestId": id, "reason": "no longer needed"}})
		return fmt.Errorf("ask %s: %w", method, context.Cause(ctx))
	}
}

// deliver hands an answer to whoever asked; one that nobody waits for is dropped.
func (s *session) deliver(f *frame) {
	var id string
	if json.Unmarshal(f.ID, &id) != nil {
		return // ours are strings
	}
	s.mu.Lock()
	answer := s.asked[id]
	s.mu.Unlock()
	if answer == nil {
		return
	}
	r := reply{result: f.Result}
	if f.Error != nil {
		r.err = fmt.Errorf("the client answered with error %d: %s", f.Error.Code, visible(f.Error.Message))
	}
	select {
	case answer <- r:
	default: // a second answer to one question
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

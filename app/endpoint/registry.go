package endpoint

import (
	"context"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// group is a set of tools that come and go together: the project's tools, a site's, the archive's.
type group struct {
	name  string
	tools []tool
	// visible limits the group to some sessions; nil means all of them.
	visible func(*session) bool
}

// registry holds the groups of tools that are served. Adding or removing one at run time tells every client.
type registry struct {
	srv *Server

	mu     sync.Mutex
	groups map[string]group
	owner  map[string]string // tool → group
}

func newRegistry(srv *Server) *registry {
	return &registry{srv: srv, groups: map[string]group{}, owner: map[string]string{}}
}

// add serves a group. It returns the names of tools that other groups have already; those are left out, so that a
// built-in name can't be taken over.
func (r *registry) add(g group) (taken []string) {
	r.mu.Lock()
	var own []tool
	for _, t := range g.tools {
		if by, exists := r.owner[t.name]; exists && by != g.name {
			taken = append(taken, t.name)
			continue
		}
		r.owner[t.name] = g.name
		own = append(own, t)
	}
	g.tools = own
	r.groups[g.name] = g
	r.mu.Unlock()
	serve := make([]server.ServerTool, 0, len(own))
	for _, t := range own {
		serve = append(serve, server.ServerTool{Tool: t.mcp(), Handler: r.srv.handler(t)})
	}
	r.srv.mcp.AddTools(serve...) // tells the clients
	return taken
}

// remove ends serving a group.
func (r *registry) remove(name string) {
	r.mu.Lock()
	var names []string
	for _, t := range r.groups[name].tools {
		names = append(names, t.name)
		delete(r.owner, t.name)
	}
	delete(r.groups, name)
	r.mu.Unlock()
	if len(names) > 0 {
		r.srv.mcp.DeleteTools(names...) // tells the clients
	}
}

// find returns a served tool and whether the session may see it.
func (r *registry) find(name string, s *session) (tool, bool) {
	r.mu.Lock()
	g, served := r.groups[r.owner[name]]
	r.mu.Unlock()
	if !served || (g.visible != nil && !g.visible(s)) {
		return tool{}, false
	}
	at := slices.IndexFunc(g.tools, func(t tool) bool { return t.name == name })
	if at < 0 {
		return tool{}, false
	}
	return g.tools[at], true
}

// sessionTools is the list of tools as one session sees it: its groups, and its project's kind of descriptions.
func (s *Server) sessionTools(ctx context.Context, list []mcp.Tool) []mcp.Tool {
	ses := sessionOf(ctx)
	if ses == nil {
		return list
	}
	enhanced := s.enhanced(ctx, ses)
	out := make([]mcp.Tool, 0, len(list))
	for _, m := range list {
		t, served := s.tools.find(m.Name, ses)
		if !served {
			continue
		}
		m.Description = t.describe(enhanced)
		out = append(out, m)
	}
	return out
}

// enhanced reports whether the session's project wants enhancedToolDescriptions (RFC 4.8). It asks nobody: before a
// client has given its roots, the other facts decide.
func (s *Server) enhanced(ctx context.Context, ses *session) bool {
	b, ready := s.attached()
	if !ready {
		return false
	}
	t := &targets{session: ses, backend: b}
	roots, err := t.implied(ctx, func(context.Context) ([]string, error) {
		dirs, _, _ := ses.knownRoots()
		return dirs, nil
	})
	return err == nil && b.Config(roots[0]).EnhancedToolDescriptions
}

func sessionOf(ctx context.Context) *session {
	switch s := server.ClientSessionFromContext(ctx).(type) {
	case *session:
		return s
	case *listener:
		return s.session
	}
	return nil
}

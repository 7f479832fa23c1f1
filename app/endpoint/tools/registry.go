package tools

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/endpoint/confirm"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
)

// The settings that enable groups of tools, in addition to scope.SettingDocuments.
const (
	SettingSites    = scope.SettingSites
	SettingNamed    = "namedIndexes"
	SettingArchives = scope.SettingArchives
)

// Options contains the dependencies of the tools. All are required.
type Options struct {
	MCP       *server.MCPServer
	Log       *slog.Logger
	Questions *confirm.Questions
	Activity  *activity.Log
	// Wait waits for an engine that is starting and returns it, or returns an error after a timeout.
	Wait func(ctx context.Context) (Engine, error)
	// Attached returns the engine. It returns false if the engine has not started yet.
	Attached func() (Engine, bool)
}

// group is a set of tools that are served together, such as the tool of a site.
type group struct {
	name  string
	tools []tool
	// visible reports whether a session sees the group. If visible is nil, all sessions see the group.
	visible func(Engine, *session.Session) bool
}

// Registry contains the groups of tools that are served. It notifies every client of changes.
type Registry struct {
	o Options

	syncing sync.Mutex
	served  map[string]string // names and descriptions of a group's tools when last served, by group of sources

	mu     sync.Mutex
	groups map[string]group
}

// New returns a Registry that serves the tools for projects. Sync adds the tools for sources.
func New(o Options) *Registry {
	r := &Registry{o: o, served: map[string]string{}, groups: map[string]group{}}
	r.add(projectGroup(), symbolGroup())
	return r
}

func projectGroup() group {
	return group{name: "projects", tools: []tool{
		createIndex(), searchCode(), searchByPath(), getIndexStatus(), reindexProject(), reindexFile(), deleteIndex(),
		searchDocs(), listProjects(),
	}}
}

func symbolGroup() group {
	return group{name: "symbols", tools: []tool{findSymbol(), outline(), grepCode()}}
}

// add registers groups and serves their tools. It omits a tool whose name is already used in another group, so that no
// built-in tool can be replaced. It returns the names of omitted tools by group.
func (r *Registry) add(groups ...group) (taken map[string][]string) {
	taken = map[string][]string{}
	var serve []server.ServerTool
	r.mu.Lock()
	for _, g := range groups {
		var own []tool
		for _, t := range g.tools {
			if by, _ := r.owner(t.name); by.name != "" && by.name != g.name {
				taken[g.name] = append(taken[g.name], t.name)
				continue
			}
			own = append(own, t)
		}
		g.tools = own
		r.groups[g.name] = g
		for i := range own {
			serve = append(serve, server.ServerTool{Tool: own[i].mcp(), Handler: r.handler(&own[i])})
		}
	}
	r.mu.Unlock()
	if len(serve) > 0 {
		r.o.MCP.AddTools(serve...) // notifies the clients only once
	}
	return taken
}

func (r *Registry) remove(groups []string) {
	r.mu.Lock()
	var names []string
	for _, g := range groups {
		for _, t := range r.groups[g].tools {
			names = append(names, t.name)
		}
	}
	r.mu.Unlock()
	if len(names) > 0 {
		r.o.MCP.DeleteTools(names...) // notifies the clients only once
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range groups {
		delete(r.groups, g)
	}
}

// owner returns the group that contains the tool with the given name, and the tool's index in the group or -1. The
// caller must have locked mu.
func (r *Registry) owner(name string) (g group, at int) {
	for _, g := range r.groups {
		if at := slices.IndexFunc(g.tools, func(t tool) bool { return t.name == name }); at >= 0 {
			return g, at
		}
	}
	return group{}, -1
}

func (r *Registry) find(name string, s *session.Session) (t *tool, visible bool) {
	r.mu.Lock()
	g, at := r.owner(name)
	r.mu.Unlock()
	if at < 0 {
		return nil, false
	}
	engine, attached := r.o.Attached()
	return &g.tools[at], g.visible == nil || attached && g.visible(engine, s)
}

func (r *Registry) Serves(name string, s *session.Session) bool {
	_, visible := r.find(name, s)
	return visible
}

// List returns those tools that the session sees. Their descriptions are enhanced if the session's project has set
// enhancedToolDescriptions.
func (r *Registry) List(ctx context.Context, all []mcp.Tool) []mcp.Tool {
	s := session.Of(ctx)
	if s == nil {
		return all
	}
	enhanced := r.enhanced(ctx, s)
	out := make([]mcp.Tool, 0, len(all))
	for _, m := range all {
		t, visible := r.find(m.Name, s)
		if t != nil {
			m.Description = t.describe(enhanced)
		}
		if t == nil || visible { // only tests have tools that are not registered
			out = append(out, m)
		}
	}
	return out
}

// enhanced reports whether the session's project has set enhancedToolDescriptions (RFC 4.8). It does not ask the client
// for its roots.
func (r *Registry) enhanced(ctx context.Context, s *session.Session) bool {
	engine, ready := r.o.Attached()
	if !ready {
		return false
	}
	roots, err := (&scope.Finder{Session: s, Projects: engine}).Known(ctx)
	return err == nil && engine.Config(roots[0]).EnhancedToolDescriptions
}

// Changed makes every client list the tools again.
func (r *Registry) Changed() {
	r.o.MCP.SendNotificationToAllClients(string(mcp.MethodNotificationToolsListChanged), nil)
}

// Sync makes the registry serve exactly the groups of the engine's available sources. It reports whether it notified
// the clients.
func (r *Registry) Sync(engine Engine) (notified bool) {
	r.syncing.Lock() // locked before sources is called, so that the later of two calls uses the newer state
	defer r.syncing.Unlock()
	wanted := sources(engine)
	var gone []string
	for name := range r.served {
		if _, stays := wanted[name]; !stays {
			gone = append(gone, name)
			delete(r.served, name)
		}
	}
	r.remove(gone)
	var come []group
	for name, g := range wanted {
		texts := ""
		for _, t := range g.tools {
			texts += t.name + "\n" + t.sentence + "\n" + t.more + "\n"
		}
		if r.served[name] != texts {
			come = append(come, g)
			r.served[name] = texts
		}
	}
	// Sorted, so that the choice between groups that contain the same tool never varies.
	slices.SortFunc(come, func(a, b group) int { return strings.Compare(a.name, b.name) })
	for name, tools := range r.add(come...) {
		r.o.Log.Error("a tool's name is taken", "group", name, "tools", tools)
	}
	return len(gone)+len(come) > 0
}

func sources(engine Engine) map[string]group {
	settings := engine.Settings()
	groups := map[string]group{SettingNamed: namedGroup(), scope.SettingDocuments: documentsGroup(),
		SettingArchives: archivesGroup()}
	maps.DeleteFunc(groups, func(name string, _ group) bool { return !scope.On(settings, name) })
	if scope.On(settings, SettingSites) {
		for _, site := range engine.Sites() {
			g := siteGroup(site)
			groups[g.name] = g
		}
	}
	return groups
}

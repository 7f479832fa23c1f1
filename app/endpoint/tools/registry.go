package tools

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/endpoint/confirm"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

// Engine is what the project's tools need of the engine. All methods may be called from many goroutines at once. Errors
// meant for a person are *api.Error; every other error is shown as INTERNAL_ERROR. An engine that is also Documents,
// Sites, Named or Archives has their tools served.
type Engine interface {
	scope.Projects
	confirm.Engine
	Indexing
	Searching
	Symbols
	Grepping
	Settings() map[string]any
	Publish(e api.Event)
}

// The settings that switch groups of tools; scope.SettingDocuments is another one.
const (
	SettingSites    = scope.SettingSites
	SettingNamed    = "namedIndexes"
	SettingArchives = scope.SettingArchives
)

// Options are what the tools need of the server. All are required.
type Options struct {
	MCP       *server.MCPServer
	Log       *slog.Logger
	Questions *confirm.Questions
	Activity  *activity.Log
	// Wait gives the engine, which may be starting; an error says that it does not come soon.
	Wait func(ctx context.Context) (Engine, error)
	// Attached gives the engine if it is there.
	Attached func() (Engine, bool)
}

// group is a set of tools that come and go together: the project's tools, a site's, the archive's.
type group struct {
	name  string
	tools []tool
	// visible limits the group to some sessions; nil means all of them.
	visible func(*session.Session) bool
}

// Registry holds the groups of tools that are served. Adding or removing one at run time tells every client.
type Registry struct {
	o Options

	syncing sync.Mutex        // held by Sync
	served  map[string]string // the sources' groups that are served, with what they say

	mu     sync.Mutex
	groups map[string]group
	owner  map[string]string // tool → group
}

// New serves the project's tools; those of sources come with Sync.
func New(o Options) *Registry {
	r := &Registry{o: o, served: map[string]string{}, groups: map[string]group{}, owner: map[string]string{}}
	r.add(projectGroup(), symbolGroup())
	return r
}

// projectGroup is the tools of the RFC.
func projectGroup() group {
	return group{name: "projects", tools: []tool{
		createIndex(), searchCode(), searchByPath(), getIndexStatus(), reindexProject(), reindexFile(), deleteIndex(),
		searchDocs(), listProjects(),
	}}
}

// symbolGroup is the tools about names and lines, beyond the RFC.
func symbolGroup() group {
	return group{name: "symbols", tools: []tool{findSymbol(), outline(), grepCode()}}
}

// add takes groups in and serves their tools. Names that another group has already are left out, so that a built-in
// name can't be taken over; they are returned by group.
func (r *Registry) add(groups ...group) (taken map[string][]string) {
	taken = map[string][]string{}
	var serve []server.ServerTool
	r.mu.Lock()
	for _, g := range groups {
		var own []tool
		for _, t := range g.tools {
			if by, exists := r.owner[t.name]; exists && by != g.name {
				taken[g.name] = append(taken[g.name], t.name)
				continue
			}
			r.owner[t.name] = g.name
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
		r.o.MCP.AddTools(serve...) // tells the clients, once
	}
	return taken
}

// remove ends serving groups.
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
		r.o.MCP.DeleteTools(names...) // tells the clients, once
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range names {
		delete(r.owner, name)
	}
	for _, g := range groups {
		delete(r.groups, g)
	}
}

// find returns a tool of ours and whether the session may see it; nil for one that is not ours.
func (r *Registry) find(name string, s *session.Session) (t *tool, visible bool) {
	r.mu.Lock()
	g := r.groups[r.owner[name]]
	r.mu.Unlock()
	at := slices.IndexFunc(g.tools, func(t tool) bool { return t.name == name })
	if at < 0 {
		return nil, false
	}
	return &g.tools[at], g.visible == nil || g.visible(s)
}

// Serves reports whether a session sees a tool.
func (r *Registry) Serves(name string, s *session.Session) bool {
	_, visible := r.find(name, s)
	return visible
}

// List is the list of tools as one session sees it: its groups, and its project's kind of descriptions.
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
		if t == nil || visible { // somebody else's tools, such as a test's, are not for us to hide
			out = append(out, m)
		}
	}
	return out
}

// enhanced reports whether the session's project wants enhancedToolDescriptions (RFC 4.8). It asks nobody: before a
// client has given its roots, the other facts decide.
func (r *Registry) enhanced(ctx context.Context, s *session.Session) bool {
	engine, ready := r.o.Attached()
	if !ready {
		return false
	}
	roots, err := (&scope.Finder{Session: s, Projects: engine}).Known(ctx)
	return err == nil && engine.Config(roots[0]).EnhancedToolDescriptions
}

// Changed tells every client to list the tools again.
func (r *Registry) Changed() {
	r.o.MCP.SendNotificationToAllClients(string(mcp.MethodNotificationToolsListChanged), nil)
}

// Sync serves the sources' groups of tools that there is something for, and no others, and reports whether clients were
// told of a change. It is called when the engine is there and when settings or sites change.
func (r *Registry) Sync(engine Engine) (told bool) {
	r.syncing.Lock() // before the engine is asked: of two calls side by side, the later one knows at least as much
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
		says := ""
		for _, t := range g.tools {
			says += t.name + "\n" + t.sentence + "\n" + t.more + "\n"
		}
		if r.served[name] != says {
			come = append(come, g)
			r.served[name] = says
		}
	}
	// of two that want a name, the same one gets it each time
	slices.SortFunc(come, func(a, b group) int { return strings.Compare(a.name, b.name) })
	for name, tools := range r.add(come...) {
		r.o.Log.Error("a tool's name is taken", "group", name, "tools", tools)
	}
	return len(gone)+len(come) > 0
}

// sources are the groups, by name, that an engine has and a person has not switched off.
func sources(engine Engine) map[string]group {
	settings, groups := engine.Settings(), map[string]group{}
	if named, has := engine.(Named); has && scope.On(settings, SettingNamed) {
		groups[SettingNamed] = namedGroup(named)
	}
	if documents, has := engine.(Documents); has && scope.On(settings, scope.SettingDocuments) {
		groups[scope.SettingDocuments] = documentsGroup(documents)
	}
	if archives, has := engine.(Archives); has && scope.On(settings, SettingArchives) {
		groups[SettingArchives] = archivesGroup(archives)
	}
	if sites, has := engine.(Sites); has && scope.On(settings, SettingSites) {
		for _, site := range sites.Sites() {
			g := siteGroup(sites, site)
			groups[g.name] = g
		}
	}
	return groups
}

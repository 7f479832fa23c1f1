package tools

import (
	"context"
	"log/slog"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/endpoint/confirm"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

// SettingNamed is the setting that enables the tools of named indexes.
const SettingNamed = "namedIndexes"

// Options contains the dependencies of the tools. All are required.
type Options struct {
	MCP       *server.MCPServer
	Log       *slog.Logger
	Questions *confirm.Questions
	Activity  *activity.Log
	// Wait waits for an engine that is starting. It returns an error after a timeout.
	Wait     func(ctx context.Context) (Engine, error)
	Attached func() (Engine, bool)
}

// Registry contains the tools that are served. It notifies every client of changes.
type Registry struct {
	o Options

	syncing sync.Mutex

	mu    sync.Mutex
	tools map[string]*tool
}

// New returns a Registry that serves the tools for projects. Sync adds the tools for sources.
func New(o Options) *Registry {
	r := &Registry{o: o}
	r.serve(projectTools())
	return r
}

func projectTools() []tool {
	return []tool{
		createIndex(), searchCode(), searchByPath(), getIndexStatus(), reindexProject(), reindexFile(), deleteIndex(),
		searchDocs(), listProjects(), findSymbol(), outline(), grepCode(),
	}
}

// serve replaces the tools that are served, and reports whether it notified the clients. A site can't replace a
// built-in tool of the same name.
func (r *Registry) serve(tools []tool) (notified bool) {
	wanted := map[string]*tool{}
	var come []server.ServerTool
	var gone []string
	r.mu.Lock()
	for i := range tools {
		t := &tools[i]
		if wanted[t.name] != nil {
			r.o.Log.Error("a tool's name is taken", "tool", t.name, "title", t.title)
			continue
		}
		wanted[t.name] = t
		if old := r.tools[t.name]; old == nil || old.describe(false) != t.describe(false) {
			come = append(come, server.ServerTool{Tool: t.mcp(), Handler: r.handler(t)})
		}
	}
	for name := range r.tools {
		if wanted[name] == nil {
			gone = append(gone, name)
		}
	}
	r.tools = wanted
	r.mu.Unlock()
	if len(gone) > 0 {
		r.o.MCP.DeleteTools(gone...) // sends one notification for all tools
	}
	if len(come) > 0 {
		r.o.MCP.AddTools(come...)
	}
	return len(gone)+len(come) > 0
}

func (r *Registry) find(name string, s *session.Session) (t *tool, visible bool) {
	r.mu.Lock()
	t = r.tools[name]
	r.mu.Unlock()
	if t == nil || t.visible == nil {
		return t, t != nil
	}
	engine, attached := r.o.Attached()
	return t, attached && t.visible(engine, s)
}

func (r *Registry) Serves(name string, s *session.Session) bool {
	_, visible := r.find(name, s)
	return visible
}

// List returns the tools that the session sees. Their descriptions are enhanced if the session's project has set
// enhancedToolDescriptions.
func (r *Registry) List(ctx context.Context, all []mcp.Tool) []mcp.Tool {
	s := session.FromContext(ctx)
	if s == nil {
		return all
	}
	enhanced := false // without asking the client for its roots (RFC 4.8)
	if engine, ready := r.o.Attached(); ready {
		roots, err := (&scope.Finder{Session: s, Projects: engine}).Known(ctx)
		enhanced = err == nil && engine.Config(roots[0]).EnhancedToolDescriptions
	}
	out := make([]mcp.Tool, 0, len(all))
	for _, m := range all {
		if t, visible := r.find(m.Name, s); visible {
			m.Description = t.describe(enhanced)
			out = append(out, m)
		}
	}
	return out
}

func (r *Registry) Changed() {
	r.o.MCP.SendNotificationToAllClients(string(mcp.MethodNotificationToolsListChanged), nil)
}

// Sync updates the tools to the engine's sites and settings. It reports whether it notified the clients.
func (r *Registry) Sync(engine Engine) (notified bool) {
	r.syncing.Lock() // locked before the settings are read, so that the last call uses the newest settings
	defer r.syncing.Unlock()
	tools, settings := projectTools(), engine.Settings()
	for _, g := range sourceTools(engine.Sites()) {
		if scope.Enabled(settings, g.setting) {
			tools = append(tools, g.tools...)
		}
	}
	return r.serve(tools)
}

type group struct {
	served, setting string
	tools           []tool
}

// sourceTools returns the tools for sources. The tools of sites come last, so that no site replaces another tool.
func sourceTools(sites []api.Site) []group {
	all := []group{
		{"If the session has documents", scope.SettingDocuments, []tool{searchDocuments()}},
		{"Always", SettingNamed, []tool{searchIndex(), searchAddDocument(), searchCreateIndex()}},
		{"If there is an archive or SEARCH_DB_PATH is set", scope.SettingArchives, []tool{searchLocalArchives()}},
		{"One for each added site", scope.SettingSites, nil},
	}
	for _, site := range sites {
		all[3].tools = append(all[3].tools, searchSite(site))
	}
	return all
}

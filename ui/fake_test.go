package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// fake is an app in memory. It records what the window does.
type fake struct {
	meanwhile func() // while it searches
	mu        sync.Mutex
	status    wire.Status
	preview   api.Preview
	results   api.Results
	files     api.FileResults
	config    string
	problems  []string
	settings  map[string]any
	logs      []string
	activity  []api.Activity
	sessions  []wire.Session
	today     api.Today
	findings  []api.Finding
	sources   wire.Sources
	report    api.SiteReport
	docs      api.Results
	noDocs    error
	outside   wire.SourceResults
	text      api.FileText
	symbols   api.SymbolResults
	outlined  api.Outline
	fail      error
	did       []string
}

func (f *fake) note(format string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.did = append(f.did, fmt.Sprintf(format, args...))
	return f.fail
}

func (f *fake) Status(context.Context) (wire.Status, error) { return f.status, nil }
func (f *fake) Preview(_ context.Context, dir string) (api.Preview, error) {
	p := f.preview
	p.Root = dir
	return p, f.note("preview %s", dir)
}
func (f *fake) Create(_ context.Context, dir string) error { return f.note("create %s", dir) }
func (f *fake) Reindex(_ context.Context, p string) error  { return f.note("reindex %s", p) }
func (f *fake) Delete(_ context.Context, p string) error   { return f.note("delete %s", p) }
func (f *fake) Pause(_ context.Context, p string) error {
	f.status.Paused = true
	return f.note("pause %s", p)
}
func (f *fake) Resume(_ context.Context, p string) error {
	f.status.Paused = false
	return f.note("resume %s", p)
}
func (f *fake) Cancel(_ context.Context, job string) error { return f.note("cancel %s", job) }
func (f *fake) Revoke(_ context.Context, p string) error   { return f.note("revoke %s", p) }
func (f *fake) AddRoot(_ context.Context, p, dir string) error {
	return f.note("add root %s %s", p, dir)
}
func (f *fake) RemoveRoot(_ context.Context, p, d string) error {
	return f.note("remove root %s %s", p, d)
}
func (f *fake) Locate(_ context.Context, p, dir string) error { return f.note("locate %s %s", p, dir) }
func (f *fake) Quit(context.Context) error                    { return f.note("quit") }
func (f *fake) Answer(_ context.Context, id string, a api.Answer) error {
	return f.note("answer %s %s", id, a)
}
func (f *fake) Search(_ context.Context, p []string, q api.Query) (api.Results, error) {
	if f.meanwhile != nil {
		f.meanwhile()
	}
	if q.Corpus == api.CorpusDocs {
		err := cmp.Or(f.note("search %s %s %s", strings.Join(p, " "), q.Corpus, q.Text), f.noDocs)
		if err != nil {
			return api.Results{}, err
		}
		return f.docs, nil
	}
	return f.results, f.note("search %s %s %s", strings.Join(p, " "), q.Corpus, q.Text)
}
func (f *fake) Files(_ context.Context, p []string, q api.FileQuery) (api.FileResults, error) {
	return f.files, f.note("files %s %s", strings.Join(p, " "), q.Pattern)
}
func (f *fake) SearchSources(_ context.Context, s wire.SourceSearch) (wire.SourceResults, error) {
	return f.outside, f.note("sources %s", s.Text)
}
func (f *fake) FileText(_ context.Context, p, path string, line int) (api.FileText, error) {
	return f.text, f.note("text %s %s:%d", p, path, line)
}
func (f *fake) Symbol(_ context.Context, p string, q api.SymbolQuery) (api.SymbolResults, error) {
	return f.symbols, f.note("symbol %s %s %v", p, q.Name, q.Uses)
}
func (f *fake) Outline(_ context.Context, p, path string) (api.Outline, error) {
	return f.outlined, f.note("outline %s %s", p, path)
}
func (f *fake) Config(context.Context, string) (string, []string, error) {
	return f.config, f.problems, nil
}
func (f *fake) SetConfig(_ context.Context, _, text string) (string, []string, error) {
	f.config = text
	return text, f.problems, f.note("set config")
}
func (f *fake) TryConfig(_ context.Context, _, text string) (api.Preview, []string, error) {
	p := f.preview
	p.Files = 4812
	if strings.Contains(text, "src/auth/**") {
		p.Files, p.Skipped = 4810, api.Skipped{api.SkipExcluded: 2}
		p.Examples = map[api.Reason][]string{api.SkipExcluded: {"src/auth/login.ts"}}
	}
	return p, f.problems, f.note("try config")
}
func (f *fake) Settings(context.Context) (map[string]any, error) { return maps.Clone(f.settings), nil }
func (f *fake) SetSettings(_ context.Context, c map[string]any) (map[string]any, error) {
	err := f.note("set %v", c)
	if err == nil {
		maps.Copy(f.settings, c)
	}
	return maps.Clone(f.settings), err
}
func (f *fake) Sources(context.Context) (wire.Sources, error)  { return f.sources, nil }
func (f *fake) AddDocuments(_ context.Context, d string) error { return f.note("add documents %s", d) }
func (f *fake) RemoveDocuments(_ context.Context, d string) error {
	return f.note("remove documents %s", d)
}
func (f *fake) CheckSite(_ context.Context, at api.SiteLocation) (api.SiteReport, error) {
	return f.report, f.note("check site %s", at.URL)
}
func (f *fake) AddSite(_ context.Context, at api.SiteLocation, prefix string) (api.Site, error) {
	return api.Site{}, f.note("add site %s %s", at.URL, prefix)
}
func (f *fake) RemoveSite(_ context.Context, site string) error {
	return f.note("remove site %s", site)
}
func (f *fake) RefreshSites(context.Context) error            { return f.note("refresh sites") }
func (f *fake) RemoveNamed(_ context.Context, i string) error { return f.note("remove named %s", i) }
func (f *fake) ImportArchive(_ context.Context, dir string, progress func(done, total int)) (api.ArchiveReport, error) {
	progress(1, 3)
	return api.ArchiveReport{Folder: dir, Documents: 3, Added: 3, Citations: 7, Resolved: 2}, f.note("import %s", dir)
}
func (f *fake) RemoveFromArchive(_ context.Context, d string) error {
	return f.note("remove from archive %s", d)
}
func (f *fake) AddShared(_ context.Context, p, at string) error {
	return f.note("add shared %s %s", p, at)
}
func (f *fake) RemoveShared(_ context.Context, p string) error { return f.note("remove shared %s", p) }
func (f *fake) Logs(_ context.Context, _ string, _ int, level string) ([]string, error) {
	return f.logs, f.note("logs %s", level)
}
func (f *fake) Activity(context.Context) ([]api.Activity, error) { return f.activity, nil }
func (f *fake) Today(context.Context) (api.Today, error)         { return f.today, nil }
func (f *fake) Sessions(context.Context) ([]wire.Session, error) {
	return slices.Clone(f.sessions), nil
}
func (f *fake) Doctor(context.Context) ([]api.Finding, error) { return f.findings, nil }

// desk is a desktop in memory.
type desk struct {
	opened, revealed []string
	auto             bool
	started          int
	recent           []Recent
	editors          []Editor
	applied          []string // titles of changes that were made
	noted            bool     // the paragraph is in the project
	openers          []Opener
	notices          []present.Notice
	pressed          func(button string) // of the last one
	buttons          bool                // notifications have some
	unopened         error               // what opening a file comes to
}

func (d *desk) Notify(_ context.Context, n present.Notice, pressed func(string)) bool {
	d.notices, d.pressed = append(d.notices, n), pressed
	return d.buttons
}
func (d *desk) OpenPage(address string) error             { d.opened = append(d.opened, address); return nil }
func (d *desk) Recent(context.Context) []Recent           { return d.recent }
func (d *desk) Editors(context.Context) ([]Editor, error) { return slices.Clone(d.editors), nil }
func (d *desk) Snippet(editor string) string {
	if editor != "" {
		return "what belongs into the settings of " + editor
	}
	return "{\n  \"mcpServers\": {\n    \"search\": {\"command\": \"/usr/lib/search-mcp/search-mcp\", " +
		"\"args\": [\"mcp\"]}\n  }\n}"
}
func (d *desk) turn(id string, to EditorState) Change {
	i := slices.IndexFunc(d.editors, func(e Editor) bool { return e.ID == id })
	return Change{Title: d.editors[i].Name, File: d.editors[i].File, After: "Available in the next session.",
		Lines: []string{"- {}", "+ {", "+   \"mcpServers\": {",
			"+     \"search\": {\"command\": \"/usr/lib/search-mcp/search-mcp\", \"args\": [\"mcp\"]}", "+   }", "+ }"},
		Apply: func(context.Context) (string, error) {
			d.editors[i].State = to
			d.applied = append(d.applied, id)
			return d.editors[i].File + ".2026-03-12", nil
		}}
}
func (d *desk) Connect(_ context.Context, id string) (Change, error) {
	return d.turn(id, EditorConnected), nil
}
func (d *desk) Disconnect(_ context.Context, id string) (Change, error) {
	return d.turn(id, EditorFree), nil
}
func (d *desk) Note(_ context.Context, project, _ string, remove bool) ([]Change, error) {
	if d.noted != remove {
		return nil, nil
	}
	return []Change{{Title: "AGENTS.md", File: project + "/AGENTS.md", Lines: []string{"+ ## Searching this project"},
		Apply: func(context.Context) (string, error) { d.noted = !remove; return "", nil }}}, nil
}

func (d *desk) Openers(context.Context) ([]Opener, error) { return d.openers, nil }
func (d *desk) OpenFile(opener, path string, line int) error {
	d.opened = append(d.opened, fmt.Sprintf("%s %s:%d", opener, path, line))
	return d.unopened
}
func (d *desk) Reveal(path string) error    { d.revealed = append(d.revealed, path); return nil }
func (d *desk) Autostart() (on, ok bool)    { return d.auto, true }
func (d *desk) SetAutostart(on bool) error  { d.auto = on; return nil }
func (d *desk) Start(context.Context) error { d.started++; return nil }
func (d *desk) ChooseFolder(context.Context, string) (string, bool, error) {
	return "/home/ada/code/webapp", true, nil
}

var now = time.Date(2026, 3, 12, 14, 30, 0, 0, time.UTC)

func project(id, name, root string, s api.State, files int) api.Project {
	return api.Project{
		ID: id, Name: name, Roots: []api.Root{{Path: root}}, State: s, Files: files, Chunks: files * 6, Vectors: files * 6,
		DocFiles: files / 20, SizeBytes: int64(files) * 21000, LastUpdated: now.Add(-2 * time.Minute),
		LastFull:  now.Add(-50 * time.Hour),
		CreatedAt: now.Add(-50 * time.Hour), Strategy: api.Realtime, WatcherActive: true,
		Skipped: api.Skipped{api.SkipDenied: 14, api.SkipIgnored: 212, api.SkipBinary: 96, api.SkipSecret: 2,
			api.SkipSize: 1},
	}
}

// busy is a desk with five projects in all states that matter.
func busy() *fake {
	web := project("b", "webapp", "/home/ada/code/webapp", api.StateEmbedding, 2310)
	web.Vectors = 5900
	web.Progress = &api.Progress{JobID: "job-1", Action: api.ActionCreate, Phase: api.PhaseEmbedding, FilesDone: 2310,
		FilesTotal: 2310,
		ChunksDone: 5900, ChunksTotal: 13860, Left: 3 * time.Minute, Started: now.Add(-2 * time.Minute)}
	gone := project("d", "notes", "/media/ada/stick/notes", api.StateOffline, 88)
	gone.Problem = api.New(api.ProjectOffline,
		"This project's folder can't be found. Its index is kept; searches answer from it.", "lstat: no such file", nil)
	paused := project("e", "zlib", "/home/ada/src/zlib", api.StatePaused, 403)
	paused.Pending = 12
	long := project("c", "infrastructure-as-code-of-the-whole-company",
		"/home/ada/clients/a-company-with-a-rather-long-name/2026/repositories/infrastructure-as-code-of-the-whole-company",
		api.StateReady, 61204)
	long.Shared = &api.SharedIndex{
		Location: "s3://platform/search/infrastructure?endpoint=https%3A%2F%2Fstorage.example.org", Files: 60120,
		Chunks: 410000, Published: now.Add(-5 * time.Hour), Checked: now.Add(-4 * time.Minute)}
	f := &fake{
		status: wire.Status{
			Version: "1.0.0", Data: "/home/ada/.mcp/search", Started: now.Add(-3 * time.Hour), Model: "loaded",
			Projects: []api.Project{project("a", "engine", "/home/ada/code/engine", api.StateReady, 4812), web, long,
				gone, paused},
		},
		settings: map[string]any{"threads": 0.0, "vectorCacheMB": 1024.0, "paused": false, "modelIdleMinutes": 5.0,
			keyActivity: true, keyKept: false,
			"pauseOnBattery": true, "pauseUnderLoad": false, keyDocuments: true, keySites: true, keyArchives: true,
			keyNamed: false, keyNamedMB: 256.0},
		sources: wire.Sources{
			Documents: []api.DocumentSource{
				{DocumentFolder: api.DocumentFolder{Root: "/home/ada/code/engine"}, Origin: api.OriginProject, Documents: 240},
				{DocumentFolder: api.DocumentFolder{Root: "/home/ada/code/webapp"}, Origin: api.OriginProject, Reading: true},
				{DocumentFolder: api.DocumentFolder{Root: "/home/ada/documents/handbook"}, Origin: api.OriginAdded,
					Documents: 1204},
			},
			Sites: []api.Site{
				{SiteLocation: api.SiteLocation{URL: "https://docs.example.org/search-index.json"},
					Tool: "search_docs_site", Name: "Example documentation",
					Domain: "docs.example.org", Pages: 1204, Checked: now.Add(-3 * time.Hour)},
				{SiteLocation: api.SiteLocation{URL: "s3://handbook/index.json"}, Tool: "search_handbook",
					Name: "Handbook", Domain: "handbook.example.org",
					Pages: 88, Checked: now.Add(-50 * time.Hour), Problem: "the server answered 503"},
			},
			Archive: api.ArchiveInfo{Path: "/home/ada/.mcp/search/archives/index.db", Exists: true, Documents: 318,
				Citations: 2210, Resolved: 904, Bytes: 12 << 20,
				Folders: []api.ArchiveFolder{{Folder: "/home/ada/research/2025", Documents: 318}}},
			Named: api.NamedIndexes{Indexes: []api.NamedSummary{{Name: "meeting-notes", Backend: "tfidf", Documents: 12,
				Bytes: 40 << 10}}, Bytes: 40 << 10, Limit: 256 << 20},
		},
		report: api.SiteReport{Valid: true, Name: "Example documentation", Domain: "docs.example.org", Pages: 1204,
			Tool: "search_docs_site"},
		preview: api.Preview{
			Name: "webapp", Files: 2310, Bytes: 18 << 20, DiskBytes: 64 << 20, Duration: 4 * time.Minute,
			Searchable: 4 * time.Second,
			Languages: map[string]int{"typescript": 1204, "tsx": 611, "css": 210, "markdown": 120, "json": 90,
				"html": 40, "": 35},
			Skipped: api.Skipped{api.SkipDenied: 14, api.SkipIgnored: 212, api.SkipBinary: 96, api.SkipSecret: 2,
				api.SkipSize: 1},
			Examples: map[api.Reason][]string{
				api.SkipDenied: {"node_modules", "dist"}, api.SkipIgnored: {"coverage/index.html"},
				api.SkipSecret: {".npmrc", "deploy/id_rsa"},
				api.SkipBinary: {"public/logo.png"}, api.SkipSize: {"data/cities.json"},
			},
		},
		results: api.Results{Hits: hits(), Total: 43, Semantic: true, Coverage: 1, State: api.StateReady, IndexedAt: now},
		files:   api.FileResults{Matches: []string{"src/auth/login.ts", "src/auth/token.ts"}, Total: 2, IndexedAt: now},
		config: "{\n  // what to read\n  \"include\": [\"**/*\"],\n  \"exclude\": [\"fixtures/**\"],\n" +
			"  \"maxFileSize\": \"1MB\"\n}\n",
		logs: []string{
			`time=2026-03-12T14:01:00.000Z level=INFO msg=starting version=1.0.0 data=/home/ada/.mcp/search`,
			`time=2026-03-12T14:01:00.210Z level=INFO msg=ready projects=5`,
			`time=2026-03-12T14:22:10.001Z level=WARN msg="no window came to show a question" action=create_index`,
		},
		activity: []api.Activity{
			{Time: now.Add(-20 * time.Second), Client: "claude-code", Tool: "search_code",
				Project: "/home/ada/code/engine", Query: "where are refresh tokens rotated", Results: 10, Role: api.RoleAssistant,
				AnswerBytes: 2310, FileBytes: 121000, Took: 42 * time.Millisecond},
			{Time: now.Add(-40 * time.Second), Client: "claude-code", Tool: "get_index_status",
				Project: "/home/ada/code/engine", Took: time.Millisecond},
			{Time: now.Add(-42 * time.Second), Client: "claude-code", Tool: "list_projects", Took: time.Millisecond},
			{Time: now.Add(-95 * time.Second), Client: "claude-code", Tool: "search_by_path",
				Project: "/home/ada/code/engine", Query: "**/auth*.go", Results: 4, Took: 3 * time.Millisecond},
			{Time: now.Add(-9 * time.Minute), Client: "Cursor", Tool: "search_docs", Project: "/home/ada/code/webapp",
				Query: "how do I run the migrations", Error: "INDEX_NOT_FOUND", Took: time.Millisecond},
			{Time: now.Add(-10 * time.Minute), Tool: "update", Project: "/home/ada/code/engine", Results: 4812},
			{Time: now.Add(-38 * time.Minute), Tool: "create_index", Project: "/home/ada/code/webapp", Results: 2310,
				Took: 3 * time.Minute},
			{Time: now.Add(-40 * time.Minute), Client: "codex", Tool: "create_index", Project: "/home/ada/code/webapp",
				Took: 26 * time.Second},
		},
		today: api.Today{Searches: map[string]int{"claude-code": 14, "Cursor": 3}, AnswerBytes: 41300, FileBytes: 1310000,
			Last: map[string]time.Time{"claude-code": now.Add(-20 * time.Second), "Cursor": now.Add(-9 * time.Minute)}},
		sessions: []wire.Session{
			{Client: "claude-code 2.1.0", Role: wire.RoleBridge, Project: "/home/ada/code/engine",
				Since: now.Add(-2 * time.Hour), Calls: 143, Last: now.Add(-20 * time.Second)},
			{Client: "Cursor 3.2", Role: wire.RoleBridge, Since: now.Add(-20 * time.Minute), Calls: 6},
			{Client: "the Search MCP window", Role: wire.RoleWindow, Since: now.Add(-time.Minute), Calls: 12},
		},
		findings: []api.Finding{
			{OK: true, Subject: "data folder", Text: "/home/ada/.mcp/search is private and writable"},
			{OK: true, Subject: "model", Text: "all-MiniLM-L6-v2 is loaded"},
			{OK: false, Subject: "project notes",
				Text:   "This project's folder can't be found. Its index is kept; searches answer from it.",
				Detail: "PROJECT_OFFLINE: /media/ada/stick/notes does not exist",
				Remedy: "Connect the disk, or say where the folder is now (in the window under Projects, Locate…)."},
		},
	}
	return f
}

func hits() []api.Hit {
	login := "// rotate replaces a refresh token that was used, so that a stolen one is worth nothing\n" +
		"// after its owner has come back.\nfunc (s *Sessions) rotate(ctx context.Context, old Token) (Token, error) {\n" +
		"\tif old.Expires.Before(s.now()) {\n\t\treturn Token{}, ErrExpired\n\t}\n" +
		"\tfresh, err := s.mint(ctx, old.User, 30*24*time.Hour)\n\tif err != nil {\n" +
		"\t\treturn Token{}, fmt.Errorf(\"rotate refresh token: %w\", err)\n\t}\n" +
		"\treturn fresh, s.store.Replace(ctx, old.ID, fresh)\n}\n"
	return []api.Hit{
		{Path: "internal/auth/session.go", Text: login, Score: 0.93, StartLine: 118, EndLine: 130, Language: "go",
			Breadcrumb: "Sessions › rotate"},
		{Path: "internal/auth/token.go",
			Text: "type Token struct {\n\tID      string\n\tUser    string\n\tExpires time.Time\n}\n", Score: 0.81,
			StartLine: 9, EndLine: 13, Breadcrumb: "Token"},
		{Path: "internal/http/middleware/authenticate.go",
			Text: "func Authenticate(next http.Handler) http.Handler {\n\treturn nil\n}\n", Score: 0.77, StartLine: 44,
			EndLine: 46, Breadcrumb: "Authenticate", Stale: true},
		{Path: "internal/auth/session_test.go", Text: "func TestRotate(t *testing.T) {\n}\n", Score: 0.52,
			StartLine: 20, EndLine: 21, Breadcrumb: "TestRotate"},
	}
}

func many(n int) *fake {
	f := busy()
	f.status.Projects = nil
	for i := range n {
		name := fmt.Sprintf("service-%02d", i+1)
		f.status.Projects = append(f.status.Projects, project(name, name, "/home/ada/work/platform/"+name,
			api.StateReady, 120+i*37))
	}
	return f
}

func question(id string, a api.Action, root, name, asker string) api.Question {
	p := busy().preview
	q := api.Question{
		ID: id, Action: a, Project: root, Name: name, Asker: asker, Asked: now, Expires: now.Add(2 * time.Minute),
		CanAlways: a == api.ActionCreate,
		Title:     asker + " wants to index " + name, Preview: &p,
		Text: "Index this project so that it can be searched? Its files are read on this computer only and nothing is sent " +
			"anywhere.\n\nProject: " + root,
	}
	switch a {
	case api.ActionDelete:
		q.Title, q.Preview = asker+" wants to delete the index of "+name, nil
		q.Text = "Delete the index for this project? This cannot be undone.\n\nProject: " + root
	case api.ActionReindex:
		q.Title = asker + " wants to rebuild the index of " + name
		q.Text = "This will rebuild the entire index. Continue?\n\nProject: " + root
	}
	return q
}

var errSocket = errors.New("read unix: connection reset by peer")

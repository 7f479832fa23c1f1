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
	"testing"
	"time"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
)

type fake struct {
	meanwhile func() // called during a search
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
	usage     api.Usage
	findings  []api.Finding
	sources   wire.Sources
	report    api.SiteReport
	docs      api.Results
	lines     api.GrepResults
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

func (f *fake) Agreed(_ context.Context, a api.Action, root string) error {
	did, _, _ := strings.Cut(string(a), "_")
	return f.note("%s %s", did, root)
}

func (f *fake) Reporting(progress func(done, total int)) wire.Caller {
	progress(1, 3)
	return f
}

func (f *fake) Call(_ context.Context, method string, params, result any) error {
	if serve, known := f.methods()[method]; known {
		return serve(params, result)
	}
	return f.note("%s %v", strings.TrimPrefix(method, wire.Prefix), params)
}

type served map[string]func(params, result any) error

func serve[P, R any](s served, m wire.Method[P, R], answer func(P) (R, error)) {
	s[string(m)] = func(params, result any) (err error) {
		*result.(*R), err = answer(params.(P))
		return err
	}
}

func (f *fake) methods() served {
	s := served{}
	serve(s, wire.MethodStatus, func(wire.Empty) (wire.Status, error) { return f.status, nil })
	serve(s, wire.MethodPreview, func(p wire.ProjectRef) (api.Preview, error) {
		v := f.preview
		v.Root = p.Project
		return v, f.note("preview %s", p.Project)
	})
	serve(s, wire.MethodPause, func(p wire.ProjectRef) (none wire.Empty, err error) {
		f.status.Paused = true
		return none, f.note("pause %s", p.Project)
	})
	serve(s, wire.MethodResume, func(p wire.ProjectRef) (none wire.Empty, err error) {
		f.status.Paused = false
		return none, f.note("resume %s", p.Project)
	})
	serve(s, wire.MethodQuit, func(none wire.Empty) (wire.Empty, error) { return none, f.note("quit") })
	serve(s, wire.MethodAnswer, func(a wire.AnswerQuestion) (none wire.Empty, err error) {
		return none, f.note("answer %s %s", a.ID, a.Answer)
	})
	serve(s, wire.MethodSearch, func(q wire.Search) (api.Results, error) {
		if f.meanwhile != nil {
			f.meanwhile()
		}
		err := f.note("%s", strings.TrimSpace(fmt.Sprintf("search %s %s %s %s %s", strings.Join(q.Projects, " "),
			q.Query.Corpus, q.Query.Text, q.Query.Language, q.Query.PathGlob)))
		if q.Query.Corpus != api.CorpusDocs {
			return f.results, err
		}
		if err = cmp.Or(err, f.noDocs); err != nil {
			return api.Results{}, err
		}
		return f.docs, nil
	})
	serve(s, wire.MethodGrep, func(q wire.Grep) (api.GrepResults, error) {
		return f.lines, f.note("grep %s %+v", strings.Join(q.Projects, " "), q.Query)
	})
	serve(s, wire.MethodFiles, func(q wire.Files) (api.FileResults, error) {
		return f.files, f.note("files %s %s", strings.Join(q.Projects, " "), q.Query.Pattern)
	})
	serve(s, wire.MethodSourcesSearch, func(q wire.SourceSearch) (wire.SourceResults, error) {
		return f.outside, f.note("sources %s", q.Text)
	})
	serve(s, wire.MethodFileText, func(q wire.FileText) (api.FileText, error) {
		return f.text, f.note("text %s %s:%d", q.Project, q.Path, q.Line)
	})
	serve(s, wire.MethodSymbol, func(q wire.Symbol) (api.SymbolResults, error) {
		return f.symbols, f.note("symbol %s %s %v", q.Projects[0], q.Query.Name, q.Query.Uses)
	})
	serve(s, wire.MethodOutline, func(q wire.Outline) (api.Outline, error) {
		return f.outlined, f.note("outline %s %s", q.Project, q.Query.Path)
	})
	serve(s, wire.MethodConfigGet, func(wire.ProjectRef) (wire.ConfigText, error) {
		return wire.ConfigText{Text: f.config, Problems: f.problems}, nil
	})
	serve(s, wire.MethodConfigSet, func(c wire.ConfigText) (wire.ConfigText, error) {
		f.config, c.Problems = c.Text, f.problems
		return c, f.note("set config")
	})
	serve(s, wire.MethodConfigTry, func(c wire.ConfigText) (wire.ConfigTried, error) {
		p := f.preview
		p.Files = 4812
		if strings.Contains(c.Text, "src/auth/**") {
			p.Files, p.Skipped = 4810, api.Skipped{api.SkipExcluded: 2}
			p.Examples = map[api.Reason][]string{api.SkipExcluded: {"src/auth/login.ts"}}
		}
		return wire.ConfigTried{Preview: p, Problems: f.problems}, f.note("try config")
	})
	serve(s, wire.MethodSettingsGet, func(wire.Empty) (map[string]any, error) { return maps.Clone(f.settings), nil })
	serve(s, wire.MethodSettingsSet, func(c map[string]any) (map[string]any, error) {
		err := f.note("set %v", c)
		if err == nil {
			maps.Copy(f.settings, c)
		}
		return maps.Clone(f.settings), err
	})
	serve(s, wire.MethodSources, func(wire.Empty) (wire.Sources, error) { return f.sources, nil })
	serve(s, wire.MethodSiteValidate, func(at api.SiteLocation) (api.SiteReport, error) {
		return f.report, f.note("check site %s", at.URL)
	})
	serve(s, wire.MethodArchiveImport, func(x wire.ArchiveImport) (api.ArchiveReport, error) {
		return api.ArchiveReport{Folder: x.Dir, Documents: 3, Added: 3, Citations: 7, Resolved: 2},
			f.note("import %s", x.Dir)
	})
	serve(s, wire.MethodLogs, func(q wire.LogQuery) ([]string, error) { return f.logs, f.note("logs %s", q.Level) })
	serve(s, wire.MethodActivity, func(wire.Empty) ([]api.Activity, error) { return f.activity, f.fail })
	serve(s, wire.MethodUsage, func(wire.Empty) (api.Usage, error) { return f.usage, nil })
	serve(s, wire.MethodAsked, func(a wire.SearchUse) (none wire.Empty, err error) {
		if a.Opened {
			return none, f.note("opened")
		}
		return none, f.note("asked %s", strings.Join(a.Projects, " "))
	})
	serve(s, wire.MethodSessions, func(wire.Empty) ([]wire.Session, error) { return slices.Clone(f.sessions), nil })
	serve(s, wire.MethodDoctor, func(wire.ProjectRef) ([]api.Finding, error) { return f.findings, nil })
	return s
}

type desk struct {
	opened, revealed []string
	auto             bool
	started          int
	editors          []connect.Status
	applied          []string // titles of applied changes
	noted            bool     // the project has the paragraph
	openers          []connect.Opener
	notices          []present.Notice
	pressed          func(button string) // calls back from the last notification
	buttons          bool                // notifications have buttons
	unopened         error               // error of opening a file
}

func (d *desk) Notify(_ context.Context, n present.Notice, pressed func(string)) bool {
	d.notices, d.pressed = append(d.notices, n), pressed
	return d.buttons
}

func (d *desk) OpenPage(address string) error { d.opened = append(d.opened, address); return nil }

func (d *desk) Editors(context.Context) ([]connect.Status, error) {
	return slices.Clone(d.editors), nil
}

func (d *desk) Snippet(editor string) string {
	if editor != "" {
		return "what belongs into the settings of " + editor
	}
	return "{\n  \"mcpServers\": {\n    \"search\": {\"command\": \"/usr/lib/search-mcp/search-mcp\", " +
		"\"args\": [\"mcp\"]}\n  }\n}"
}

func (d *desk) turn(id string, to connect.State) page.Change {
	i := slices.IndexFunc(d.editors, func(e connect.Status) bool { return e.ID == id })
	return page.Change{Title: d.editors[i].Name, File: d.editors[i].File, After: "Available in the next session.",
		Lines: []string{"- {}", "+ {", "+   \"mcpServers\": {",
			"+     \"search\": {\"command\": \"/usr/lib/search-mcp/search-mcp\", \"args\": [\"mcp\"]}", "+   }", "+ }"},
		Apply: func(context.Context) (string, error) {
			d.editors[i].State = to
			d.applied = append(d.applied, id)
			return d.editors[i].File + ".2026-03-12", nil
		}}
}

func (d *desk) Connect(_ context.Context, id string) (page.Change, error) {
	return d.turn(id, connect.Connected), nil
}

func (d *desk) Disconnect(_ context.Context, id string) (page.Change, error) {
	return d.turn(id, connect.Free), nil
}

func (d *desk) Note(_ context.Context, project, _ string, remove bool) ([]page.Change, error) {
	if d.noted != remove {
		return nil, nil
	}
	return []page.Change{{Title: "AGENTS.md", File: project + "/AGENTS.md", Lines: []string{"+ ## Searching this project"},
		Apply: func(context.Context) (string, error) { d.noted = !remove; return "", nil }}}, nil
}

func (d *desk) Openers(context.Context) ([]connect.Opener, error) { return d.openers, nil }

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

func busy() *fake {
	web := project("b", "webapp", "/home/ada/code/webapp", api.StateEmbedding, 2310)
	web.Vectors = 5900
	web.Progress = &api.Progress{JobID: "job-1", Action: api.ActionCreate, Phase: api.PhaseEmbedding, FilesDone: 2310,
		FilesTotal: 2310, ChunksDone: 5900, ChunksTotal: 13860, Left: 3 * time.Minute, Started: now.Add(-2 * time.Minute)}
	gone := project("d", "notes", "/media/ada/stick/notes", api.StateOffline, 88)
	gone.Problem = api.New(api.ProjectOffline,
		"This project's folder can't be found. Its index is kept; "+
			"only searches by words, meaning and path answer from it.", "lstat: no such file", nil)
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
			page.KeyActivity: true, page.KeySaveActivity: false, "pauseOnBattery": true, "pauseUnderLoad": false,
			page.KeyDocuments: true, page.KeySites: true, page.KeyArchives: true, page.KeyNamed: false,
			page.KeyNamedMB: 256.0},
		sources: wire.Sources{
			Documents: []api.DocumentSource{
				{DocumentFolder: api.DocumentFolder{Root: "/home/ada/code/engine"}, Origin: api.OriginProject, Documents: 240},
				{DocumentFolder: api.DocumentFolder{Root: "/home/ada/code/webapp"}, Origin: api.OriginProject, Reading: true},
				{DocumentFolder: api.DocumentFolder{Root: "/home/ada/documents/handbook"}, Origin: api.OriginAdded,
					Documents: 1204},
			},
			Sites: []api.Site{
				{SiteLocation: api.SiteLocation{URL: "https://docs.example.org/search-index.json"},
					SiteWords: api.SiteWords{Name: "Example documentation", Domain: "docs.example.org"},
					Tool:      "search_docs_site", Pages: 1204, Checked: now.Add(-3 * time.Hour)},
				{SiteLocation: api.SiteLocation{URL: "s3://handbook/index.json"}, Tool: "search_handbook",
					SiteWords: api.SiteWords{Name: "Handbook", Domain: "handbook.example.org"},
					Pages:     88, Checked: now.Add(-50 * time.Hour), Problem: "the server answered 503"},
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
			`time=2026-03-12T14:22:10.001Z level=WARN msg="no window opened to show a question" action=create_index`,
		},
		activity: []api.Activity{
			{Time: now.Add(-20 * time.Second), Client: "claude-code", Tool: "search_code", Project: "/home/ada/code/engine",
				Query: "where are refresh tokens rotated", Results: 10, Role: api.RoleAssistant, Took: 42 * time.Millisecond},
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
		usage: api.Usage{Days: []api.UsageDay{
			{Day: "2026-03-09", Searches: map[string]int{"claude-code": 31},
				Projects: map[string]int{"/home/ada/code/engine": 30}},
			{Day: "2026-03-11", Searches: map[string]int{"claude-code": 8, "the Search MCP window": 12}, Opened: 5,
				Projects: map[string]int{"/home/ada/code/engine": 8}},
			{Day: "2026-03-12", Searches: map[string]int{"claude-code": 14, "Cursor": 3},
				Projects: map[string]int{"/home/ada/code/engine": 12, "/home/ada/code/webapp": 5},
				Took:     map[int]int{38: 6, 42: 9, 310: 2}}},
			Last: map[string]time.Time{"claude-code": now.Add(-20 * time.Second), "Cursor": now.Add(-9 * time.Minute)}},
		sessions: []wire.Session{
			{Client: "claude-code 2.1.0", Role: api.RoleAssistant, Project: "/home/ada/code/engine",
				Since: now.Add(-2 * time.Hour), Calls: 143, Last: now.Add(-20 * time.Second)},
			{Client: "Cursor 3.2", Role: api.RoleAssistant, Project: "/home/ada/code/webapp",
				Since: now.Add(-20 * time.Minute), Calls: 6},
			{Client: "the Search MCP window", Role: api.RoleWindow, Since: now.Add(-time.Minute), Calls: 12},
		},
		findings: []api.Finding{
			{OK: true, Subject: "data folder", Text: "/home/ada/.mcp/search is private and writable"},
			{OK: true, Subject: "model", Text: "all-MiniLM-L6-v2 is loaded"},
			{OK: false, Subject: "project notes",
				Text: "This project's folder can't be found. Its index is kept; " +
					"only searches by words, meaning and path answer from it.",
				Detail: "PROJECT_OFFLINE: /media/ada/stick/notes does not exist",
				Remedy: "Connect the disk, or click Locate… under Projects and choose the folder's new location."},
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
	all := []api.Hit{
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
	for i := range all {
		for n, text := range strings.Split(strings.TrimRight(all[i].Text, "\n"), "\n") {
			all[i].Lines = append(all[i].Lines, api.Line{Number: all[i].StartLine + n, Text: text})
		}
	}
	return all
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

func question(id string, a api.Action, root, name, client string) api.Question {
	p := busy().preview
	q := api.Question{
		ID: id, Action: a, Project: root, Name: name, Client: client, Asked: now, Expires: now.Add(2 * time.Minute),
		CanAlways: a == api.ActionCreate,
		Title:     client + " wants to index " + name, Preview: &p,
		Text: "Index this project so that it can be searched? Its files are read on this computer only and nothing is sent " +
			"anywhere.\n\nProject: " + root,
	}
	switch a {
	case api.ActionDelete:
		q.Title, q.Preview = client+" wants to delete the index of "+name, nil
		q.Text = "Delete the index for this project? This cannot be undone.\n\nProject: " + root
	case api.ActionReindex:
		q.Title = client + " wants to rebuild the index of " + name
		q.Text = "This will rebuild the entire index. Continue?\n\nProject: " + root
	}
	return q
}

var errSocket = errors.New("read unix: connection reset by peer")

// wantEqual ends the test if got isn't want. The format names got.
func wantEqual[T comparable](t *testing.T, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

// wantPart reports a text without part. The format names the text.
func wantPart(t *testing.T, text, part, format string, args ...any) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: no %q in %s", fmt.Sprintf(format, args...), part, text)
	}
}

// wantList ends the test if got isn't want. The format names got.
func wantList[T comparable](t *testing.T, got, want []T, format string, args ...any) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %v, want %v", fmt.Sprintf(format, args...), got, want)
	}
}

// wantSheet ends the test if the open sheet doesn't have title, or if a sheet is open and title is "".
func wantSheet(t *testing.T, w *Window, title string) {
	t.Helper()
	if w.Sheet == nil && title != "" || w.Sheet != nil && w.Sheet.Title != title {
		t.Fatalf("sheet %+v, want %q", w.Sheet, title)
	}
}

// wantPrefix reports a text without prefix. The format names the text.
func wantPrefix(t *testing.T, text, prefix, format string, args ...any) {
	t.Helper()
	if !strings.HasPrefix(text, prefix) {
		t.Errorf("%s: %q, want %q …", fmt.Sprintf(format, args...), text, prefix)
	}
}

// wantButton ends the test if the visible page has no button with label, or has one and shown is false.
func wantButton(t *testing.T, w *Window, label present.Text, shown bool) {
	t.Helper()
	if (find(w, label) != nil) != shown {
		t.Fatalf("the button %q is shown: %v", label, !shown)
	}
}

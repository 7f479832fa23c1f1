package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/client/clienttest"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"search-mcp": func() {
			os.Exit(Run(context.Background(), Env{
				Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
				Launcher: &client.Launcher{Program: fakeApp()},
			}))
		},
		"fake-app": func() {
			if len(os.Args) > 1 && os.Args[1] == client.DetachFlag {
				dir, err := ipc.DataDir()
				if err != nil {
					panic(err)
				}
				exit, err := client.Detach(context.Background(), dir, fakeApp(), os.Args[2:]...)
				if err != nil {
					panic(err)
				}
				os.Exit(exit)
			}
			clienttest.Main((&script{hellos: map[*clienttest.Conn]wire.Hello{}}).handle)
			os.Exit(0)
		},
	})
}

// fakeApp returns the fake app next to this program, or in PATH if programs are links.
func fakeApp() string {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "fake-app")
		if _, err := os.Stat(beside); err == nil {
			return beside
		}
	}
	path, err := exec.LookPath("fake-app")
	if err != nil {
		panic(err)
	}
	return path
}

// script is the fake app's handler.
type script struct {
	mu       sync.Mutex
	hellos   map[*clienttest.Conn]wire.Hello
	settings map[string]any
	job      chan struct{} // of the project "slow"; closed by a cancel
}

func (s *script) handle(ctx context.Context, m *clienttest.Message) (any, error) {
	switch m.Method {
	case string(wire.MethodHello):
		h := decode[wire.Hello](m)
		s.mu.Lock()
		s.hellos[m.Conn] = h
		s.mu.Unlock()
		return nil, nil
	case string(wire.MethodStatus):
		updated := time.Now().Add(-2 * time.Minute)
		p := api.Project{ID: "1", Name: "demo", Roots: []api.Root{{Path: "/demo"}}, State: api.StateReady, Files: 4812,
			LastUpdated: updated}
		s.mu.Lock()
		if s.job != nil {
			p.Progress = &api.Progress{JobID: "job", Action: api.ActionCreate}
		}
		s.mu.Unlock()
		return wire.Status{Version: "test", Started: updated, Model: "loaded", Projects: []api.Project{p},
			Unread: []string{"bomb.pdf", "deep\x1b.md", "two\nlines\t.md"}}, nil
	case string(wire.MethodCancel):
		s.mu.Lock()
		defer s.mu.Unlock()
		close(s.job)
		s.job = nil
		return wire.Empty{}, nil
	case string(wire.MethodArchiveRemove):
		return api.ArchiveInfo{Path: "/archive"}, nil
	case string(wire.MethodSubscribe), string(wire.MethodPause), string(wire.MethodResume):
		return wire.Empty{}, nil
	case string(wire.MethodSearch):
		return s.search(m)
	case string(wire.MethodLanguages):
		return []string{"go", "python"}, nil
	case string(wire.MethodFiles):
		f := decode[wire.Files](m)
		if f.Query.Pattern == "nothing" && f.Query.Words {
			return api.FileResults{}, nil
		}
		all := []string{"a.go", "b c.go", "c.go"}
		return api.FileResults{Matches: all[:min(len(all), f.Query.Limit)], Total: len(all)}, nil
	case string(wire.MethodOutline):
		if q := decode[wire.Outline](m).Query; q.Name != "" || q.Line > 9 {
			return api.Outline{Notes: []string{"This file has no such declaration."}}, nil
		}
		return api.Outline{}, nil
	case string(wire.MethodSymbol):
		return api.SymbolResults{Like: true, Definitions: []api.SymbolDefinition{{Name: "login", Path: "a.go", Line: 7,
			Signature: "func login()"}}}, nil
	case string(wire.MethodGrep):
		return api.GrepResults{Notes: []string{"No indexed file matches the path."}}, nil
	case string(wire.MethodRootAdd), string(wire.MethodRootDel):
		r := decode[wire.RootChange](m)
		return api.Project{Name: "demo", Roots: []api.Root{{Path: "/demo"}, {Name: r.Name, Path: r.Dir}}}, nil
	case string(wire.MethodSettingsGet), string(wire.MethodSettingsSet):
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.settings == nil {
			s.settings = map[string]any{"autostart": true}
		}
		var changes map[string]any
		if m.Method == string(wire.MethodSettingsSet) {
			if err := m.Decode(&changes); err != nil {
				return nil, err
			}
		}
		for k, v := range changes {
			s.settings[k] = v
		}
		return s.settings, nil
	case string(wire.MethodLogs):
		return []string{"one \x1b[31mred", "two"}, nil
	case string(wire.MethodSessions):
		return []wire.Session{{ID: "1", Role: api.RoleAssistant, Client: "Editor 2", Version: "0.9"},
			{ID: "2", Role: api.RoleTerminal, Version: "0.8"}}, nil
	case string(wire.MethodDoctor):
		return []api.Finding{{OK: true, Subject: "Model", Text: "loaded"}, {Subject: "project gone", Text: "away"},
			{OK: true, Subject: "project a", Text: "Left out: 1.", Routine: true}, {OK: true, Subject: "project a",
				Text: "all agree", Routine: true}, {OK: true, Subject: "project b", Text: "all agree", Routine: true}, {OK: true,
				Subject: "project b", Text: "Watching: slowly"}, {OK: true, Subject: "project gone", Text: "all agree",
				Routine: true}, {Subject: "Disk", Text: "full", Remedy: "Free some space."}}, nil
	case string(wire.MethodSources):
		return wire.Sources{Named: api.NamedIndexes{Indexes: []api.NamedSummary{{Name: "notes", Documents: 3}}},
			Sites: []api.Site{{SiteWords: api.SiteWords{Prefix: "manual", Name: "The manual"}}}, Documents: []api.DocumentSource{
				{DocumentFolder: api.DocumentFolder{Root: "/demo"}, Documents: 12, LeftOut: manyLeftOut()},
				{DocumentFolder: api.DocumentFolder{Root: "/gone"}, Problem: "The folder can't be found."},
			}}, nil
	case string(wire.MethodDocsSearch):
		in := decode[api.DocumentQuery](m)
		if in.Text == "nothing" {
			return wire.SourceResults{}, nil
		}
		s.mu.Lock()
		docs := s.hellos[m.Conn].Docs
		s.mu.Unlock()
		return wire.SourceResults{TotalDocuments: 5, Documents: []api.DocumentHit{{File: filepath.Join(docs, "a.md"),
			Title: "A", Section: "Of it", Excerpt: fmt.Sprint(in, " \x1b[31m\nof it")}}}, nil
	case string(wire.MethodArchiveImport):
		in := decode[wire.ArchiveImport](m)
		if filepath.Base(in.Dir) == "broad" && !in.Broad {
			return nil, api.New(api.ConfirmationRequired, "That is a home folder.", "broad", nil)
		}
		return api.ArchiveReport{Documents: 7}, nil
	case "tools/list":
		s.mu.Lock()
		defer s.mu.Unlock()
		names := []map[string]string{}
		if s.hellos[m.Conn].Docs != "" {
			names = append(names, map[string]string{"name": "search_documents"})
		}
		return map[string]any{"tools": names}, nil
	case "tools/call":
		return s.tool(ctx, m)
	}
	return nil, nil
}

func decode[P any](m *clienttest.Message) (p P) {
	if err := m.Decode(&p); err != nil {
		panic(err)
	}
	return p
}

func manyLeftOut() []string {
	out := []string{"build/: folders of that name are left out"}
	for i := range 30 {
		out = append(out, fmt.Sprintf("big%02d.txt: the file is too large", i))
	}
	return out
}

func (s *script) search(m *clienttest.Message) (any, error) {
	q := decode[wire.Search](m)
	if q.Query.Text == "nothing" {
		return nil, api.ErrIndexNotFound("abc")
	}
	if q.Query.Text == "lost" && len(q.Projects) == 0 {
		return nil, api.ErrProjectNotDetected()
	}
	switch docs := q.Query.Corpus == api.CorpusDocs; {
	case docs && q.Query.Text == "rye flour", docs && q.Query.Text == "x": // no code matches the first query
	case docs && strings.HasPrefix(q.Query.Text, "vague"):
		return api.Results{Hits: []api.Hit{{Path: "CHANGELOG.md", StartLine: 1}, {Path: "guide.md", StartLine: 1}}}, nil
	case docs:
		return nil, api.ErrDocsIndexNotFound("demo")
	case q.Query.Text == "rye flour", q.Query.Text == "none":
		return api.Results{Hits: []api.Hit{}}, nil
	}
	if kind, _, _ := strings.Cut(q.Query.Text, " "); kind == "weak" || kind == "fading" || kind == "vague" {
		hits := []api.Hit{{Path: "a.go", StartLine: 1, Weak: kind != "fading"},
			{Path: "b.go", StartLine: 1, Weak: true}}
		return api.Results{Total: 2, Hits: hits}, nil
	}
	if q.Query.Text == "wide" {
		if q.Query.Detail != api.DetailShort { // assistants get shorter excerpts for lower ranks
			return nil, errors.New("not as people are answered")
		}
		return api.Results{Total: 1, Hits: []api.Hit{{Path: "src/code.go", Best: 60,
			Lines: []api.Line{{Number: 60, Text: strings.Repeat("x = ", 30) + "wide"},
				{Number: 61, Text: strings.Repeat("y = ", 30)}}}}}, nil
	}
	return api.Results{Total: 12, Hits: []api.Hit{{
		Project: strings.Join(q.Projects, "+"),
		Path:    "src/" + string(q.Query.Corpus) + ".go", StartLine: 45, EndLine: 60, Score: 0.92,
		Text: "func login() {\n…52\n\treturn token\n}", Breadcrumb: "auth", Stale: true, Best: 52,
		Lines: []api.Line{{Number: 45, Text: "func login() {"}, {Number: 52, Text: "\treturn token"},
			{Number: 53, Text: "}"}},
		Explain: []api.Factor{{Name: "words", Value: 0.5, Note: q.Query.PathGlob + q.Query.Language}}}}}, nil
}

func (s *script) tool(ctx context.Context, m *clienttest.Message) (any, error) {
	var p struct {
		Name      string
		Arguments map[string]any
		Meta      map[string]any `json:"_meta"`
	}
	if err := m.Decode(&p); err != nil {
		return nil, err
	}
	s.mu.Lock()
	hello := s.hellos[m.Conn]
	s.mu.Unlock()
	switch p.Name {
	case "get_index_status":
		return clienttest.Text(map[string]any{"status": "ready", "projectPath": "/demo", "totalFiles": 4812,
			"watcherActive": true, "lastUpdated": time.Now().Add(-2 * time.Minute).Format(time.RFC3339)}), nil
	case "search_index":
		return clienttest.Text(api.NamedAnswer{Total: 4, Results: []api.NamedResult{{DocID: "n1",
			Highlights: []string{fmt.Sprint(p.Arguments["query"], " in ", p.Arguments["index_name"], " \x1b[31m")},
			Metadata:   []byte(`{"by":"me"}`)}}}), nil
	case "reindex_file":
		return clienttest.Text(map[string]any{"status": "success", "path": p.Arguments["path"], "chunksCreated": 3}), nil
	}
	path := hello.Project
	if given, ok := p.Arguments["project"].(string); ok {
		path = given
	}
	if filepath.Base(path) == "slow" {
		job := make(chan struct{})
		s.mu.Lock()
		s.job = job
		s.mu.Unlock()
		if err := m.Conn.Notify(wire.NotifyEvent, api.Event{Kind: api.EventProgress, Progress: &api.Progress{
			Action: api.ActionCreate, Phase: api.PhaseIndexing, Started: time.Now()}}); err != nil {
			return nil, err
		}
		select {
		case <-job:
		case <-ctx.Done():
		}
		return clienttest.Text(map[string]any{"status": "cancelled", "projectPath": path}), nil
	}
	questions := 1
	if filepath.Base(path) == "broad" {
		questions = 2
	}
	for range questions {
		if p.Meta[wire.MetaConsent] == string(api.Accept) && questions == 1 {
			break
		}
		form := map[string]any{"message": "Index this project? 12 files.", "requestedSchema": map[string]any{"type": "object",
			"properties": map[string]any{"confirm": map[string]any{"type": "boolean"},
				"always": map[string]any{"type": "boolean"}}}}
		answer, err := m.Conn.Ask(ctx, "elicitation/create", form)
		if err != nil {
			return nil, err
		}
		var r client.ElicitResult
		if err := json.Unmarshal(answer.Result, &r); err != nil {
			return nil, err
		}
		if r.Action != client.ElicitAccept || r.Content["confirm"] != true {
			return clienttest.Text(map[string]any{"status": "cancelled", "projectPath": path}), nil
		}
	}
	return clienttest.Text(map[string]any{"status": "success", "projectPath": path, "filesIndexed": 450,
		"chunksCreated": 1205, "duration": "45s"}), nil
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			data := filepath.Join(env.WorkDir, "data")
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv(ipc.DataEnv, data)
			env.Setenv("HOME", home)
			env.Defer(func() { stopFake(t, data); stopFake(t, filepath.Join(home, ".mcp", "search")) })
			return os.MkdirAll(home, 0o700)
		},
	})
}

func stopFake(t *testing.T, data string) {
	c, err := client.Connect(context.Background(), client.Options{DataDir: data})
	if errors.Is(err, ipc.ErrNotListening) {
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	if err := wire.MethodQuit.Do(context.Background(), c, wire.Empty{}); err != nil && !errors.Is(err, client.ErrClosed) {
		t.Error(err)
	}
	<-c.Done()
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

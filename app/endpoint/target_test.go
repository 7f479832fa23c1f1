package endpoint

import (
	"strings"
	"testing"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// which returns the project that get_index_status reports, or the error's code.
func which(t *testing.T, p *peer, args map[string]any) string {
	t.Helper()
	r := p.tool("get_index_status", args)
	if r.IsError {
		return r.code()
	}
	return r.field(t, "projectPath").(string)
}

func TestWhichProject(t *testing.T) {
	for _, test := range []struct {
		name     string
		projects []string
		hello    wire.Hello
		arg      string
		want     string
	}{
		{"argument beats all", []string{"a", "b"}, wire.Hello{Project: "/p/b", Dir: "/p/b"}, "/p/a", "/p/a"},
		{"argument by name", []string{"a", "b"}, wire.Hello{Project: "/p/b"}, "a", "/p/a"},
		{"argument below a root", []string{"a", "b"}, wire.Hello{}, "/p/a/src/deep", "/p/a"},
		{"argument, not registered", []string{"a"}, wire.Hello{}, "/p/z", "/p/z"},
		{"argument relative to the session", []string{"a"}, wire.Hello{Dir: "/p/z"}, ".", "/p/z"},
		{"argument by hand may be broad", nil, wire.Hello{}, "/", "/"},
		{"argument unknown", []string{"a"}, wire.Hello{}, "zzz", "INVALID_ARGUMENT"},
		{"argument gone", []string{"a"}, wire.Hello{}, "/gone", "INVALID_ARGUMENT"},
		{"argument misspelt below a root", []string{"a"}, wire.Hello{}, "/p/a/gone", "INVALID_ARGUMENT"},
		{"a root on a disk that is gone", []string{"gone"}, wire.Hello{}, "/p/gone", "/p/gone"},
		{"dot is --project", []string{"a", "b"}, wire.Hello{Project: "/p/b", Dir: "/p/a"}, ".", "/p/b"},
		{"dot is --project's name", []string{"a", "b"}, wire.Hello{Project: "b", Dir: "/p/a"}, ".", "/p/b"},
		{"dot is CLAUDE_PROJECT_DIR", []string{"a", "b"}, wire.Hello{ClaudeProjectDir: "/p/b", Dir: "/p/a"}, ".", "/p/b"},
		{"--project misspelt below a root", []string{"a"}, wire.Hello{Project: "/p/a/gone", Dir: "/p/a"}, "",
			"INVALID_ARGUMENT"},
		{"--project", []string{"a", "b"}, wire.Hello{Project: "/p/b", ClaudeProjectDir: "/p/a", Dir: "/p/a"}, "", "/p/b"},
		{"--project gone", []string{"a"}, wire.Hello{Project: "/gone"}, "", "INVALID_ARGUMENT"},
		{"CLAUDE_PROJECT_DIR", []string{"a", "b"}, wire.Hello{ClaudeProjectDir: "/p/b/sub", Dir: "/p/detect/me"}, "", "/p/b"},
		{"CLAUDE_PROJECT_DIR ~", []string{"a"}, wire.Hello{ClaudeProjectDir: "~/a", Dir: "/p/a"}, "", "INVALID_ARGUMENT"},
		{"CLAUDE_PROJECT_DIR gone", []string{"a", "b"}, wire.Hello{ClaudeProjectDir: "/gone",
			Dir: "/p/detect/me"}, "", "/p/detect"},
		{"CLAUDE_PROJECT_DIR is the home folder", []string{"a", "b"}, wire.Hello{ClaudeProjectDir: "/home/u",
			Dir: "/p/detect/me"}, "", "/p/detect"},
		{"detection", []string{"a", "b"}, wire.Hello{Dir: "/p/detect/me"}, "", "/p/detect"},
		{"detection finds nothing broad", []string{"a", "b"}, wire.Hello{Dir: "/home/u/x"}, "", "PROJECT_NOT_DETECTED"},
		{"detection within a registered project", []string{"a", "b"}, wire.Hello{Dir: "/p/a/inner/x"}, "", "/p/a"},
		{"working directory within a registered project", []string{"a", "b"}, wire.Hello{Dir: "/p/b/unmarked"}, "", "/p/b"},
		{"the only one", []string{"a"}, wire.Hello{Dir: "/tmp"}, "", "/p/a"},
		{"none of two", []string{"a", "b"}, wire.Hello{Dir: "/tmp"}, "", "PROJECT_NOT_DETECTED"},
		{"none at all", nil, wire.Hello{}, "", "PROJECT_NOT_DETECTED"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(test.projects...)
			f.detect = map[string]string{"/p/detect/me": "/p/detect", "/home/u/x": "/home/u", "/p/a/inner/x": "/p/a/inner"}
			p := serve(t, f).peer(t, &test.hello)
			p.handshake(nil)
			args := map[string]any{}
			if test.arg != "" {
				args["project"] = test.arg
			}
			wantEqual(t, which(t, p, args), test.want, "which")
		})
	}
}

// TestReindexFileFindsTheProject checks that an absolute path finds its project, and keeps its slash in an error.
func TestReindexFileFindsTheProject(t *testing.T) {
	p := connected(t, newFake("a", "b"), wire.Hello{Dir: "/tmp"}, nil)
	wantField(t, p.tool("reindex_file", map[string]any{"path": "/p/b/src/a.go"}), "projectPath", "/p/b")
	wantText(t, p.tool("reindex_file", map[string]any{"path": "/p/b/missing.go"}),
		"The file '/p/b/missing.go' doesn't exist")
}

func TestSeveralProjects(t *testing.T) {
	for _, test := range []struct {
		name     string
		projects []string
		arg      any
		want     string // searched roots, or a code
	}{
		{"one", []string{"a", "b"}, "b", "/p/b"},
		{"commas", []string{"a", "b", "c"}, "c, /p/a,", "/p/c /p/a"},
		{"an array", []string{"a", "b", "c"}, []any{"b", "/p/c/src"}, "/p/b /p/c"},
		{"one twice", []string{"a", "b"}, "a,/p/a", "/p/a"},
		{"one unknown", []string{"a"}, "a,zzz", "INVALID_ARGUMENT"},
		{"nothing but a comma", []string{"a"}, ",", "INVALID_ARGUMENT"},
		{"an array of numbers", []string{"a"}, []any{1}, "INVALID_ARGUMENT"},
		{"all", []string{"a", "b", "c"}, "all", "/p/a /p/b /p/c"},
		{"all of none", nil, "all", "INDEX_NOT_FOUND"},
		{"one that is called all", []string{"a", "all"}, "all", "/p/all"},
		{"one with a comma in its name", []string{"a", "b", "a,b"}, "a,b", "/p/a,b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := connected(t, newFake(test.projects...), wire.Hello{Project: "/p/a"}, nil)
			r := p.tool("search_code", map[string]any{"query": "x", "project": test.arg})
			if r.IsError {
				wantEqual(t, r.code(), test.want, "%s", r.Structured)
				return
			}
			wantPart(t, string(r.Structured), `roots: `+test.want+`"`, "%s, want %s", r.Structured, test.want)
		})
	}
	// Tools that change an index accept one project, and not "all".
	p := connected(t, newFake("a", "b"), wire.Hello{Project: "/p/a"}, nil)
	for _, tool := range []string{"create_index", "reindex_project", "delete_index"} {
		for _, ref := range []string{"all", "a,b"} {
			wantCode(t, p.tool(tool, map[string]any{"project": ref}), "INVALID_ARGUMENT")
		}
	}
}

// TestRequireRootOrName checks that tools that change a whole index accept neither the project around a working
// directory nor the only project.
func TestRequireRootOrName(t *testing.T) {
	for dir, meant := range map[string]bool{"/p/a": true, "/p/a/src": false, "/": false, "/p/other": false} {
		f := newFake("a")
		f.detect["/p/a"], f.detect["/p/a/src"] = "/p/a", "/p/a"
		p := connected(t, f, wire.Hello{Dir: dir, Role: api.RoleTerminal}, nil)
		for _, tool := range []string{"reindex_project", "delete_index"} {
			refused := p.tool(tool, map[string]any{}).code() == string(api.InvalidArgument)
			if refused == meant {
				t.Errorf("%s from %s: refused %v", tool, dir, refused)
			}
		}
	}
}

func TestClientRootsInTheHandshakeEra(t *testing.T) {
	f := newFake("a", "b", "c")
	p := connected(t, f, wire.Hello{ClaudeProjectDir: "/p/c"},
		map[string]any{"roots": map[string]any{"listChanged": true}})
	roots := func(uris ...string) map[string]any {
		list := []any{}
		for _, u := range uris {
			list = append(list, map[string]any{"uri": u})
		}
		return map[string]any{"roots": list}
	}
	id := p.request("tools/call", map[string]any{"name": "search_code", "arguments": map[string]any{"query": "x"}})
	p.reply(p.asked("roots/list"), roots("file:///p/a", "file:///p/b/sub%20dir", "https://example.org/p/c",
		"file:///home/u", "file://other/p/c", "%%%", "file:///p/a"))
	wantText(t, decode(t, p.answer(id)), `roots: /p/a /p/b"`)
	// Roots are cached until the client reports a change. An action needs a named project.
	wantCode(t, p.tool("reindex_file", map[string]any{"path": "src/a.go"}), "INVALID_ARGUMENT", "/p/a, /p/b")
	wantField(t, p.tool("get_index_status", nil), "projectPath", "/p/a", `"otherProjects":["/p/b"]`)
	p.send(map[string]any{"method": "notifications/roots/list_changed"})
	id = p.request("tools/call", map[string]any{"name": "search_code", "arguments": map[string]any{"query": "x"}})
	p.reply(p.asked("roots/list"), roots("file:///p/b", "file:///p/new"))
	wantText(t, decode(t, p.answer(id)), `roots: /p/b"`, "Not searched: /p/new.")
	// A client that answers with an error has no roots, and is not asked again.
	p.send(map[string]any{"method": "notifications/roots/list_changed"})
	id = p.request("tools/call", map[string]any{"name": "get_index_status"})
	p.send(map[string]any{"id": p.asked("roots/list")["id"], "error": map[string]any{"code": -32603, "message": "no"}})
	wantField(t, decode(t, p.answer(id)), "projectPath", "/p/c")
	wantEqual(t, which(t, p, nil), "/p/c", "which")
}

func TestClientRootsInTheStatelessEra(t *testing.T) {
	p := serve(t, newFake("a", "b")).peer(t, &wire.Hello{})
	caps := map[string]any{"roots": map[string]any{}}
	r := p.modernTool("get_index_status", nil, caps, nil)
	if r.Type != "input_required" || r.Inputs["roots"].Method != "roots/list" {
		t.Fatalf("%+v", r)
	}
	r = p.modernTool("get_index_status", nil, caps, map[string]any{"requestState": r.State,
		"inputResponses": map[string]any{"roots": map[string]any{"roots": []any{map[string]any{"uri": "file:///p/b"}}}}})
	wantEqual(t, r.field(t, "projectPath"), "/p/b", "%s", r.Structured)
	if r = p.modernTool("get_index_status", nil, caps, nil); r.field(t, "projectPath") != "/p/b" {
		t.Errorf("asked again: %+v", r)
	}
	// A client that repeats the call without roots has no roots.
	q := serve(t, newFake("a")).peer(t, &wire.Hello{})
	r = q.modernTool("get_index_status", nil, caps, nil)
	wantField(t, q.modernTool("get_index_status", nil, caps, map[string]any{"requestState": r.State}),
		"projectPath", "/p/a")
}

func TestUserChoosesProject(t *testing.T) {
	choose := func(content map[string]any) map[string]any { return accept(content) }
	for _, test := range []struct {
		name   string
		answer any
		want   string
	}{
		{"current directory", choose(map[string]any{"choice": "1"}), "/p/here"},
		{"custom path", choose(map[string]any{"choice": "2", "path": "/p/there"}), "/p/there"},
		{"registered name", choose(map[string]any{"choice": "2", "path": "b"}), "/p/b"},
		{"custom path, empty", choose(map[string]any{"choice": "2"}), "PROJECT_NOT_DETECTED"},
		{"custom path, wrong", choose(map[string]any{"choice": "2", "path": "/gone"}), "INVALID_ARGUMENT"},
		{"declined", map[string]any{"action": "decline"}, "PROJECT_NOT_DETECTED"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := connected(t, newFake("a", "b"), wire.Hello{Dir: "/p/here"}, elicitation)
			id := p.request("tools/call", map[string]any{"name": "get_index_status"})
			q := p.asked("elicitation/create")
			if want := "Could not detect project root.\n[1] Use current directory: /p/here\n[2] Enter a custom path\n\n" +
				"Registered projects: a (/p/a), b (/p/b)."; message(t, q) != want {
				t.Errorf("%q", message(t, q))
			}
			p.reply(q, test.answer)
			r := decode(t, p.answer(id))
			got := r.code()
			if !r.IsError {
				got = r.field(t, "projectPath").(string)
			}
			wantEqual(t, got, test.want, "%s", r.Structured)
			// The choice lasts for the session, and so does the refusal.
			if again := which(t, p, nil); again != test.want && again != string(api.ProjectNotDetected) {
				t.Errorf("again: %s", again)
			}
		})
	}
	t.Run("stateless", func(t *testing.T) {
		f := newFake("a", "b")
		p := serve(t, f).peer(t, &wire.Hello{Dir: "/p/here"})
		r := p.modernTool("create_index", nil, elicitation, nil)
		if r.Inputs["choose"].Method == "" {
			t.Fatalf("%+v", r)
		}
		r = p.modernTool("create_index", nil, elicitation, map[string]any{"requestState": r.State,
			"inputResponses": map[string]any{"choose": accept(map[string]any{"choice": "1"})}})
		if r.Inputs["confirm"].Method == "" {
			t.Fatalf("%+v", r)
		}
		r = p.modernTool("create_index", nil, elicitation, map[string]any{"requestState": r.State,
			"inputResponses": map[string]any{"confirm": accept(goAhead)}})
		wantField(t, r, "projectPath", "/p/here")
		wantField(t, r, "status", "success")
	})
}

// TestTerminalIndexesItsFolder checks that index typed in a folder outside any project means that folder, with any
// number of projects. A home folder must be named, and a project around the folder takes precedence.
func TestTerminalIndexesItsFolder(t *testing.T) {
	for _, projects := range [][]string{nil, {"a"}, {"a", "b"}} {
		p := connected(t, newFake(projects...), wire.Hello{Role: api.RoleTerminal, Dir: "/p/here"}, elicitation)
		id := p.request("tools/call", map[string]any{"name": "create_index"})
		q := p.asked("elicitation/create")
		if got := message(t, q); !strings.Contains(got, "/p/here") || strings.Contains(got, "Could not detect") {
			t.Errorf("with %v: %q", projects, got)
		}
		p.reply(q, accept(map[string]any{"confirm": true}))
		if r := decode(t, p.answer(id)); r.IsError || r.field(t, "projectPath") != "/p/here" {
			t.Errorf("with %v: %s", projects, r.Structured)
		}
	}
}

func TestNotDetectedListsProjects(t *testing.T) {
	p := serve(t, newFake("a", "b")).peer(t, nil)
	p.handshake(nil)
	r := p.tool("search_code", map[string]any{"query": "x"})
	wantPart(t, string(r.Structured), `"Could not detect project root. Please choose a directory.","developerMessage":`+
		`"PROJECT_NOT_DETECTED: No markers found in path hierarchy. Registered projects: a (/p/a), b (/p/b).`, "search gives")
	p = connected(t, newFake("a"), wire.Hello{Dir: "/p/here"}, nil)
	for _, tool := range []string{"create_index", "get_index_status", "outline"} {
		wantPart(t, string(p.tool(tool, nil).Structured),
			"No project was found around /p/here, so the only indexed project was chosen: /p/a.", "%s gives", tool)
	}
}

package endpoint

import (
	"encoding/json"
	"slices"
	"testing"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func TestPrivateMethodsAreClosedToBridges(t *testing.T) {
	f := newFake("a")
	h := serve(t, f)
	for name, hello := range map[string]*wire.Hello{
		"without a Hello": nil, "bridge": {Role: api.RoleAssistant}, "unknown role": {Role: "root"}, "no role": {},
	} {
		p := h.peer(t, hello)
		for _, method := range []string{string(wire.MethodStatus), string(wire.MethodAnswer), string(wire.MethodQuit),
			wire.Prefix + "unknown"} {
			wantPrefix(t, failure(p.call(method, map[string]any{})), "-32601", "%s, %s", name, method)
		}
		p.send(map[string]any{"method": string(wire.MethodPause)}) // a notification, without an id
	}
	if h.isQuitting() || len(f.deeds()) > 0 {
		t.Errorf("done %v", f.deeds())
	}
}

func TestHelloComesFirstAndOnce(t *testing.T) {
	h := serve(t, newFake("a"), Options{Version: "7.1", Data: "/data"})
	p := h.peer(t, &wire.Hello{Role: api.RoleAssistant})
	wantPrefix(t, failure(p.call(string(wire.MethodHello), wire.Hello{Role: api.RoleWindow})),
		"-32600", "a bridge became a window")
	late := h.peer(t, nil)
	late.handshake(nil)
	wantPrefix(t, failure(late.call(string(wire.MethodHello), wire.Hello{Role: api.RoleWindow})), "-32600", "error")
	wantPrefix(t, failure(late.call(string(wire.MethodStatus), nil)), "-32601", "error")
	w := h.peer(t, nil)
	raw, _ := w.call(string(wire.MethodHello), wire.Hello{Role: api.RoleWindow})
	var welcome wire.Welcome
	if err := json.Unmarshal(raw, &welcome); err != nil || welcome.Version != "7.1" ||
		welcome.PID == 0 || welcome.Desktop {
		t.Errorf("%s", raw)
	}
	sessions := h.Sessions()
	at := slices.IndexFunc(sessions, func(s wire.Session) bool { return s.Role == api.RoleWindow })
	if at < 0 {
		t.Errorf("no window among %+v", sessions)
	}
}

func TestPrivateMethods(t *testing.T) {
	f := newFake("a", "b")
	p := connected(t, f, wire.Hello{Role: api.RoleTerminal, Project: "/p/a"}, nil)
	p.tool("search_code", map[string]any{"query": "where is it"})
	for _, test := range []struct {
		method string
		params any
		want   string // part of the result, or of the error
		deed   string
	}{
		{string(wire.MethodStatus), nil, `"name":"a"`, ""},
		{string(wire.MethodPreview), wire.ProjectRef{Project: "/p/z"}, `"root":"/p/z"`, ""},
		{string(wire.MethodPreview), wire.ProjectRef{}, `"root":"/p/a"`, ""},
		{string(wire.MethodPreview), wire.ProjectRef{Project: "zzz"}, `-32000 No project "zzz". See: search-mcp projects`, ""},
		{string(wire.MethodPause), wire.ProjectRef{}, "{}", "pause "},
		{string(wire.MethodPause), wire.ProjectRef{Project: "b"}, "{}", "pause /p/b"},
		{string(wire.MethodResume), nil, "{}", "resume "},
		{string(wire.MethodCancel), wire.Ref{Ref: "j1"}, "{}", "cancel j1"},
		{string(wire.MethodRevoke), wire.ProjectRef{Project: "b"}, "{}", "revoke /p/b"},
		{string(wire.MethodRootAdd), wire.RootChange{ProjectRef: wire.RefTo("a"), Dir: "/p/lib", Name: "lib"}, `"name":"a"`,
			"add root /p/a /p/lib lib"},
		{string(wire.MethodRootDel), wire.RootChange{ProjectRef: wire.RefTo("a"), Name: "lib"}, `"name":"a"`, "remove root /p/a lib"},
		{string(wire.MethodLocate), wire.RootChange{ProjectRef: wire.RefTo("a"), Dir: "/p/moved"}, `/p/moved`, "locate /p/a /p/moved"},
		{string(wire.MethodConfigGet), nil, `{\"_root\":\"/p/a\"}`, ""},
		{string(wire.MethodConfigSet), wire.ConfigText{Text: "{}"}, `"project":"/p/a"`, ""},
		{string(wire.MethodConfigTry), wire.ConfigText{Text: `{"maxFiles":"x"}`}, `"files":450`, `try /p/a {"maxFiles":"x"}`},
		{string(wire.MethodConfigTry), wire.ConfigText{ProjectRef: wire.RefTo("b")}, "maxFiles must be a whole number", ""},
		{string(wire.MethodSettingsGet), nil, `{"theme":"dark"}`, ""},
		{string(wire.MethodSettingsSet), map[string]any{"theme": "light"}, `{"theme":"light"}`, "settings map[theme:light]"},
		{string(wire.MethodLogs), wire.LogQuery{Level: "warn"}, `["0warn"]`, ""},
		{string(wire.MethodLogs), wire.LogQuery{ProjectRef: wire.RefTo("b"), Lines: 1 << 30}, `/p/b1073741824`, ""},
		{string(wire.MethodActivity), nil, `"query":"where is it"`, ""},
		{string(wire.MethodSessions), nil, `"role":"terminal"`, ""},
		{string(wire.MethodDoctor), nil, `"subject":"socket"`, ""},
		{string(wire.MethodSearch), wire.Search{Query: api.Query{Text: "x"}}, `"semantic":true`, ""},
		{string(wire.MethodSearch), wire.Search{Query: api.Query{Text: "x", TopK: 51}}, "-32000 The argument 'top_k'", ""},
		{string(wire.MethodSearch), wire.Search{Query: api.Query{Text: "x", Corpus: api.CorpusDocs}}, `"semantic":true`, ""},
		{string(wire.MethodSearch), wire.Search{Query: api.Query{Text: "x", Corpus: "Docs"}},
			`-32000 The argument 'corpus' must be 'code' or 'docs', not "Docs"`, ""},
		{string(wire.MethodSearch), wire.Search{Query: api.Query{Text: "x", Corpus: "../code"}},
			"-32000 The argument 'corpus'", ""},
		{string(wire.MethodSearch), wire.Search{Query: api.Query{Text: "x", PathGlob: "[a"}},
			"-32000 The search pattern", ""},
		{string(wire.MethodFileText), wire.FileText{ProjectRef: wire.RefTo("b"), Path: "x.go", Line: 7},
			`{"first":7,"text":"/p/b x.go 1000","total":9}`, ""},
		{string(wire.MethodFileText), wire.FileText{ProjectRef: wire.RefTo("zzz"), Path: "x.go"},
			`-32000 No project "zzz". See: search-mcp projects`, ""},
		{string(wire.MethodShow), wire.Show{}, "-32000 There is no desktop session", ""},
		{string(wire.MethodLogs), []int{1}, "-32602 malformed parameters", ""},
		{wire.Prefix + "format/disk", nil, "-32601", ""},
	} {
		raw, e := p.call(test.method, test.params)
		wantPart(t, string(raw)+e, test.want, "%s %+v", test.method, test.params)
		if test.deed != "" && !slices.Contains(f.deeds(), test.deed) {
			t.Errorf("%s: done %q, want %q", test.method, f.deeds(), test.deed)
		}
	}
}

func TestEverybodyWhoSubscribedGetsTheEvents(t *testing.T) {
	f := newFake("a")
	h := serve(t, f)
	one, two, deaf := h.window(t), h.window(t), h.peer(t, &wire.Hello{Role: api.RoleTerminal})
	one.call(string(wire.MethodSubscribe), nil) // again: no duplicates
	editor := h.client(t, &wire.Hello{Project: "/p/a"}, nil)
	editor.tool("search_code", map[string]any{"query": "x"})
	for _, w := range []*peer{one, two} {
		if a := w.event(api.EventActivity).Activity; a.Tool != "search_code" || a.Project != "/p/a" || a.Results != 1 ||
			a.Client != "Probe Editor" {
			t.Errorf("%+v", a)
		}
		w.call(string(wire.MethodSessions), nil)
		for _, m := range w.kept {
			t.Errorf("more than one event: %s", m)
		}
	}
	deaf.call(string(wire.MethodSessions), nil)
	wantEqual(t, len(deaf.kept), 0, "kept")
}

// TestActivityCanBeSwitchedOff checks that calls are neither recorded nor published, and the record is deleted.
func TestActivityCanBeSwitchedOff(t *testing.T) {
	f := newFake("a")
	h := serve(t, f)
	w := h.window(t)
	editor := h.client(t, &wire.Hello{Project: "/p/a"}, nil)
	editor.tool("search_code", map[string]any{"query": "before"})
	w.event(api.EventActivity)
	w.call(string(wire.MethodSettingsSet), map[string]any{"activity": false})
	editor.tool("search_code", map[string]any{"query": "after"})
	if raw, e := w.call(string(wire.MethodActivity), nil); string(raw) != "[]" {
		t.Errorf("%s %s", raw, e)
	}
	for _, m := range w.kept {
		t.Errorf("notified: %s", m)
	}
}

package endpoint

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"searchmcp/app/endpoint/admin"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func TestPrivateMethodsAreClosedToBridges(t *testing.T) {
	f := newFake("a")
	h := serve(t, Options{Engine: f})
	for name, hello := range map[string]*wire.Hello{
		"without a Hello": nil, "bridge": {Role: wire.RoleBridge}, "unknown role": {Role: "root"}, "no role": {},
	} {
		p := h.peer(t, hello)
		for _, method := range admin.Names() {
			if _, e := p.call(method, map[string]any{}); !strings.HasPrefix(e, "-32601") {
				t.Errorf("%s, %s: %q", name, method, e)
			}
		}
		p.send(map[string]any{"method": wire.MethodPause}) // as a notification
	}
	if h.isQuitting() || len(f.deeds()) > 0 {
		t.Errorf("done %v", f.deeds())
	}
}

func TestHelloComesFirstAndOnce(t *testing.T) {
	h := serve(t, Options{Engine: newFake("a"), Version: "7.1", Data: "/data"})
	p := h.peer(t, &wire.Hello{Role: wire.RoleBridge})
	if _, e := p.call(wire.MethodHello, wire.Hello{Role: wire.RoleWindow}); !strings.HasPrefix(e, "-32600") {
		t.Errorf("a bridge became a window: %q", e)
	}
	late := h.peer(t, nil)
	late.handshake(nil)
	if _, e := late.call(wire.MethodHello, wire.Hello{Role: wire.RoleWindow}); !strings.HasPrefix(e, "-32600") {
		t.Errorf("late: %q", e)
	}
	if _, e := late.call(wire.MethodStatus, nil); !strings.HasPrefix(e, "-32601") {
		t.Errorf("late: %q", e)
	}
	w := h.peer(t, nil)
	raw, _ := w.call(wire.MethodHello, wire.Hello{Role: wire.RoleWindow})
	var welcome wire.Welcome
	if err := json.Unmarshal(raw, &welcome); err != nil || welcome.Version != "7.1" || welcome.Data != "/data" ||
		welcome.PID == 0 || welcome.Desktop {
		t.Errorf("%s", raw)
	}
	sessions := h.Sessions()
	at := slices.IndexFunc(sessions, func(s wire.Session) bool { return s.Role == wire.RoleWindow })
	if at < 0 {
		t.Errorf("no window among %+v", sessions)
	}
}

func TestPrivateMethods(t *testing.T) {
	f := newFake("a", "b")
	h := serve(t, Options{Engine: f})
	p := h.peer(t, &wire.Hello{Role: wire.RoleTerminal, Project: "/p/a"})
	p.handshake(nil)
	p.tool("search_code", map[string]any{"query": "where is it"})
	for _, test := range []struct {
		method string
		params any
		want   string // part of the result, or of the error
		deed   string
	}{
		{wire.MethodStatus, nil, `"name":"a"`, ""},
		{wire.MethodPreview, wire.ProjectRef{Project: "/p/z"}, `"root":"/p/z"`, ""},
		{wire.MethodPreview, wire.ProjectRef{}, `"root":"/p/a"`, ""},
		{wire.MethodPreview, wire.ProjectRef{Project: "zzz"}, "-32000 The argument 'project' must be", ""},
		{wire.MethodPause, wire.ProjectRef{}, "{}", "pause "},
		{wire.MethodPause, wire.ProjectRef{Project: "b"}, "{}", "pause /p/b"},
		{wire.MethodResume, nil, "{}", "resume "},
		{wire.MethodCancel, wire.CancelJob{JobID: "j1"}, "{}", "cancel j1"},
		{wire.MethodQuestions, nil, "[]", ""},
		{wire.MethodRevoke, wire.ProjectRef{Project: "b"}, "{}", "revoke /p/b"},
		{wire.MethodRootAdd, wire.RootChange{Project: "a", Dir: "/p/lib", Name: "lib"}, `"name":"a"`,
			"add root /p/a /p/lib lib"},
		{wire.MethodRootDel, wire.RootChange{Project: "a", Name: "lib"}, `"name":"a"`, "remove root /p/a lib"},
		{wire.MethodLocate, wire.RootChange{Project: "a", Dir: "/p/moved"}, `/p/moved`, "locate /p/a /p/moved"},
		{wire.MethodConfigGet, nil, `{\"_root\":\"/p/a\"}`, ""},
		{wire.MethodConfigSet, wire.ConfigText{Text: "{}"}, `"project":"/p/a"`, ""},
		{wire.MethodConfigTry, wire.ConfigText{Text: `{"maxFiles":"x"}`}, `"files":450`, `try /p/a {"maxFiles":"x"}`},
		{wire.MethodConfigTry, wire.ConfigText{Project: "b"}, "maxFiles must be a whole number", ""},
		{wire.MethodSettingsGet, nil, `{"theme":"dark"}`, ""},
		{wire.MethodSettingsSet, map[string]any{"theme": "light"}, `{"theme":"light"}`, "settings map[theme:light]"},
		{wire.MethodLogs, wire.LogQuery{Level: "warn"}, `["200warn"]`, ""},
		{wire.MethodLogs, wire.LogQuery{Project: "b", Lines: 1 << 30}, `/p/b10000`, ""},
		{wire.MethodActivity, nil, `"query":"where is it"`, ""},
		{wire.MethodSessions, nil, `"role":"terminal"`, ""},
		{wire.MethodDoctor, nil, `"subject":"socket"`, ""},
		{wire.MethodSearch, wire.Search{Query: api.Query{Text: "x"}}, `"semantic":true`, ""},
		{wire.MethodSearch, wire.Search{Query: api.Query{Text: "x", TopK: 51}}, "-32000 The argument 'top_k'", ""},
		{wire.MethodSearch, wire.Search{Query: api.Query{Text: "x", PathGlob: "[a"}}, "-32000 The search pattern", ""},
		{wire.MethodFileText, wire.FileText{Project: "b", Path: "x.go", Line: 7},
			`{"first":7,"text":"/p/b x.go 1000","total":9}`, ""},
		{wire.MethodFileText, wire.FileText{Project: "zzz", Path: "x.go"}, "-32000 The argument 'project' must be", ""},
		{wire.MethodShow, wire.Show{}, "-32000 There is no desktop session", ""},
		{wire.MethodLogs, []int{1}, "-32602 malformed parameters", ""},
		{wire.Prefix + "format/disk", nil, "-32601", ""},
	} {
		raw, e := p.call(test.method, test.params)
		if got := string(raw) + e; !strings.Contains(got, test.want) {
			t.Errorf("%s %+v: %s, want %s", test.method, test.params, got, test.want)
		}
		if test.deed != "" && !slices.Contains(f.deeds(), test.deed) {
			t.Errorf("%s: done %q, want %q", test.method, f.deeds(), test.deed)
		}
	}
}

func TestEverybodyWhoSubscribedGetsTheEvents(t *testing.T) {
	f := newFake("a")
	h := serve(t, Options{Engine: f})
	one, two, deaf := h.window(t), h.window(t), h.peer(t, &wire.Hello{Role: wire.RoleTerminal})
	one.call(wire.MethodSubscribe, nil) // again: nothing twice
	editor := h.peer(t, &wire.Hello{Project: "/p/a"})
	editor.handshake(nil)
	editor.tool("search_code", map[string]any{"query": "x"})
	for _, w := range []*peer{one, two} {
		if a := w.event(api.EventActivity).Activity; a.Tool != "search_code" || a.Project != "/p/a" || a.Results != 1 ||
			a.Client != "Probe Editor" {
			t.Errorf("%+v", a)
		}
		w.call(wire.MethodSessions, nil)
		for _, m := range w.kept {
			t.Errorf("more than one event: %s", m)
		}
	}
	deaf.call(wire.MethodSessions, nil)
	if len(deaf.kept) > 0 {
		t.Errorf("%s", deaf.kept)
	}
}

func TestConfigurationChangesDescriptions(t *testing.T) {
	h := serve(t, Options{Engine: newFake("a")})
	editor := h.peer(t, &wire.Hello{Project: "/p/a"})
	editor.handshake(nil)
	w := h.peer(t, &wire.Hello{Role: wire.RoleWindow})
	w.call(wire.MethodConfigSet, wire.ConfigText{Project: "a", Text: `{"enhancedToolDescriptions": true}`})
	editor.asked("notifications/tools/list_changed")
	if d := list(t, editor)["search_docs"].Description; !strings.Contains(d, "**TIP:**") {
		t.Error(d)
	}
}

// TestActivityCanBeSwitchedOff: nothing of a call is kept or told, and what was kept is gone.
func TestActivityCanBeSwitchedOff(t *testing.T) {
	f := newFake("a")
	h := serve(t, Options{Engine: f})
	w := h.window(t)
	editor := h.peer(t, &wire.Hello{Project: "/p/a"})
	editor.handshake(nil)
	editor.tool("search_code", map[string]any{"query": "before"})
	w.event(api.EventActivity)
	w.call(wire.MethodSettingsSet, map[string]any{"activity": false})
	editor.tool("search_code", map[string]any{"query": "after"})
	if raw, e := w.call(wire.MethodActivity, nil); string(raw) != "[]" {
		t.Errorf("%s %s", raw, e)
	}
	for _, m := range w.kept {
		t.Errorf("told: %s", m)
	}
}

package endpoint

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

var everyPrivateMethod = []string{
	wire.MethodStatus, wire.MethodSubscribe, wire.MethodPreview, wire.MethodPause, wire.MethodResume, wire.MethodCancel,
	wire.MethodQuestions, wire.MethodAnswer, wire.MethodRevoke, wire.MethodRootAdd, wire.MethodRootDel, wire.MethodLocate,
	wire.MethodConfigGet, wire.MethodConfigSet, wire.MethodConfigTry, wire.MethodSettingsGet, wire.MethodSettingsSet, wire.MethodLogs,
	wire.MethodActivity, wire.MethodSessions, wire.MethodDoctor, wire.MethodSearch, wire.MethodQuit, wire.MethodShow,
}

func TestPrivateMethodsAreClosedToBridges(t *testing.T) {
	f := newFake("a")
	h := serve(t, Options{Backend: f})
	for name, hello := range map[string]*wire.Hello{
		"without a Hello": nil, "bridge": {Role: wire.RoleBridge}, "unknown role": {Role: "root"}, "no role": {},
	} {
		p := h.peer(t, hello)
		for _, method := range everyPrivateMethod {
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
	h := serve(t, Options{Backend: newFake("a"), Version: "7.1", Data: "/data"})
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
	raw, _ := w.call(wire.MethodHello, wire.Hello{Role: wire.RoleWindow, Confirmed: true})
	var welcome wire.Welcome
	if err := json.Unmarshal(raw, &welcome); err != nil || welcome.Version != "7.1" || welcome.Data != "/data" || welcome.PID == 0 || welcome.Desktop {
		t.Errorf("%s", raw)
	}
	sessions := h.Sessions()
	at := slices.IndexFunc(sessions, func(s wire.Session) bool { return s.Role == wire.RoleWindow })
	if at < 0 || h.snapshot()[at].facts().Confirmed {
		t.Error("a window can't bring a confirmation along")
	}
}

func TestPrivateMethods(t *testing.T) {
	f := newFake("a", "b")
	h := serve(t, Options{Backend: f})
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
		{wire.MethodRootAdd, wire.RootChange{Project: "a", Dir: "/p/lib", Name: "lib"}, `"name":"a"`, "add root /p/a /p/lib lib"},
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
	h := serve(t, Options{Backend: f})
	one, two, deaf := h.window(t), h.window(t), h.peer(t, &wire.Hello{Role: wire.RoleTerminal})
	one.call(wire.MethodSubscribe, nil) // again: nothing twice
	editor := h.peer(t, &wire.Hello{Project: "/p/a"})
	editor.handshake(nil)
	editor.tool("search_code", map[string]any{"query": "x"})
	for _, w := range []*peer{one, two} {
		if a := w.event(api.EventActivity).Activity; a.Tool != "search_code" || a.Project != "/p/a" || a.Results != 1 || a.Client != "Probe Editor" {
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

func TestActivityKeepsTheLastCalls(t *testing.T) {
	a := newActivity()
	for i := range keptActivity + 30 {
		a.add(api.Activity{Query: fmt.Sprint(i)})
	}
	if l := a.list(); len(l) != keptActivity || l[0].Query != "229" || l[199].Query != "30" {
		t.Errorf("%d, from %s to %s", len(l), l[0].Query, l[len(l)-1].Query)
	}
}

func TestConfigurationChangesDescriptions(t *testing.T) {
	h := serve(t, Options{Backend: newFake("a")})
	editor := h.peer(t, &wire.Hello{Project: "/p/a"})
	editor.handshake(nil)
	w := h.peer(t, &wire.Hello{Role: wire.RoleWindow})
	w.call(wire.MethodConfigSet, wire.ConfigText{Project: "a", Text: `{"enhancedToolDescriptions": true}`})
	editor.asked("notifications/tools/list_changed")
	if d := list(t, editor)["search_docs"].Description; !strings.Contains(d, "**TIP:**") {
		t.Error(d)
	}
}

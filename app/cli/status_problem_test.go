package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"searchmcp/app/cli/term"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// TestAppProblemIsShownOnce checks that a problem of the app is not repeated for each project.
func TestAppProblemIsShownOnce(t *testing.T) {
	missing := api.Error{Code: api.ModelDownloadFailed, UserMessage: "No model."}
	a := api.Project{ID: "a", Roots: []api.Root{{Path: "/a"}}, State: api.StateDegraded, Problem: &missing}
	b := a
	b.ID, b.Roots = "b", []api.Root{{Path: "/b"}}
	for _, project := range []string{"", `{"projectPath": "/a", "status": "degraded"}`} {
		var out strings.Builder
		v := &invocation{Env: Env{Out: &out}, screen: term.Screen{Interactive: true}}
		r := statusReport{App: &wire.Status{Projects: []api.Project{a, b}, Problems: []api.Error{missing}}}
		if project != "" {
			r.Project = json.RawMessage(project)
			check(t, json.Unmarshal(r.Project, &r.at))
		}
		v.printStatus(r)
		if got := out.String(); strings.Count(got, "No model.") != 1 || strings.Contains(got, a.Term()) {
			t.Errorf("in project %q:\n%s", project, got)
		}
	}
}

// TestColours checks that green means ready, blue means in progress and amber needs the user, as in the window
// (ui/present, TestMarks), and that no state is red.
func TestColours(t *testing.T) {
	paint := term.Style{On: true}
	for want, projects := range map[string][]api.Project{
		"\x1b[38;5;28m": {{State: api.StateReady}},
		"\x1b[38;5;130m": {{State: api.StateOffline}, {State: api.StateError}, {State: api.StateDegraded},
			{State: api.StateStalled}, {State: api.StatePaused, Problem: &api.Error{Code: api.ConfigInvalid}},
			{State: api.StateReady, Warnings: []string{"x"}}},
		"\x1b[38;5;32m": {{State: api.StateIndexing}, {State: api.StateEmbedding}},
		"":              {{State: api.StatePaused}, {State: api.StateNotIndexed}},
	} {
		for _, p := range projects {
			if got := state(paint, p); want != "" && !strings.HasPrefix(got, want) || want == "" && got != p.Term() {
				t.Errorf("%+v: %q, want %q", p, got, want)
			}
		}
	}
}

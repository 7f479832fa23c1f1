package app_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"searchmcp/app/desktop/tray"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// states returns projects in every state and for every reason with its own term.
func states() []api.Project {
	var all []api.Project
	add := func(s api.State, change func(*api.Project)) {
		p := api.Project{ID: string(s), Name: "p", Roots: []api.Root{{Path: "/p"}}, State: s}
		if change != nil {
			change(&p)
		}
		all = append(all, p)
	}
	for _, s := range []api.State{api.StateNotIndexed, api.StateIndexing, api.StateEmbedding,
		api.StateReady, api.StatePaused,
		api.StateOffline, api.StateDegraded, api.StateStalled, api.StateError} {
		add(s, nil)
	}
	add(api.StateOffline, func(p *api.Project) { p.Problem = &api.Error{Code: api.FolderUnreadable} })
	add(api.StateEmbedding, func(p *api.Project) { p.Waiting = api.WaitingForPower })
	add(api.StateEmbedding, func(p *api.Project) { p.Waiting = api.WaitingForRoom })
	return all
}

// TestTerms checks that each state has the same name in the window's list, the tray and the guide, in each language.
// The overall state has the same text in sidebar and tray.
func TestTerms(t *testing.T) {
	guide, err := os.ReadFile("../docs/guide.md")
	must(t, err)
	for _, code := range []string{"en", "de"} {
		language := translations.For(code)
		present.Speak(language)
		defer present.Speak(translations.English)
		for _, p := range states() {
			term := p.Term()
			name := translations.Sentence(language, term)
			if code == "de" && name == term {
				t.Errorf("%q is not translated", term)
			}
			if !strings.Contains(string(guide), "\n| "+term+" |") {
				t.Errorf("the guide has no row for %q", term)
			}
			if row := present.RowOf(p, nil, "", time.Now()); !strings.HasPrefix(row.Line, name) {
				t.Errorf("the list shows %q for a project that is %q", row.Line, name)
			}
			menu := tray.Build(tray.State{Projects: []api.Project{p}}, language)
			if label := menu.Entries[0].Label; p.State != api.StateReady && !strings.HasSuffix(label, " p · "+name) {
				t.Errorf("the tray shows %q for a project that is %q", label, name)
			}
			for _, questions := range [][]api.Question{nil, {{ID: "1", Project: "/q"}}} {
				for _, paused := range []bool{false, true} {
					m := present.Model{Connected: true, Paused: paused}
					m.Reset([]api.Project{p}, questions)
					_, side := m.Overall(time.Now())
					icon := tray.Build(tray.State{Projects: []api.Project{p}, Questions: questions, Paused: paused}, language)
					if side != icon.Status {
						t.Errorf("%s: the sidebar shows %q, the tray %q", term, side, icon.Status)
					}
				}
			}
		}
	}
	if !strings.Contains(string(guide), "\n| "+api.TermAsked+" |") {
		t.Errorf("the guide has no row for %q", api.TermAsked)
	}
}

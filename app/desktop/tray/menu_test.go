package tray

import (
	"bytes"
	"fmt"
	"image/png"
	"runtime"
	"strings"
	"testing"
	"time"

	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

func project(name string, s api.State) api.Project {
	return api.Project{Name: name, State: s, Roots: []api.Root{{Path: "/code/" + name}}}
}

func TestBuild(t *testing.T) {
	ready, busy, gone := project("engine", api.StateReady), project("web", api.StateEmbedding),
		project("stick", api.StateOffline)
	question := api.Question{ID: "1", Project: "/code/engine", Title: "Cursor wants to index engine"}
	waits := busy
	waits.Waiting = "Search by meaning will be prepared when the computer is plugged in again."
	for _, test := range []struct {
		name   string
		state  State
		icon   Icon
		status string
	}{
		{"nothing yet", State{}, IconReady, "No projects yet"},
		{"well", State{Projects: []api.Project{ready}}, IconReady, "Ready"},
		{"busy", State{Projects: []api.Project{ready, busy}}, IconIndexing, "Searchable"},
		{"on battery", State{Projects: []api.Project{ready, waits}}, IconPaused,
			"Searchable (search by meaning paused on battery)"},
		{"busy over waiting", State{Projects: []api.Project{project("x", api.StateIndexing), busy, waits}}, IconIndexing,
			"Indexing 1 project"},
		{"paused over busy", State{Projects: []api.Project{busy}, Paused: true}, IconPaused, "Paused"},
		{"broken over paused", State{Projects: []api.Project{ready, gone}, Paused: true}, IconProblem,
			"1 project needs attention"},
		{"two broken", State{Projects: []api.Project{gone, project("x", api.StateError)}}, IconProblem,
			"2 projects need attention"},
		{"the app's own", State{Projects: []api.Project{ready},
			Problems: []api.Error{{UserMessage: "The model is missing. Search by words works."}}}, IconProblem,
			"The model is missing"},
		{"a question over all", State{Projects: []api.Project{gone}, Questions: []api.Question{question}, Paused: true},
			IconNeeds, "Waiting for your answer"},
		{"questions", State{Questions: []api.Question{question, {ID: "2", Project: "/code/x"}}}, IconNeeds,
			"2 questions are waiting for your answer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := Build(test.state, translations.English)
			if m.Icon != test.icon || m.Status != test.status || m.Tooltip != "Search MCP: "+test.status {
				t.Errorf("%s, %q, %q; want %s, %q", m.Icon, m.Status, m.Tooltip, test.icon, test.status)
			}
			want := map[int]string{1: "Cursor wants to index engine…", 2: "Answer…"}[len(test.state.Questions)]
			wantEqual(t, m.Answer, want, "answer line")
		})
	}
}

func TestEntries(t *testing.T) {
	m := Build(State{
		Projects: []api.Project{project("a", api.StateReady), project("b", api.StatePaused),
			project("c", api.StateNotIndexed), project(strings.Repeat("long", 20), api.StateError)},
		Questions: []api.Question{{Project: "/code/a"}},
	}, translations.English)
	var labels []string
	for _, e := range m.Entries {
		labels = append(labels, fmt.Sprintf("%s|%s|%v", e.Label, e.Pause, e.Ready))
	}
	want := []string{"▲ a · Waiting for your answer|Pause|true", "▲ " + strings.Repeat("long", 9) +
		"lon… · Not searchable|Pause|true",
		"‖ b · Paused|Resume|true", "○ c · Not indexed|Pause|false"}
	wantEqual(t, strings.Join(labels, "\n"), strings.Join(want, "\n"), "labels")
}

// TestProgressDoesNotTick checks that an open menu does not change with the progress.
func TestProgressDoesNotTick(t *testing.T) {
	p := project("web", api.StateEmbedding)
	p.Progress = &api.Progress{ChunksDone: 1, ChunksTotal: 100}
	before := Build(State{Projects: []api.Project{p}}, translations.English)
	p.Progress = &api.Progress{ChunksDone: 99, ChunksTotal: 100}
	p.Vectors, p.SizeBytes = 99, 4096
	wantEqual(t, fmt.Sprint(before), fmt.Sprint(Build(State{Projects: []api.Project{p}}, translations.English)), "before")
}

// TestAppProblemIsShownOnce checks that a missing model is shown once, not for every project.
func TestAppProblemIsShownOnce(t *testing.T) {
	missing := api.Error{Code: api.ModelDownloadFailed, UserMessage: "The model is missing."}
	p := project("engine", api.StateDegraded)
	p.Problem = &missing
	if got := Build(State{Projects: []api.Project{p}, Problems: []api.Error{missing}},
		translations.English).Entries[0].Label; got != "● engine" {
		t.Errorf("its entry is %q", got)
	}
}

func TestManyProjects(t *testing.T) {
	var all []api.Project
	for i := range 30 {
		all = append(all, project(fmt.Sprintf("p%d", i), api.StateReady))
	}
	if m := Build(State{Projects: all}, translations.English); len(m.Entries) != MaxEntries ||
		m.More != "All 30 projects…" {
		t.Errorf("%d entries, %q", len(m.Entries), m.More)
	}
	if m := Build(State{Projects: all[:MaxEntries]}, translations.English); len(m.Entries) != MaxEntries || m.More != "" {
		t.Errorf("%d entries, %q", len(m.Entries), m.More)
	}
}

// TestProblemsFirst checks that projects with open questions and broken projects come first, then the last changed
// project.
func TestProblemsFirst(t *testing.T) {
	var all []api.Project
	for i := range 30 {
		p := project(fmt.Sprintf("p%02d", i), api.StateReady)
		p.LastUpdated = time.Date(2026, 3, 1, i, 0, 0, 0, time.UTC)
		all = append(all, p)
	}
	all[3].State, all[5].State = api.StateOffline, api.StateError
	m := Build(State{Projects: all, Questions: []api.Question{{ID: "1", Project: "/code/p07"}}}, translations.English)
	var first []string
	for _, e := range m.Entries[:5] {
		name := strings.Fields(e.Label)[1]
		first = append(first, name)
	}
	wantEqual(t, strings.Join(first, " "), "p07 p05 p03 p29 p28", "first")
	before := fmt.Sprint(Build(State{Projects: all}, translations.English))
	all[7].LastAsked = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC) // old, but used last
	wantEqual(t, Build(State{Projects: all}, translations.English).Entries[2].Root,
		all[7].Root(), "the project used last is not the first: root")
	all[7].LastAsked = time.Time{}
	all[29].LastUpdated = all[29].LastUpdated.Add(30 * time.Minute) // a file was saved
	wantEqual(t, fmt.Sprint(Build(State{Projects: all}, translations.English)),
		before, "an open menu moves while files are saved: Build")
}

// TestPictures checks that each state has its own picture that a panel can decode.
func TestPictures(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pictures are wrapped there")
	}
	seen := map[string]Icon{}
	for _, i := range []Icon{IconReady, IconIndexing, IconPaused, IconNeeds, IconProblem} {
		data := picture(i)
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Dx() != 48 {
			t.Errorf("%s: %v", i, err)
		}
		if other, ok := seen[string(data)]; ok {
			t.Errorf("%s looks like %s", i, other)
		}
		seen[string(data)] = i
		if b := ico(data); len(b) != len(data)+22 || b[2] != 1 || b[4] != 1 || int(b[14])|int(b[15])<<8 != len(data) ||
			b[18] != 22 {
			t.Errorf("%s: icon header % x", i, b[:22])
		}
	}
}

type german struct{ Engine }

func (german) Settings() map[string]any { return map[string]any{"language": "de"} }

// TestGerman checks that the menu is in the language of the settings.
func TestGerman(t *testing.T) {
	m := Build(State{Projects: []api.Project{project("a", api.StatePaused), project("b", api.StateError)}},
		Options{Engine: german{}, Language: translations.English}.language())
	wantEqual(t, m.Status, "1 Projekt hat ein Problem", "status")
	wantEqual(t, m.Entries[1].Label, "‖ a · Pausiert", "label")
	wantEqual(t, m.Pause, "Alles pausieren", "pause")
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

package tray

import (
	"fmt"
	"strings"

	"searchmcp/engine/api"
)

// Icon is what the icon tells at a glance.
type Icon string

// The icons, the gravest last.
const (
	IconReady    Icon = "ready"
	IconIndexing Icon = "indexing"
	IconPaused   Icon = "paused"
	IconNeeds    Icon = "needs"   // a question waits for a person
	IconProblem  Icon = "problem" // something does not work until a person repairs it
)

// State is what the menu is made of.
type State struct {
	Projects  []api.Project
	Questions []api.Question
	Paused    bool
	Problems  []api.Error
}

// Menu is the tray as it is shown. No figure in it ticks, so that an open menu stays still.
type Menu struct {
	Icon    Icon
	Tooltip string
	Status  string // the first line, not to be clicked
	Answer  string // «Answer a question…», "" if none is open
	Pause   string // pause or resume everything
	Paused  bool
	Entries []Entry // projects, at most MaxEntries
	More    string  // «All 30 projects…», "" if all are there
}

// Entry is a project with its own menu.
type Entry struct {
	Root   string
	Label  string
	Pause  string
	Paused bool
	Ready  bool // there is an index to search
}

// MaxEntries is how many projects the menu names: it has to fit on a small screen.
const MaxEntries = 12

// Build makes the menu of a state.
func Build(s State) Menu {
	m := Menu{Icon: IconReady, Pause: "Pause all", Paused: s.Paused}
	if s.Paused {
		m.Pause = "Resume all"
	}
	working, broken := 0, 0
	for _, p := range s.Projects {
		switch p.State {
		case api.StateIndexing, api.StateEmbedding:
			working++
		case api.StateError, api.StateDegraded, api.StateOffline:
			broken++
		}
	}
	switch {
	case len(s.Questions) > 0:
		m.Icon, m.Status = IconNeeds, "A question waits for you"
		if n := len(s.Questions); n > 1 {
			m.Status = fmt.Sprintf("%d questions wait for you", n)
		}
		m.Answer = "Answer…"
	case broken > 0:
		m.Icon, m.Status = IconProblem, plural(broken, "project needs", "projects need")+" attention"
	case len(s.Problems) > 0:
		m.Icon, m.Status = IconProblem, sentence(s.Problems[0].UserMessage)
	case s.Paused:
		m.Icon, m.Status = IconPaused, "Paused"
	case working > 0:
		m.Icon, m.Status = IconIndexing, "Indexing "+plural(working, "project", "projects")
	case len(s.Projects) == 0:
		m.Status = "No projects yet"
	default:
		m.Status = "All is well"
	}
	m.Tooltip = "Search MCP: " + m.Status
	for i, p := range s.Projects {
		if i == MaxEntries {
			m.More = fmt.Sprintf("All %d projects…", len(s.Projects))
			break
		}
		m.Entries = append(m.Entries, entry(p, s.Questions))
	}
	return m
}

func entry(p api.Project, questions []api.Question) Entry {
	e := Entry{Root: p.Root(), Label: shorten(p.Name), Pause: "Pause", Paused: p.State == api.StatePaused, Ready: p.State != api.StateNotIndexed}
	if e.Paused {
		e.Pause = "Resume"
	}
	state := words[p.State]
	for _, q := range questions {
		if q.Project == p.Root() {
			state = "waits for you"
		}
	}
	if state != "" {
		e.Label += " (" + state + ")"
	}
	return e
}

// words say a state; a project that is ready needs none.
var words = map[api.State]string{
	api.StateNotIndexed: "not indexed", api.StateIndexing: "indexing", api.StateEmbedding: "searchable, still learning",
	api.StatePaused: "paused", api.StateOffline: "folder missing", api.StateDegraded: "by words only", api.StateError: "not searchable",
}

// maxLabel keeps one long name from making the whole menu wide.
const maxLabel = 40

func shorten(s string) string {
	r := []rune(s)
	if len(r) <= maxLabel {
		return s
	}
	return string(r[:maxLabel-1]) + "…"
}

func sentence(s string) string {
	first, _, _ := strings.Cut(s, ". ")
	return shorten(strings.TrimSuffix(first, "."))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

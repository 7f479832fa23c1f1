package tray

import (
	"fmt"
	"strconv"
	"strings"

	"searchmcp/assets/translations"
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

// speaker says the menu's texts in a language.
type speaker struct{ translations.Language }

func (s speaker) text(t translations.Text, args ...any) string {
	if len(args) == 0 {
		return s.Text(t)
	}
	return fmt.Sprintf(s.Text(t), args...)
}

func (s speaker) count(n int, p translations.Plural) string {
	return fmt.Sprintf(s.Plural(p, n), strconv.Itoa(n))
}

// Build makes the menu of a state.
func Build(s State, l translations.Language) Menu {
	say := speaker{l}
	m := Menu{Icon: IconReady, Pause: say.text("Pause all"), Paused: s.Paused}
	if s.Paused {
		m.Pause = say.text("Resume all")
	}
	working, broken := 0, 0
	var waits string // what vectors wait for, a sentence
	for _, p := range s.Projects {
		switch p.State {
		case api.StateIndexing, api.StateEmbedding:
			if p.Waiting != "" {
				waits = p.Waiting
				continue
			}
			working++
		case api.StateError, api.StateDegraded, api.StateStalled, api.StateOffline:
			broken++
		}
	}
	switch {
	case len(s.Questions) > 0:
		m.Icon, m.Status = IconNeeds, say.text("A question waits for you")
		if n := len(s.Questions); n > 1 {
			m.Status = say.text("%d questions wait for you", n)
		}
		m.Answer = say.text("Answer…")
	case broken > 0:
		m.Icon, m.Status = IconProblem, say.count(broken, "project needs attention")
	case len(s.Problems) > 0:
		m.Icon, m.Status = IconProblem, sentence(s.Problems[0].UserMessage, say)
	case s.Paused:
		m.Icon, m.Status = IconPaused, say.text("Paused")
	case working > 0:
		m.Icon, m.Status = IconIndexing, say.text("Indexing %s", say.count(working, "project"))
	case waits != "":
		m.Icon, m.Status = IconPaused, rest(waits, say)
	case len(s.Projects) == 0:
		m.Status = say.text("No projects yet")
	default:
		m.Status = say.text("All is well")
	}
	m.Tooltip = "Search MCP: " + m.Status
	for i, p := range s.Projects {
		if i == MaxEntries {
			m.More = say.text("All %d projects…", len(s.Projects))
			break
		}
		m.Entries = append(m.Entries, entry(p, s.Questions, say))
	}
	return m
}

func entry(p api.Project, questions []api.Question, say speaker) Entry {
	e := Entry{Root: p.Root(), Label: shorten(p.Name), Pause: say.text("Pause"), Paused: p.State == api.StatePaused,
		Ready: p.State != api.StateNotIndexed}
	if e.Paused {
		e.Pause = say.text("Resume")
	}
	state := words[p.State]
	if p.State == api.StateEmbedding && p.Waiting != "" {
		state = resting
	}
	for _, q := range questions {
		if q.Project == p.Root() {
			state = waiting
		}
	}
	if state != "" {
		e.Label += " (" + say.text(state) + ")"
	}
	return e
}

const (
	waiting translations.Text = "waits for you"
	resting translations.Text = "searchable, learning waits"
)

// rest is the short form of the sentence that says what vectors wait for.
func rest(sentence string, say speaker) string {
	switch translations.Text(sentence) {
	case "Searching by meaning is prepared when the computer is plugged in again.":
		return say.text("Learning waits for mains power")
	case "Searching by meaning is prepared when other programs leave room for it.":
		return say.text("Learning waits for a quiet moment")
	}
	return say.text("Learning waits")
}

// words say a state; a project that is ready needs none.
var words = map[api.State]translations.Text{
	api.StateNotIndexed: "not indexed", api.StateIndexing: "indexing", api.StateEmbedding: "searchable, still learning",
	api.StatePaused: "paused", api.StateOffline: "folder missing", api.StateDegraded: "by words only",
	api.StateStalled: "changes wait", api.StateError: "not searchable",
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

func sentence(s string, say speaker) string {
	first, _, _ := strings.Cut(translations.Said(say, s), ". ")
	return shorten(strings.TrimSuffix(first, "."))
}

package tray

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

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
	IconProblem  Icon = "problem" // something does not work as it should until a person has done something
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
	Status  string // the first line, which opens the window where there is more of it
	Answer  string // «Answer…», "" if no question is open
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

// Build makes the menu of a state.
func Build(s State, l translations.Language) Menu {
	say := speaker{l}
	m := Menu{Icon: IconReady, Pause: say.text("Pause all"), Paused: s.Paused}
	if s.Paused {
		m.Pause = say.text("Resume all")
	}
	questions := api.OneEach(s.Questions)
	all := api.Sum(s.Projects, questions, s.Paused, s.Problems)
	m.Icon, m.Status = pictures[all.Standing], translations.Clause(translations.Said(say, all.Line))
	if all.Standing == api.StandingAsked {
		m.Answer = say.text("Answer…")
	}
	m.Tooltip = "Search MCP: " + m.Status
	for i, p := range ordered(s.Projects, questions) {
		if i == MaxEntries {
			m.More = say.text("All %d projects…", len(s.Projects))
			break
		}
		m.Entries = append(m.Entries, entry(p.Own(s.Problems), questions, say))
	}
	return m
}

func entry(p api.Project, questions []api.Question, say speaker) Entry {
	e := Entry{Root: p.Root(), Label: shorten(p.Name), Pause: say.text("Pause"), Paused: p.State == api.StatePaused,
		Ready: p.State != api.StateNotIndexed}
	if e.Paused {
		e.Pause = say.text("Resume")
	}
	state := p.Term()
	if asked(p, questions) {
		state = api.TermAsked
	}
	if state != api.StateReady.Term() { // what is ready needs no word
		e.Label += " · " + translations.Said(say, state)
	}
	return e
}

// pictures are the icons of how everything stands.
var pictures = map[api.Standing]Icon{
	api.StandingAsked: IconNeeds, api.StandingBroken: IconProblem, api.StandingProblem: IconProblem,
	api.StandingPaused: IconPaused, api.StandingBusy: IconIndexing, api.StandingWaiting: IconPaused,
	api.StandingEmpty: IconReady, api.StandingReady: IconReady,
}

func asked(p api.Project, questions []api.Question) bool {
	return slices.ContainsFunc(questions, func(q api.Question) bool { return q.Project == p.Root() })
}

// ordered are the projects as the menu names them: what waits for a person, what is broken, then what was used last,
// and what has changed last. Hours are near enough for changes, so that a menu that is open stays still while files
// are saved.
func ordered(projects []api.Project, questions []api.Question) []api.Project {
	rank := func(p api.Project) int {
		switch {
		case asked(p, questions):
			return 0
		case p.Broken():
			return 1
		}
		return 2
	}
	all := slices.Clone(projects)
	slices.SortStableFunc(all, func(a, b api.Project) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), b.LastAsked.Compare(a.LastAsked),
			b.LastUpdated.Truncate(time.Hour).Compare(a.LastUpdated.Truncate(time.Hour)),
			strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return all
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

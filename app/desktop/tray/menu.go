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

type Icon string

// The icons, in order of increasing severity.
const (
	IconReady    Icon = "ready"
	IconIndexing Icon = "indexing"
	IconPaused   Icon = "paused"
	IconNeeds    Icon = "needs"
	IconProblem  Icon = "problem"
)

type State struct {
	Projects  []api.Project
	Questions []api.Question
	Paused    bool
	Problems  []api.Error
}

// Menu is the content of the tray's menu. It contains no quickly changing numbers, because each change redraws an open
// menu.
type Menu struct {
	Icon    Icon
	Tooltip string
	Status  string // the first item, with the state of all projects
	Answer  string // the open question, or "Answer…" for several
	Pause   string
	Paused  bool
	Entries []Entry
	More    string // "All 30 projects…", or "" if Entries lists all projects
}

type Entry struct {
	Root   string
	Label  string
	Pause  string
	Paused bool
	Ready  bool
}

// MaxEntries is the number of projects that fit on a small screen.
const MaxEntries = 12

func Build(s State, l translations.Language) Menu {
	m := Menu{Icon: IconReady, Pause: l.Text("Pause all"), Paused: s.Paused}
	if s.Paused {
		m.Pause = l.Text("Resume all")
	}
	questions := api.MergeQuestions(s.Questions)
	all := api.Sum(s.Projects, questions, s.Paused, s.Problems)
	m.Icon, m.Status = pictures[all.State], translations.Clause(translations.Sentence(l, all.Line))
	if all.State == api.AppAsked {
		m.Answer = l.Text("Answer…")
		if len(questions) == 1 && questions[0].Title != "" {
			m.Answer = shorten(translations.Sentence(l, questions[0].Title), maxTitle) + "…"
		}
	}
	m.Tooltip = "Search MCP: " + m.Status
	for i, p := range ordered(s.Projects, questions) {
		if i == MaxEntries {
			m.More = fmt.Sprintf(l.Text("All %d projects…"), len(s.Projects))
			break
		}
		m.Entries = append(m.Entries, entry(p.Own(s.Problems), questions, l))
	}
	return m
}

func entry(p api.Project, questions []api.Question, l translations.Language) Entry {
	e := Entry{Root: p.Root(), Label: shorten(p.Name, maxLabel), Pause: l.Text("Pause"),
		Paused: p.State == api.StatePaused, Ready: p.State != api.StateNotIndexed}
	if e.Paused {
		e.Pause = l.Text("Resume")
	}
	state := p.Term()
	if asked(p, questions) {
		state = api.TermAsked
	}
	if state != api.StateReady.Term() {
		e.Label += " · " + translations.Sentence(l, state)
	}
	e.Label = sign(p, state) + " " + e.Label
	return e
}

func sign(p api.Project, state string) string {
	switch {
	case state == api.TermAsked, p.Broken():
		return "▲"
	case p.State == api.StatePaused, p.Waiting != "":
		return "‖"
	case p.State == api.StateNotIndexed:
		return "○"
	case p.State == api.StateReady:
		return "●"
	}
	return "◐"
}

var pictures = map[api.AppState]Icon{
	api.AppAsked: IconNeeds, api.AppBroken: IconProblem, api.AppProblem: IconProblem,
	api.AppPaused: IconPaused, api.AppBusy: IconIndexing, api.AppWaiting: IconPaused,
	api.AppEmpty: IconReady, api.AppReady: IconReady,
}

func asked(p api.Project, questions []api.Question) bool {
	return slices.ContainsFunc(questions, func(q api.Question) bool { return q.Project == p.Root() })
}

// ordered sorts the projects by open questions, problems, last search, last change and name.
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

const (
	maxLabel = 40
	maxTitle = 70 // of a question, which contains a name
)

func shorten(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}

package present

import (
	"maps"
	"slices"
	"time"

	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

type Model struct {
	Connected     bool
	Version, Data string
	Paused        bool
	Problems      []api.Error
	Lost          *Problem
	Usage         api.Usage

	projects  map[string]api.Project
	reached   map[string]reached
	questions []api.Question
}

func (m *Model) Reset(projects []api.Project, questions []api.Question) {
	before := m.projects
	m.projects = map[string]api.Project{}
	for _, p := range projects {
		m.put(p, before)
	}
	m.questions = slices.Clone(questions)
}

// put stores p with its last search in before, if it is later. The window also counts searches for names and lines.
func (m *Model) put(p api.Project, before map[string]api.Project) {
	if was := before[p.ID].LastAsked; was.After(p.LastAsked) {
		p.LastAsked = was
	}
	m.projects[p.ID] = p
}

// Apply updates m with an event. again reports whether the app's status must be fetched again.
func (m *Model) Apply(e api.Event) (again bool) {
	if m.projects == nil {
		m.projects = map[string]api.Project{}
	}
	switch e.Kind {
	case api.EventProject:
		if e.Project != nil {
			m.put(*e.Project, m.projects)
		}
	case api.EventProgress:
		if p, ok := m.projects[e.ProjectID]; ok && e.Progress != nil {
			p.Progress = e.Progress
			m.projects[e.ProjectID] = p
		}
	case api.EventRemoved:
		delete(m.projects, e.ProjectID)
	case api.EventQuestion:
		if q := e.Question; q != nil {
			m.Settle(q.ID) // the app may repeat events
			m.questions = append(m.questions, *q)
		}
	case api.EventAnswered:
		if e.Question != nil {
			m.Settle(e.Question.ID)
		}
	case api.EventActivity:
		if a := e.Activity; a != nil && a.Query != "" {
			m.Asked([]string{a.Project}, a.Time)
		}
	case api.EventSettings, api.EventProblem:
		return true
	}
	return false
}

// Asked records the time of a search in projects.
func (m *Model) Asked(roots []string, at time.Time) {
	for _, root := range roots {
		if p, ok := m.Project(root); ok && at.After(p.LastAsked) {
			p.LastAsked = at
			m.projects[p.ID] = p
		}
	}
}

// SettleAll removes all confirmations of a request, because one answer applies to all.
func (m *Model) SettleAll(id string) {
	at := slices.IndexFunc(m.questions, func(q api.Question) bool { return q.ID == id })
	if at < 0 {
		return
	}
	asked := m.questions[at]
	m.questions = slices.DeleteFunc(m.questions, func(q api.Question) bool {
		return q.Action == asked.Action && q.Project == asked.Project
	})
}

func (m *Model) Settle(id string) {
	m.questions = slices.DeleteFunc(m.questions, func(q api.Question) bool { return q.ID == id })
}

func (m *Model) Questions(now time.Time) []api.Question {
	open := slices.DeleteFunc(slices.Clone(m.questions), func(q api.Question) bool {
		return !q.Expires.IsZero() && !now.Before(q.Expires)
	})
	slices.SortStableFunc(open, func(a, b api.Question) int { return a.Asked.Compare(b.Asked) })
	return api.MergeQuestions(open)
}

func (m *Model) Rows(home string, now time.Time) []Row {
	questions := m.Questions(now)
	rows := make([]Row, 0, len(m.projects))
	for _, id := range slices.Sorted(maps.Keys(m.projects)) {
		p := m.projects[id].Own(m.Problems)
		if m.Lost != nil { // without a connection, the progress is unknown
			p.Progress = nil
		}
		rows = append(rows, m.Row(p, questions, home, now))
	}
	Sort(rows)
	return rows
}

// Row is like RowOf, but the percentages of a job never decrease.
func (m *Model) Row(p api.Project, questions []api.Question, home string, now time.Time) Row {
	last := m.reached[p.ID]
	switch g := p.Progress; {
	case p.State == api.StateReady || p.State == api.StateNotIndexed:
		last = reached{}
	case g != nil && g.JobID != "" && g.JobID != last.job:
		last = reached{job: g.JobID}
	}
	r := rowOf(p, last, questions, home, now)
	if m.reached == nil {
		m.reached = map[string]reached{}
	}
	m.reached[p.ID] = reached{last.job, max(last.meaning, r.meaning)}
	return r
}

func (m *Model) Projects() []api.Project {
	list := slices.Collect(maps.Values(m.projects))
	slices.SortFunc(list, func(a, b api.Project) int { return compareNames(a.Name, b.Name, a.Root(), b.Root()) })
	return list
}

func (m *Model) Project(ref string) (api.Project, bool) {
	if p, ok := m.projects[ref]; ok {
		return p, true
	}
	for _, p := range m.projects {
		if p.Root() == ref || p.Name == ref {
			return p, true
		}
	}
	return api.Project{}, false
}

func (m *Model) Overall(now time.Time) (Mark, string) {
	if !m.Connected {
		return MarkGone, T("Not connected")
	}
	all := api.Sum(m.Projects(), m.Questions(now), m.Paused, m.Problems)
	return overallMarks[all.State], translations.Clause(Sentence(all.Line))
}

var overallMarks = map[api.AppState]Mark{
	api.AppAsked: MarkNeeds, api.AppBroken: MarkNeeds, api.AppProblem: MarkNeeds,
	api.AppPaused: MarkPaused, api.AppBusy: MarkBusy, api.AppWaiting: MarkPaused,
	api.AppEmpty: MarkGone, api.AppReady: MarkReady,
}

func Total(projects []api.Project) string {
	var files int
	var bytes int64
	for _, p := range projects {
		files += read(p)
		bytes += p.SizeBytes
	}
	if len(projects) == 0 {
		return ""
	}
	return Join(Count(len(projects), "project"), Count(files, "file"), T("%s on disk", Size(bytes)))
}

package ui

import (
	"cmp"
	"slices"
	"strings"

	"searchmcp/ui/present"
)

// keep keeps a question that led somewhere.
func (s *search) keep(query string) {
	all := slices.DeleteFunc(s.w.app.Preferences().StringList(prefAsked), func(q string) bool { return q == query })
	all = append([]string{query}, all...)
	s.w.app.Preferences().SetStringList(prefAsked, all[:min(len(all), mostAsked)])
}

// offer makes the rows of an empty field: what was asked last, and the projects used last; after > those of actions.
func (s *search) offer(typed string) {
	add := func(title, where string, does present.Text, do func()) {
		s.rows = append(s.rows, resultRow{found: &present.Found{Title: title, Where: where}, does: does, pick: do})
	}
	if name, command := strings.CutPrefix(typed, ">"); command {
		name = strings.ToLower(strings.TrimSpace(name))
		for _, a := range s.w.actions() {
			if label := tr(a.label); strings.Contains(strings.ToLower(label), name) {
				add(label, "", cmp.Or(a.does, "Enter does this"), func() {
					s.field.SetText("")
					s.leave()
					a.do()
				})
			}
		}
		return
	}
	asked := s.w.app.Preferences().StringList(prefAsked)
	if len(asked) > 0 {
		s.rows = append(s.rows, resultRow{title: "Asked lately"})
	}
	for _, q := range asked {
		add(q, "", "Enter asks this again", func() { s.field.SetText(q) })
	}
	if len(s.projects.options) < 2 || s.project != everywhere {
		return
	}
	s.rows = append(s.rows, resultRow{title: "Projects"})
	rows := s.w.model.Rows(s.w.home, s.w.now())
	slices.SortStableFunc(rows, func(a, b present.Row) int { return cmp.Compare(b.Used, a.Used) })
	for _, r := range rows {
		add(r.Name, present.Join(r.Line, r.Path), "Enter searches this project", func() { s.scope(r.Root) })
		s.rows[len(s.rows)-1].found.Project = r.Root
	}
}

// scope makes a project the one that is searched.
func (s *search) scope(root string) {
	s.projects.choose(root)
	s.placeholder()
	s.win.Canvas().Focus(s.field)
}

// action is something that can be done from the field.
type action struct {
	label present.Text
	do    func()
	does  present.Text // what Enter does, where that is not plain from the label
}

// actions are what > in the field offers.
func (w *Window) actions() []action {
	page := func(label present.Text, p Page) action {
		return action{label, func() { w.Show(); w.Go(p, "") }, "Enter opens this page"}
	}
	pause := action{label: "Pause all", do: func() { w.foot.toggle() }}
	if w.model.Paused {
		pause.label = "Resume all"
	}
	return []action{{label: "Add folder", do: func() { w.Show(); w.addFolder() }}, pause, page("Projects", PageProjects),
		page("Activity", PageActivity), page("Editors", PageEditors), page("Sources", PageSources),
		page("Settings", PageSettings), {label: "Check everything", do: func() { w.Show(); w.examine() }},
		{label: "Quit Search MCP", do: w.quitApp}}
}

// leave takes the palette away, if the field is the palette's.
func (s *search) leave() {
	if p := s.w.palette; p != nil && p.s == s {
		p.hide()
	}
}

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
	add := func(title, where string, do func()) {
		s.rows = append(s.rows, resultRow{found: &present.Found{Title: title, Where: where}, pick: do})
	}
	if name, command := strings.CutPrefix(typed, ">"); command {
		name = strings.ToLower(strings.TrimSpace(name))
		for _, a := range s.w.actions() {
			if label := tr(a.label); strings.Contains(strings.ToLower(label), name) {
				add(label, "", func() {
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
		add(q, "", func() { s.field.SetText(q) })
	}
	if len(s.projects.options) < 2 || s.project != everywhere {
		return
	}
	s.rows = append(s.rows, resultRow{title: "Projects"})
	rows := s.w.model.Rows(s.w.home, s.w.now())
	slices.SortStableFunc(rows, func(a, b present.Row) int { return cmp.Compare(b.Used, a.Used) })
	for _, r := range rows {
		add(r.Name, present.Join(r.Line, r.Path), func() { s.scope(r.Root) })
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
}

// actions are what > in the field offers.
func (w *Window) actions() []action {
	show := func(p Page) func() { return func() { w.Show(); w.Go(p, "") } }
	pause := action{"Pause all", func() { w.foot.toggle() }}
	if w.model.Paused {
		pause.label = "Resume all"
	}
	return []action{{"Add folder", func() { w.Show(); w.addFolder() }}, pause, {"Projects", show(PageProjects)},
		{"Activity", show(PageActivity)}, {"Editors", show(PageEditors)}, {"Sources", show(PageSources)},
		{"Settings", show(PageSettings)}, {"Check everything", func() { w.Show(); w.examine() }},
		{"Quit Search MCP", w.quitApp}}
}

// leave takes the palette away, if the field is the palette's.
func (s *search) leave() {
	if p := s.w.palette; p != nil && p.s == s {
		p.hide()
	}
}

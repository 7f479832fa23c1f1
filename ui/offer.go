package ui

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

var sourceIcons = map[present.Source]fyne.Resource{
	present.SourceCode:      pageIcons[PageEditors],
	present.SourceDocuments: pageIcons[PageSources],
	present.SourceFiles:     pageIcons[PageSources],
	present.SourceSites: glyph{"site",
		`<circle cx="10" cy="10" r="7"/><path d="M3 10h14M10 3c5 5 5 9 0 14M10 3c-5 5-5 9 0 14"/>`},
	present.SourceArchive: glyph{"archive", `<path d="M3 4h14v4H3zM4 8v8h12V8M8 11h4"/>`},
}

var askedIcon = glyph{"asked", `<circle cx="10" cy="10" r="7"/><path d="M10 6v4l3 2"/>`}

const (
	paletteAsked = 4
	pageAsked    = 8
)

const (
	leastOffered  = 6
	offeredBeside = 8
)

func (s *search) offer(typed string) {
	add := func(title, where string, does present.Text, icon fyne.Resource, aside string, do func()) *resultRow {
		s.rows = append(s.rows, resultRow{found: &present.Found{Title: title, Where: where}, does: does, pick: do,
			icon: icon, aside: aside})
		return &s.rows[len(s.rows)-1]
	}
	head := func(title present.Text) *resultRow {
		if s.brief { // the palette has gaps instead of headings
			title = ""
		}
		if title == "" && len(s.rows) == 0 {
			return nil
		}
		s.rows = append(s.rows, resultRow{title: title})
		if title == "" {
			return nil
		}
		return &s.rows[len(s.rows)-1]
	}
	actions := func(name string, all []action) {
		group := present.Text("")
		for _, a := range all {
			label := tr(a.label)
			if !strings.Contains(strings.ToLower(label), name) {
				continue
			}
			if a.group != group {
				group = a.group
				head(group)
			}
			add(label, "", cmp.Or(a.does, "Run"), a.icon, a.keys, func() {
				s.field.SetText("")
				s.leave()
				a.do()
			}).key = true
		}
	}
	if name, command := strings.CutPrefix(typed, ">"); command {
		actions(strings.ToLower(strings.TrimSpace(name)), s.w.actions())
		return
	}
	asked := s.offerAsked(head, func(title, aside string, icon fyne.Resource, does present.Text, do func()) {
		add(title, "", does, icon, aside, do)
	})
	if !s.brief && len(s.lately) > 0 {
		head("Asked by assistants")
		for _, a := range s.lately {
			add(a.Query, "", "Search again", editorGlyph(present.Client(a.Client)),
				present.Join(present.Client(a.Client), present.Ago(a.Time, s.w.now())),
				func() { s.ask(cmp.Or(sourceOf(a), present.SourceAll), a.Project, a.Query) })
		}
		asked += len(s.lately)
	}
	few := func() {
		if !s.every && !s.brief && len(s.projects.options) > 0 { // the projects are known
			actions("", s.w.actions()[:offeredActions])
		}
	}
	if len(s.projects.options) < 2 || s.project != everywhere {
		if len(s.projects.options) > 1 && !s.brief { // the palette uses Tab instead
			head("Projects")
			add(tr("All projects"), "", "Run", pageIcons[PageProjects], "", func() { s.scope(everywhere) })
		}
		few()
		return
	}
	head("Projects")
	first := len(s.rows)
	rows := slices.DeleteFunc(s.w.model.Rows(s.w.home, s.w.now()), func(r present.Row) bool {
		p, _ := s.w.model.Project(r.ID)
		return p.State == api.StateNotIndexed
	})
	slices.SortStableFunc(rows, func(a, b present.Row) int { return cmp.Compare(b.Used, a.Used) })
	most := max(leastOffered, int(s.height/headingHeight)-offeredBeside-asked)
	if s.brief {
		most = paletteRows - 1 - asked
	}
	for i, r := range rows {
		if i == most && !s.every && len(rows) > i+1 {
			add(tr("All %s", present.Count(len(rows), "project")), "", "Show all", pageIcons[PageProjects], "", func() {
				s.every = true
				s.settle()
				s.list.choose(first + i)
			})
			break
		}
		where, state := r.Path, present.Join(r.Line, r.Rest)
		if s.short { // the state matters more than the path
			where, state = "", cmp.Or(r.Rest, r.Line)
			if r.Mark == present.MarkReady { // the icon shows the state
				state = r.Last
			}
		}
		row := add(r.Name, where, "Search this project", marks[r.Mark], state, func() { s.scope(r.Root) })
		row.found.Project = r.Root
	}
	few()
}

const mostLately = 5

func (s *search) fetchLately() {
	request(s.w, wire.MethodActivity, wire.Empty{}, func(all []api.Activity, _ error) {
		s.lately = lately(all, mostLately, func(client string) bool { return client != "" })
		s.refresh()
	})
}

const chipRunes = 24

func (s *search) scope(root string) {
	s.projects.choose(root)
	s.scoped()
	s.win.Canvas().Focus(s.field)
}

func (s *search) scoped() {
	s.chip.set(present.Middle(s.projects.shown(), chipRunes), theme.CancelIcon())
	s.chip.Hidden = s.project == everywhere || len(s.projects.options) < 2
	if s.settled != nil {
		s.settled()
	}
	s.placeholder()
}

func (s *search) showHints() {
	var all []hint
	f, ok := s.chosen()
	if ok {
		all = append(all, hint{"Enter", s.rows[s.list.at].does})
	}
	switch _, known := s.w.model.Project(f.Project); {
	case !s.brief:
		if ok {
			all = append(all, hint{"↑↓", "Choose"})
		}
		all = append(all, hint{">", "Actions"}, hint{"F1", "Keys"})
	default:
		if s.project != everywhere && len(s.projects.options) > 1 {
			all = append(all, hint{"Tab", "All projects"})
		} else if known && s.project == everywhere {
			all = append(all, hint{"Tab", "Only this project"})
		}
		if s.query != "" {
			all = append(all, hint{"Ctrl+Enter", "In the window"})
		}
		all = append(all, hint{">", "Actions"}, hint{"Esc", "Close"})
	}
	s.hints.set(all)
	s.below.Refresh()
}

type action struct {
	group, label present.Text
	icon         fyne.Resource
	keys         string // shortcut in the window
	do           func()
	does         present.Text // the effect of Enter, if label does not show it
}

const offeredActions = 3

func (w *Window) actions() []action {
	const do, visit = "Actions", "Pages"
	pause := action{do, "Pause all", theme.MediaPauseIcon(), "", func() { w.foot.toggle() }, ""}
	if w.model.Paused {
		pause.label, pause.icon = "Resume all", theme.MediaPlayIcon()
	}
	all := []action{{do, "Add folder", theme.ContentAddIcon(), "Ctrl+N", func() { w.Show(); w.addFolder() }, ""},
		{do, "Check everything", theme.ConfirmIcon(), "", func() { w.Show(); w.examine() }, ""}, pause,
		{do, "Clear recent searches", theme.DeleteIcon(), "", w.forget, ""},
		{do, "Quit Search MCP", theme.LogoutIcon(), "", w.quitApp, ""}}
	for i, p := range Pages {
		all = append(all, action{visit, present.Text(w.nav[p].Text), pageIcons[p], "Ctrl+" + string(rune('1'+i)),
			func() { w.Show(); w.Go(p, "") }, "Open this page"})
	}
	return all
}

func (s *search) leave() {
	if p := s.w.palette; p != nil && p.s == s {
		p.hide()
	}
}

package page

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

var sourceIcons = map[present.Source]fyne.Resource{
	present.SourceCode:      PageIcons[PageEditors],
	present.SourceDocuments: PageIcons[PageSources],
	present.SourceFiles:     PageIcons[PageSources],
	present.SourceSites: widget.LineIcon("site",
		`<circle cx="10" cy="10" r="7"/><path d="M3 10h14M10 3c5 5 5 9 0 14M10 3c-5 5-5 9 0 14"/>`),
	present.SourceArchive: widget.LineIcon("archive", `<path d="M3 4h14v4H3zM4 8v8h12V8M8 11h4"/>`),
}

var askedIcon = widget.LineIcon("asked", `<circle cx="10" cy="10" r="7"/><path d="M10 6v4l3 2"/>`)

const (
	paletteAsked = 4
	pageAsked    = 8
)

const (
	leastOffered  = 6
	offeredBeside = 8
)

// offer adds the rows for an empty field, or the actions that match the text after ">".
func (s *Search) offer(typed string) {
	if name, command := strings.CutPrefix(typed, ">"); command {
		s.offerActions(strings.ToLower(strings.TrimSpace(name)), s.w.frame.Actions())
		return
	}
	rows, several := s.offerAsked(), len(s.Projects.Options) > 1
	if !s.brief && len(s.lately) > 0 {
		s.offerHead(ResultRow{Title: "Asked by assistants"})
		for _, a := range s.lately {
			s.addOffer(a.Query, "", ResultRow{does: "Search again", icon: editorGlyph(present.Client(a.Client)),
				aside: present.Join(present.Client(a.Client), present.Ago(a.Time, s.w.Now())),
				pick:  func() { s.Ask(cmp.Or(sourceOf(a), present.SourceAll), a.Project, a.Query) }})
		}
	}
	switch {
	case several && s.Project == Everywhere:
		s.offerProjects(rows + len(s.lately))
	case several && !s.brief: // the palette uses Tab instead
		s.offerHead(ResultRow{Title: "Projects"})
		s.addOffer(tr("All projects"), "", ResultRow{does: "Run", icon: PageIcons[PageProjects],
			pick: func() { s.Scope(Everywhere) }})
	}
	if !s.every && !s.brief && len(s.Projects.Options) > 0 { // the projects are known
		s.offerActions("", s.w.frame.Actions()[:offeredActions])
	}
}

func (s *Search) addOffer(title, where string, r ResultRow) {
	r.Found = &present.Found{Title: title, Where: where}
	s.Rows = append(s.Rows, r)
}

// offerHead adds a heading. The palette has gaps instead.
func (s *Search) offerHead(r ResultRow) {
	if s.brief {
		r = ResultRow{}
	}
	if !s.brief || len(s.Rows) > 0 {
		s.Rows = append(s.Rows, r)
	}
}

func (s *Search) offerActions(name string, all []Action) {
	group := present.Text("")
	for _, a := range all {
		label := tr(a.Label)
		if !strings.Contains(strings.ToLower(label), name) {
			continue
		}
		if a.Group != group {
			group = a.Group
			s.offerHead(ResultRow{Title: group})
		}
		s.addOffer(label, "", ResultRow{does: cmp.Or(a.Does, "Run"), icon: a.Icon, aside: a.Keys, key: true,
			pick: func() { s.leaveFor(a.Do) }})
	}
}

// leaveFor empties the field and calls do before the palette closes, because the program exits without a window.
func (s *Search) leaveFor(do func()) {
	s.Field.SetText("")
	do()
	s.Leave()
}

const mostNamed = 3

// offerNamed adds the projects with a word that begins with the typed text.
func (s *Search) offerNamed() {
	begins := regexp.MustCompile(`(?i)(^|[^\pL\d])` + regexp.QuoteMeta(s.typedAs.Words))
	for _, r := range s.w.Model.Rows(s.w.Home, s.w.Now()) {
		if begins.MatchString(r.Name) && len(s.Rows) < mostNamed {
			s.addOffer(r.Name, r.Path, ResultRow{does: "Open details", icon: Marks[r.Mark], aside: cmp.Or(r.Rest, r.Line),
				pick: func() {
					s.leaveFor(func() {
						s.w.frame.Show()
						s.w.frame.Go(PageProjects, r.ID)
					})
				}})
			s.Rows[len(s.Rows)-1].Found.Project = r.Root
		}
	}
	if len(s.Rows) > 0 {
		s.offerHead(ResultRow{})
	}
}

// offerProjects adds projects, the last used first, below the given number of rows.
func (s *Search) offerProjects(above int) {
	s.offerHead(ResultRow{Title: "Projects"})
	first := len(s.Rows)
	rows := slices.DeleteFunc(s.w.Model.Rows(s.w.Home, s.w.Now()), func(r present.Row) bool {
		p, _ := s.w.Model.Project(r.ID)
		return p.State == api.StateNotIndexed
	})
	slices.SortStableFunc(rows, func(a, b present.Row) int { return cmp.Compare(b.Used, a.Used) })
	most := max(leastOffered, int(s.height/HeadingHeight)-offeredBeside-above)
	if s.brief {
		most = PaletteRows - 1 - above
	}
	for i, r := range rows {
		if i == most && !s.every && len(rows) > i+1 {
			s.addOffer(tr("All %s", present.Count(len(rows), "project")), "", ResultRow{does: "Show all",
				icon: PageIcons[PageProjects], pick: func() {
					s.every = true
					s.Settle()
					s.List.Choose(first + i)
				}})
			break
		}
		where, state := r.Path, present.Join(r.Line, r.Rest)
		if s.short { // the state matters more than the path
			where, state = "", cmp.Or(r.Rest, r.Line)
			if r.Mark == present.MarkReady { // the icon shows the state
				state = r.Last
			}
		}
		s.addOffer(r.Name, where, ResultRow{does: "Search this project", icon: Marks[r.Mark], aside: state,
			pick: func() { s.Scope(r.Root) }})
		s.Rows[len(s.Rows)-1].Found.Project = r.Root
	}
}

const mostLately = 5

func (s *Search) fetchLately() {
	Request(s.w, wire.MethodActivity, wire.Empty{}, func(all []api.Activity, _ error) {
		s.lately = lately(all, mostLately, func(client string) bool { return client != "" })
		s.Refresh()
	})
}

const chipRunes = 24

func (s *Search) Scope(root string) {
	s.Projects.Choose(root)
	s.scoped()
	s.Win.Canvas().Focus(s.Field)
}

func (s *Search) scoped() {
	s.Chip.Set(present.Middle(s.Projects.Shown(), chipRunes), theme.CancelIcon())
	s.Chip.Hidden = s.Project == Everywhere || len(s.Projects.Options) < 2
	if s.Settled != nil {
		s.Settled()
	}
	s.Placeholder()
}

func (s *Search) ShowHints() {
	var all []widget.Hint
	f, ok := s.Chosen()
	if ok {
		all = append(all, HintOf("Enter", s.Rows[s.List.At].does))
	}
	switch _, known := s.w.Model.Project(f.Project); {
	case !s.brief:
		if ok {
			all = append(all, HintOf("↑↓", "Choose"))
		}
		all = append(all, HintOf(">", "Actions"), HintOf("F1", "Keys"))
	default:
		if len(controls(s.Message)) > 0 {
			all = append(all, HintOf("Tab", "Choose"))
		} else if s.Project != Everywhere && len(s.Projects.Options) > 1 {
			all = append(all, HintOf("Tab", "All projects"))
		} else if known && s.Project == Everywhere {
			all = append(all, HintOf("Tab", "Only this project"))
		}
		if s.Query != "" {
			all = append(all, HintOf("Ctrl+Enter", "In the window"))
		}
		all = append(all, HintOf(">", "Actions"), HintOf("Esc", "Close"))
	}
	s.Hints.Set(all)
	s.Below.Refresh()
}

type Action struct {
	Group, Label present.Text
	Icon         fyne.Resource
	Keys         string
	Do           func()
	Does         present.Text // the effect of Enter, if not in label
}

const offeredActions = 3

func (s *Search) Tab() {
	if buttons := controls(s.Message); len(buttons) > 0 {
		s.Win.Canvas().Focus(buttons[0])
	} else if s.Project != Everywhere {
		s.Scope(Everywhere)
	} else if f, ok := s.Chosen(); ok {
		if p, known := s.w.Model.Project(f.Project); known {
			s.Scope(p.Root())
		}
	}
}

const (
	PaletteRows = 9
)

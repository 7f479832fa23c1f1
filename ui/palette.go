package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

const PagePalette Page = wire.PagePalette

const PageQuestion Page = wire.PageQuestion

const (
	paletteWidth  = 720
	paletteRows   = 9
	PaletteHeight = 432 // with all rows and one gap
	PaletteRadius = widget.PanelRadius
)

// paletteComes is how long a new palette ignores the loss of the focus, because desktops move the focus while a window
// opens.
const paletteComes = time.Second

type quickSearch struct {
	w     *Window
	win   fyne.Window
	s     *search
	since time.Time // time it was shown, zero while hidden
	top   *fyne.Container
}

func (w *Window) showPalette() {
	if w.palette == nil {
		w.palette = newPalette(w)
	}
	p := w.palette
	p.since = w.now()
	p.s.refresh()
	p.win.Show()
	p.win.RequestFocus()
	p.win.Canvas().Focus(p.s.field)
	if p.s.field.Text != ">" { // the user continues with an action
		p.s.field.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

func newPalette(w *Window) *quickSearch {
	p := &quickSearch{w: w, win: w.opts.Palette(), s: newSearch(w, true)}
	s := p.s
	s.win, s.project = p.win, everywhere
	s.field.Shortcut, s.field.Keys[fyne.KeyF1] = nil, nil // the main window's
	s.list.Moved = func(int) { s.showHints() }
	s.field.Keys[fyne.KeyTab] = s.tab
	s.field.Whole = p.whole
	s.placeholder()
	s.field.Keys[fyne.KeyEscape] = p.hide // showPalette selects the query
	s.list.Escape = p.hide
	s.split = s.list
	p.top = container.NewBorder(nil, nil, s.chip, nil, container.NewThemeOverride(s.field, widget.Roomy))
	s.settle()
	p.win.SetTitle(tr("Search all projects"))
	p.win.SetPadded(false)
	p.win.SetContent(container.NewStack(widget.NewFill(theme.ColorNameInputBorder, PaletteRadius), widget.Pad(1, 1, 1, 1,
		container.NewStack(widget.NewFill(theme.ColorNameOverlayBackground, PaletteRadius-1),
			widget.Pad(widget.GapGroup, widget.GapSmall, widget.GapGroup,
				widget.GapGroup, container.NewBorder(widget.Column(2, p.top, s.busy), s.below, nil, nil,
					widget.Pad(widget.GapSmall, widget.GapSmall, 0, 0, container.NewStack(s.list, s.message, s.dim))))))))
	s.settled = p.grow
	p.grow()
	p.win.SetCloseIntercept(p.hide)
	p.win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if e.Name == fyne.KeyEscape {
			p.hide()
		}
	})
	return p
}

func (p *quickSearch) grow() {
	p.top.Refresh() // the chip may have appeared
	rows := p.s.list.MinSize().Height
	rest := p.win.Content().MinSize().Height - rows
	for _, end := range p.s.list.Body.Ends {
		if end <= paletteRows*headingHeight+widget.GapSmall {
			rows = end
		}
	}
	p.win.Resize(fyne.NewSize(paletteWidth, rest+rows))
}

func (p *quickSearch) whole() {
	page, query := p.w.pages[PageSearch].(*search), p.s.text()
	if strings.HasPrefix(strings.TrimSpace(query), ">") {
		return
	}
	p.w.Show() // show it first, because the program ends without a window
	p.hide()
	page.project = p.s.project
	page.ask(present.SourceAll, "", query)
}

func (s *search) tab() {
	if s.project != everywhere {
		s.scope(everywhere)
	} else if f, ok := s.chosen(); ok {
		if p, known := s.w.model.Project(f.Project); known {
			s.scope(p.Root())
		}
	}
}

func (p *quickSearch) hide() {
	if p.since.IsZero() {
		return
	}
	p.since = time.Time{}
	p.win.Hide()
	p.w.idle()
}

// turnedAway is how long the focus must be lost, because desktops may take it for a moment and return it.
const turnedAway = 300 * time.Millisecond

func (w *Window) leavePalette() {
	if w.palette == nil || w.palette.since.IsZero() {
		return
	}
	w.after(turnedAway, func() {
		if !w.front {
			w.palette.left()
		}
	})
}

func (p *quickSearch) left() {
	if !p.since.IsZero() && p.w.now().Sub(p.since) >= paletteComes {
		p.hide()
	}
}

func (w *Window) idle() {
	if (w.palette == nil || w.palette.since.IsZero()) && !w.shown && w.opening == 0 &&
		len(w.model.Questions(w.now())) == 0 {
		w.app.Quit()
	}
}

var sourceIcons = map[present.Source]fyne.Resource{
	present.SourceCode:      pageIcons[PageEditors],
	present.SourceDocuments: pageIcons[PageSources],
	present.SourceFiles:     pageIcons[PageSources],
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
func (s *search) offer(typed string) {
	if name, command := strings.CutPrefix(typed, ">"); command {
		s.offerActions(strings.ToLower(strings.TrimSpace(name)), s.w.actions())
		return
	}
	rows, several := s.offerAsked(), len(s.projects.Options) > 1
	if !s.brief && len(s.lately) > 0 {
		s.offerHead(resultRow{title: "Asked by assistants"})
		for _, a := range s.lately {
			s.addOffer(a.Query, "", resultRow{does: "Search again", icon: editorGlyph(present.Client(a.Client)),
				aside: present.Join(present.Client(a.Client), present.Ago(a.Time, s.w.now())),
				pick:  func() { s.ask(cmp.Or(sourceOf(a), present.SourceAll), a.Project, a.Query) }})
		}
	}
	switch {
	case several && s.project == everywhere:
		s.offerProjects(rows + len(s.lately))
	case several && !s.brief: // the palette uses Tab instead
		s.offerHead(resultRow{title: "Projects"})
		s.addOffer(tr("All projects"), "", resultRow{does: "Run", icon: pageIcons[PageProjects],
			pick: func() { s.scope(everywhere) }})
	}
	if !s.every && !s.brief && len(s.projects.Options) > 0 { // the projects are known
		s.offerActions("", s.w.actions()[:offeredActions])
	}
}

// addOffer adds the row r with a title and a place.
func (s *search) addOffer(title, where string, r resultRow) {
	r.found = &present.Found{Title: title, Where: where}
	s.rows = append(s.rows, r)
}

// offerHead adds a heading. The palette has gaps instead.
func (s *search) offerHead(r resultRow) {
	if s.brief {
		r = resultRow{}
	}
	if !s.brief || len(s.rows) > 0 {
		s.rows = append(s.rows, r)
	}
}

func (s *search) offerActions(name string, all []action) {
	group := present.Text("")
	for _, a := range all {
		label := tr(a.label)
		if !strings.Contains(strings.ToLower(label), name) {
			continue
		}
		if a.group != group {
			group = a.group
			s.offerHead(resultRow{title: group})
		}
		s.addOffer(label, "", resultRow{does: cmp.Or(a.does, "Run"), icon: a.icon, aside: a.keys, key: true, pick: func() {
			s.field.SetText("")
			s.leave()
			a.do()
		}})
	}
}

// offerProjects adds projects, the last used first. above is the number of rows above them.
func (s *search) offerProjects(above int) {
	s.offerHead(resultRow{title: "Projects"})
	first := len(s.rows)
	rows := slices.DeleteFunc(s.w.model.Rows(s.w.home, s.w.now()), func(r present.Row) bool {
		p, _ := s.w.model.Project(r.ID)
		return p.State == api.StateNotIndexed
	})
	slices.SortStableFunc(rows, func(a, b present.Row) int { return cmp.Compare(b.Used, a.Used) })
	most := max(leastOffered, int(s.height/headingHeight)-offeredBeside-above)
	if s.brief {
		most = paletteRows - 1 - above
	}
	for i, r := range rows {
		if i == most && !s.every && len(rows) > i+1 {
			s.addOffer(tr("All %s", present.Count(len(rows), "project")), "", resultRow{does: "Show all",
				icon: pageIcons[PageProjects], pick: func() {
					s.every = true
					s.settle()
					s.list.Choose(first + i)
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
		s.addOffer(r.Name, where, resultRow{does: "Search this project", icon: marks[r.Mark], aside: state,
			pick: func() { s.scope(r.Root) }})
		s.rows[len(s.rows)-1].found.Project = r.Root
	}
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
	s.projects.Choose(root)
	s.scoped()
	s.win.Canvas().Focus(s.field)
}

func (s *search) scoped() {
	s.chip.Set(present.Middle(s.projects.Shown(), chipRunes), theme.CancelIcon())
	s.chip.Hidden = s.project == everywhere || len(s.projects.Options) < 2
	if s.settled != nil {
		s.settled()
	}
	s.placeholder()
}

func (s *search) showHints() {
	var all []widget.Hint
	f, ok := s.chosen()
	if ok {
		all = append(all, hintOf("Enter", s.rows[s.list.At].does))
	}
	switch _, known := s.w.model.Project(f.Project); {
	case !s.brief:
		if ok {
			all = append(all, hintOf("↑↓", "Choose"))
		}
		all = append(all, hintOf(">", "Actions"), hintOf("F1", "Keys"))
	default:
		if s.project != everywhere && len(s.projects.Options) > 1 {
			all = append(all, hintOf("Tab", "All projects"))
		} else if known && s.project == everywhere {
			all = append(all, hintOf("Tab", "Only this project"))
		}
		if s.query != "" {
			all = append(all, hintOf("Ctrl+Enter", "In the window"))
		}
		all = append(all, hintOf(">", "Actions"), hintOf("Esc", "Close"))
	}
	s.hints.Set(all)
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

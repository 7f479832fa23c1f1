package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

const (
	paletteWidth  = 780 // width of all hints in German, and a number of results
	PaletteHeight = 432 // height of all rows and one gap
	PaletteRadius = widget.PanelRadius
)

// paletteComes is how long a new palette may be without the focus. Desktops move the focus while a window opens.
const paletteComes = time.Second

type quickSearch struct {
	w     *Window
	win   fyne.Window
	s     *page.Search
	since time.Time
	top   *fyne.Container
}

func (w *Window) ShowPalette() {
	if w.palette == nil {
		w.palette = newPalette(w)
	}
	p := w.palette
	p.since = w.Now()
	p.s.Refresh()
	if p.s.Chip.Visible() {
		p.s.Scope(page.Everywhere)
	}
	p.win.Show()
	p.win.RequestFocus()
	p.win.Canvas().Focus(p.s.Field)
	if p.s.Field.Text != ">" { // the user continues with an action
		p.s.Field.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

func newPalette(w *Window) *quickSearch {
	p := &quickSearch{w: w, win: w.Opts.Palette(), s: page.NewSearch(w.Window, true)}
	s := p.s
	s.Win, s.Project, s.Leave = p.win, page.Everywhere, p.hide
	s.Field.Keys[fyne.KeyF1] = nil                  // disable the main window's keys
	s.Field.Shortcut = func(x fyne.Shortcut) bool { // Ctrl+K hides the palette again
		k, is := x.(*desktop.CustomShortcut)
		if is = is && k.KeyName == fyne.KeyK; is {
			p.hide()
		}
		return is
	}
	s.List.Moved = func(int) { s.ShowHints() }
	s.Field.Keys[fyne.KeyTab] = s.Tab
	s.Field.Whole = p.whole
	s.Placeholder()
	s.Field.Keys[fyne.KeyEscape] = p.hide // Escape hides the palette and keeps the text
	s.List.Escape = p.hide
	s.Split = s.List
	p.top = container.NewBorder(nil, nil, s.Chip, nil, widget.NewLarge(s.Field))
	s.Settle()
	p.win.SetTitle(present.T("Search all projects"))
	p.win.SetIcon(w.Win.Icon())
	p.win.SetPadded(false)
	const outside = PaletteRadius - 2 // X11 cuts off the corners, but should not cut off the smoothed border
	p.win.SetContent(container.NewStack(widget.NewFill(theme.ColorNameInputBorder, outside), widget.Pad(1, 1, 1, 1,
		container.NewStack(widget.NewFill(theme.ColorNameOverlayBackground, PaletteRadius-1),
			widget.Pad(widget.GapGroup, widget.GapSmall, widget.GapGroup,
				widget.GapGroup, container.NewBorder(widget.Column(2, p.top, s.Busy), s.Below, nil, nil,
					widget.Pad(widget.GapSmall, widget.GapSmall, 0, 0, container.NewStack(s.List, s.Message, s.Dim))))))))
	s.Settled = p.grow
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
	p.top.Refresh()
	rows := p.s.List.MinSize().Height
	rest := p.win.Content().MinSize().Height - rows
	for _, end := range p.s.List.Ends {
		if end <= page.PaletteRows*page.HeadingHeight+widget.GapSmall {
			rows = end
		}
	}
	if p.s.Message.Visible() {
		rows = max(rows, min(p.s.Message.Content.MinSize().Height, page.PaletteRows*page.HeadingHeight))
	}
	p.win.Resize(fyne.NewSize(paletteWidth, rest+rows))
}

func (p *quickSearch) whole() {
	whole, query := p.w.Pages[page.PageSearch].(*page.Search), p.s.Text()
	if strings.HasPrefix(strings.TrimSpace(query), ">") {
		return
	}
	p.w.Show() // show the main window first, because the program exits without a window
	p.hide()
	whole.Project = p.s.Project
	if f, ok := p.s.Chosen(); ok {
		whole.Wanted = &f
	}
	whole.Ask(present.SourceAll, "", query)
}

func (p *quickSearch) hide() {
	if p.since.IsZero() {
		return
	}
	p.since = time.Time{}
	p.win.Hide()
	p.w.Idle()
}

// turnedAway is how long the palette stays open without the focus. Desktops may take the focus briefly.
const turnedAway = 300 * time.Millisecond

func (w *Window) leavePalette() {
	if w.palette == nil || w.palette.since.IsZero() {
		return
	}
	w.After(turnedAway, func() {
		if !w.front {
			w.palette.left()
		}
	})
}

func (p *quickSearch) left() {
	if !p.since.IsZero() && p.w.Now().Sub(p.since) >= paletteComes {
		p.hide()
	}
}

func (w *Window) Idle() {
	if (w.palette == nil || w.palette.since.IsZero()) && !w.shown && w.Opening == 0 &&
		len(w.Model.Questions(w.Now())) == 0 {
		w.App.Quit()
	}
}

func (w *Window) Actions() []page.Action {
	const do, visit = "Actions", "Pages"
	pause := page.Action{Group: do, Label: "Pause all", Icon: theme.MediaPauseIcon(), Do: w.foot.toggle}
	if w.Model.Paused {
		pause.Label, pause.Icon = "Resume all", theme.MediaPlayIcon()
	}
	all := []page.Action{{Group: do, Label: "Add folder", Icon: theme.ContentAddIcon(), Keys: "Ctrl+N",
		Do: func() { w.Show(); w.AddFolder() }},
		{Group: do, Label: "Check everything", Icon: theme.ConfirmIcon(), Do: func() { w.Show(); w.Examine() }}, pause,
		{Group: do, Label: "Clear recent searches", Icon: theme.DeleteIcon(), Do: w.Forget},
		{Group: do, Label: "Quit Search MCP", Icon: theme.LogoutIcon(), Do: w.Quit}}
	for _, v := range []widget.Variant{widget.VariantLight, widget.VariantDark, widget.VariantSystem} {
		label := map[widget.Variant]present.Text{widget.VariantLight: "Use the light theme",
			widget.VariantDark: "Use the dark theme", widget.VariantSystem: "Use the system's theme"}[v]
		all = append(all, page.Action{Group: do, Label: label, Icon: theme.ColorPaletteIcon(),
			Do: func() { w.Show(); w.SetTheme(v); w.Reshow() }})
	}
	for i, p := range page.Pages {
		all = append(all, page.Action{Group: visit, Label: present.Text(w.nav[p].Text), Icon: page.PageIcons[p],
			Keys: "Ctrl+" + string(rune('1'+i)),
			Do:   func() { w.Show(); w.Go(p, "") }, Does: "Open this page"})
	}
	for _, p := range w.Model.Projects() {
		all = append(all, page.Action{Group: "Projects", Label: present.Text(present.T("Rebuild the index of %s", p.Name)),
			Icon: theme.ViewRefreshIcon(), Do: func() { w.Show(); w.Go(page.PageReindex, p.Root()) }})
	}
	return all
}

var shortcutKeys = []struct {
	key  string
	does present.Text
}{
	{"Ctrl+K", "Search from anywhere"},
	{"Ctrl+1 … 6", "Pages"},
	{"Ctrl+,", "Settings"},
	{"Ctrl+F", "Search field of the page"},
	{"Ctrl+N", "Add folder"},
	{"Ctrl+W", "Close window"},
	{"Tab", "Next control"},
	{"↑ ↓", "Next row"},
	{"Enter", "Open the highlighted row"},
	{"Shift+F10", "Project menu"},
	{"Esc", "Close the pane or dialog"},
	{"Ctrl+C", "Copy the selection"},
	{"F1", "Shortcut keys"},
	{"", "Search"}, // a heading
	{"Alt+V", "Preview"},
	{"Alt+W", "Why"},
	{"Alt+O", "Outline"},
	{"Alt+U", "Uses"},
	{"Alt+P", "Choose a project"},
	{"Alt+1 … 6", "Choose a source, such as documents"},
	{"Alt+E", "Search exact text"},
	{"Alt+C", "Match case"},
	{"Alt+R", "Search by a regular expression"},
	{"lang:go", "Only this language (in the search field)"},
	{"path:src", "Only paths with this text (in the search field)"},
	{">", "Actions (first character in the search field)"},
}

func (w *Window) ShowKeys() {
	rows := widget.Column(widget.GapSmall)
	for _, k := range shortcutKeys {
		if k.key == "" {
			rows.Add(widget.Pad(widget.GapSmall, 0, 0, 0, widget.Strong(present.T(k.does))))
			continue
		}
		rows.Add(container.NewBorder(nil, nil, widget.Wide(128, widget.Row(widget.NewKeyCap(page.KeyName(k.key)))), nil,
			widget.Plain(present.T(k.does))))
	}
	w.Open(&page.Sheet{Title: present.T("Keys"), Body: rows,
		Buttons: []fyne.CanvasObject{page.Primary("Close", w.CloseSheet)}})
}

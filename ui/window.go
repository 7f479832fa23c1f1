package ui

import (
	"context"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/socket/wire"
	"searchmcp/assets/icons"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

const windowTitle = "Search MCP"

const redrawPause = 200 * time.Millisecond

type Window struct {
	*page.Window
	nav          map[page.Page]*widget.Button
	keys         map[string]func()
	banner       *fyne.Container
	foot         *footer
	asking       *asking
	palette      *quickSearch
	shown, front bool
	since        time.Time
	wanted       func()

	mu      sync.Mutex // guards the following fields
	events  []api.Event
	drawing bool
	drawn   time.Time
}

func New(o page.Options) *Window {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	w := &Window{nav: map[page.Page]*widget.Button{}, keys: map[string]func(){}}
	o.App.Settings().SetTheme(widget.Theme{Want: widget.Variant(
		o.App.Preferences().StringWithFallback(page.PrefTheme, string(widget.VariantSystem)))})
	if o.Language == nil {
		o.Language = translations.For(string(lang.SystemLocale()))
	}
	speak(o)
	w.Window = page.New(o, o.App.NewWindow(windowTitle), w)
	w.Win.SetPadded(false)
	w.Win.SetIcon(fyne.NewStaticResource("app.png", icons.App))
	w.asking = &asking{w: w, notified: map[string]context.CancelFunc{}, repeated: map[string]bool{}}
	w.build()
	w.shortcuts()
	w.Win.Resize(fyne.NewSize(
		float32(o.App.Preferences().FloatWithFallback(prefWidth, 1280)),
		float32(o.App.Preferences().FloatWithFallback(prefHeight, 780))))
	w.Win.SetOnDropped(w.Dropped)
	w.Win.SetCloseIntercept(w.closing)
	life := o.App.Lifecycle()
	life.SetOnEnteredForeground(func() { w.front, w.since = true, w.Now() })
	life.SetOnExitedForeground(func() {
		w.front = false
		w.leavePalette()
	})
	w.Go(page.PageProjects, "")
	w.Every(agePause, func() bool { w.renew(); return true })
	return w
}

// speak sets the language of the settings.
func speak(o page.Options) {
	l := o.Language
	if code := o.App.Preferences().String(page.PrefLanguage); code != "" {
		l = translations.For(code)
	}
	present.Speak(l)
}

// Speak replaces the pages and the palette, and keeps the search.
func (w *Window) Speak() {
	before := w.Pages[page.PageSearch].(*page.Search)
	w.CloseSheet()
	if w.palette != nil {
		w.palette.win.Close()
		w.palette = nil
	}
	speak(w.Opts)
	w.Build()
	w.build()
	w.Pages[page.PageSearch].(*page.Search).Resume(before)
	w.Go(w.Current, "")
	w.Refresh()
}

const (
	prefWidth  = "window.width"
	prefHeight = "window.height"
	prefClosed = "window.closed-before"
)

func (w *Window) build() {
	names := map[page.Page]present.Text{
		page.PageProjects: "Projects", page.PageSearch: "Search", page.PageActivity: "Activity", page.PageEditors: "Editors",
		page.PageSources: "Sources", page.PageSettings: "Settings",
	}
	items := make([]fyne.CanvasObject, 0, len(page.Pages))
	for i, p := range page.Pages {
		n := page.NewButton(names[p], func() { w.Go(p, "") }).As(widget.TonePage).With(page.PageIcons[p])
		n.Step = func(by int) {
			if to := i + by; to >= 0 && to < len(page.Pages) {
				w.Win.Canvas().Focus(w.nav[page.Pages[to]])
			}
		}
		w.nav[p] = n
		items = append(items, n)
	}
	w.foot = newFooter(w)
	side := container.NewStack(widget.NewFill(widget.ColorSidebar, 0),
		widget.Pad(widget.GapGroup, widget.GapSmall, 4, 4,
			container.NewBorder(widget.Column(2, items...), w.foot.box, nil, nil)))
	w.banner = container.NewStack()
	w.banner.Hide()
	main := container.NewBorder(w.banner, nil, nil, nil, w.Panes)
	w.Win.SetContent(container.NewStack(w.sided(main, side), w.Notice, w.Tip))
}

func (w *Window) shortcuts() {
	c := w.Win.Canvas()
	with := func(modifier fyne.KeyModifier, key fyne.KeyName, do func()) {
		s := &desktop.CustomShortcut{KeyName: key, Modifier: modifier}
		unlessAsked := func() {
			if c.Overlays().Top() == nil {
				do()
			}
		}
		w.keys[s.ShortcutName()] = unlessAsked
		c.AddShortcut(s, func(fyne.Shortcut) { unlessAsked() })
	}
	on := func(key fyne.KeyName, do func()) { with(fyne.KeyModifierShortcutDefault, key, do) }
	for i, key := range []fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5, fyne.Key6} {
		on(key, func() { w.Go(page.Pages[i], "") })
	}
	on(fyne.KeyComma, func() { w.Go(page.PageSettings, "") })
	on(fyne.KeyF, w.ToField)
	on(fyne.KeyK, w.ShowPalette)
	on(fyne.KeyN, w.AddFolder)
	on(fyne.KeyW, w.closing)
	w.SearchShortcuts(with)
	c.SetOnTypedRune(func(rune) {
		if w.asking.popup != nil {
			w.asking.typed("")
		}
	})
	c.SetOnTypedKey(func(e *fyne.KeyEvent) {
		switch {
		case w.asking.popup != nil:
			w.asking.typed(e.Name)
		case widget.Steps[e.Name] != 0:
			w.ToList(e)
		case e.Name == fyne.KeyF1:
			w.ShowKeys()
		case e.Name == fyne.KeyEscape:
			w.CloseSheet()
		}
	})
}

func (w *Window) Shortcut(s fyne.Shortcut) bool {
	do, ours := w.keys[s.ShortcutName()]
	if ours {
		do()
	}
	return ours
}

func (w *Window) Want(p page.Page, project string) {
	switch {
	case p == page.PageQuestion:
	case p == page.PagePalette:
		w.ShowPalette() // before the connection, the palette opens but can't search
	case !w.Model.Connected:
		if w.wanted = func() { w.Want(p, project) }; p == page.PageHome {
			w.Go(page.PageSearch, "")
		}
	case p == page.PageHome:
		if len(w.Model.Projects()) == 0 {
			w.Go(page.PageProjects, "")
		}
	case p != "" || project != "":
		w.Go(p, project)
	}
}

func (w *Window) Go(p page.Page, project string) {
	switch p {
	case page.PageAdd:
		w.AddPath(project)
		return
	case page.PagePalette:
		w.ShowPalette()
		return
	case page.PageReindex:
		w.Go(page.PageProjects, "")
		if found, ok := w.Model.Project(project); ok {
			w.Reindex(found)
		}
		return
	}
	w.TurnTo(p, project)
	for p, n := range w.nav {
		n.As(map[bool]widget.Tone{true: widget.ToneHere, false: widget.TonePage}[p == w.Current])
	}
}

func (w *Window) Show() {
	w.shown = true
	w.Win.Show()
	w.Win.RequestFocus()
	w.asking.refresh()
}

func (w *Window) Connected(b page.Backend) {
	w.Backend = b
	w.Model.Lost = nil
	w.Fetch()
}

func (w *Window) Lost(byUser bool, cause error) {
	w.Backend = nil
	w.Model.Connected = false
	p := present.Lost(byUser, cause)
	w.Model.Lost = &p
	w.Model.Reset(w.Model.Projects(), nil)
	w.Refresh()
}

func (w *Window) Fetch() {
	var s wire.Status
	var usage api.Usage
	var settings map[string]any
	w.Gather(func(err error) {
		if err != nil {
			return // the method Lost shows the error
		}
		prefs := w.App.Preferences()
		if code, is := settings[api.SettingLanguage].(string); is && code != prefs.String(page.PrefLanguage) {
			prefs.SetString(page.PrefLanguage, code) // another program has changed it
			defer w.Speak()
		}
		w.Model.Connected, w.Model.Version, w.Model.Data = true, s.Version, s.Data
		w.Model.Paused, w.Model.Problems, w.Model.Usage = s.Paused, s.Problems, usage
		w.Model.Reset(s.Projects, s.Open)
		w.Refresh()
		w.FetchUse()
		if then := w.wanted; then != nil {
			w.wanted = nil
			then()
		}
	}, page.Get(wire.MethodStatus, &s), page.Get(wire.MethodUsage, &usage), page.Get(wire.MethodSettingsGet, &settings))
}

// Event queues an event. It may be called on any goroutine. Several events share a redraw.
func (w *Window) Event(e api.Event) {
	w.mu.Lock()
	w.events = append(w.events, e)
	if w.drawing {
		w.mu.Unlock()
		return
	}
	w.drawing = true
	wait := redrawPause - w.Now().Sub(w.drawn)
	w.mu.Unlock()
	if e.Kind == api.EventQuestion || e.Kind == api.EventAnswered {
		wait = 0
	}
	w.After(wait, w.take)
}

const agePause = time.Minute

// renew fetches the app's status. Some changes, such as a smaller index, have no event.
func (w *Window) renew() {
	if w.Backend != nil {
		w.Fetch()
	} else {
		w.Refresh()
	}
}

func (w *Window) take() {
	w.mu.Lock()
	events := w.events
	w.events, w.drawing, w.drawn = nil, false, w.Now()
	w.mu.Unlock()
	again, calls, other := false, false, false
	for _, e := range events {
		w.Ignored(e)
		gone, deleted := w.Model.Project(e.ProjectID)
		again = w.Model.Apply(e) || again
		if deleted && e.Kind == api.EventRemoved {
			w.Unfilter(gone)
			w.Notice.Note(present.T("The index of %s was deleted.", gone.Name))
		}
		calls = calls || e.Kind == api.EventActivity
		again = again || e.Kind == api.EventActivity
		other = other || e.Kind == api.EventSources && (e.Message != api.SourceRead ||
			w.ReadsDocuments()) || e.Kind == api.EventSettings
	}
	if again {
		w.Fetch()
	}
	w.Refresh()
	if calls && w.Current == page.PageActivity || other &&
		(w.Current == page.PageSources || w.Current == page.PageSettings) {
		w.Reshow()
	}
}

func (w *Window) Refresh() {
	w.foot.refresh()
	w.showLost()
	w.RefreshPage()
	if w.palette != nil {
		w.palette.s.Refresh()
	}
	w.asking.refresh()
}

func (w *Window) showLost() {
	p := w.Model.Lost
	if (p != nil) == w.banner.Visible() {
		return
	}
	w.banner.Objects, w.banner.Hidden = nil, p == nil
	if p != nil {
		w.banner.Objects = []fyne.CanvasObject{widget.Pad(widget.GapGroup, 0, widget.GapPage, widget.GapPage,
			w.ProblemBox(*p, w.Start))}
	}
	w.Relayout()
}

// attention is how long the window must have the focus before the user is assumed to look at it.
const attention = 2 * time.Second

func (w *Window) watched() bool { return w.front && w.Now().Sub(w.since) >= attention }

func (w *Window) closing() {
	prefs := w.App.Preferences()
	if prefs.Bool(prefClosed) {
		w.Leave()
		return
	}
	prefs.SetBool(prefClosed, true)
	again := present.Text("Its icon stays in the tray and opens this window again.")
	if w.Opts.NoTray {
		again = "Start Search MCP again to open this window."
	}
	w.Open(&page.Sheet{
		Title: present.T("Search MCP keeps running"),
		Body: widget.Column(widget.GapGroup,
			widget.Prose(present.T(
				"Closing this window doesn't quit Search MCP: it keeps your projects up to date and answers your editors.")),
			widget.Prose(present.T(again)),
			widget.Quiet(present.T("You won't see this message again."))),
		Buttons: []fyne.CanvasObject{page.Link("Quit Search MCP", w.Quit), page.Primary("Close window", w.Leave)},
	})
}

func (w *Window) Leave() {
	size := w.Win.Canvas().Size()
	w.App.Preferences().SetFloat(prefWidth, float64(size.Width))
	w.App.Preferences().SetFloat(prefHeight, float64(size.Height))
	w.App.Quit()
}

func (w *Window) Quit() {
	page.Request(w.Window, wire.MethodQuit, wire.Empty{}, func(wire.Empty, error) { w.Leave() })
}

// Close cancels running work and waits for it. It must be called after Fyne has stopped.
func (w *Window) Close() {
	w.Cancel()
	w.Work.Wait()
}

type footer struct {
	w     *Window
	icon  *fynewidget.Icon
	line  string
	state *widget.Paragraph
	place *fyne.Container
	pause *widget.Button
	box   fyne.CanvasObject

	narrow bool
}

func newFooter(w *Window) *footer {
	f := &footer{w: w, icon: fynewidget.NewIcon(page.Marks[present.MarkGone]),
		state: widget.NewParagraph("", theme.ColorNameForeground)}
	f.pause = page.NewButton("Pause", f.toggle).As(widget.TonePage).With(theme.MediaPauseIcon())
	f.place = container.NewStack()
	f.fit(false)
	f.box = widget.Column(4, widget.NewTapArea(f.place, func() { w.Go(page.PageProjects, "") }), f.pause)
	return f
}

// fit puts the text next to the icon or, in a narrow sidebar, wrapped below it.
func (f *footer) fit(narrow bool) {
	if f.narrow == narrow && len(f.place.Objects) > 0 {
		return
	}
	f.narrow = narrow
	icon := container.New(widget.Sized{Width: 16, Height: 16}, f.icon)
	f.state.Style.SizeName, f.state.Style.Alignment = theme.SizeNameText, fyne.TextAlignLeading
	width := float32(sidebarWidth - 2*widget.GapSmall - 44)
	f.place.Objects = []fyne.CanvasObject{widget.Pad(0, 0, 12, 4, container.NewBorder(nil, nil,
		widget.Pad(2, 0, 0, 8, container.NewVBox(icon)), nil, widget.Wide(width, f.state.Box)))}
	if narrow {
		f.state.Style.SizeName, f.state.Style.Alignment = theme.SizeNameCaptionText, fyne.TextAlignCenter
		width = narrowSidebar - widget.GapSmall - 4
		f.place.Objects = []fyne.CanvasObject{widget.Column(0, container.NewCenter(icon), widget.Wide(width, f.state.Box))}
	}
	f.state.Box.Resize(fyne.NewSize(width, 0))
	f.state.Set(f.line)
}

func (f *footer) toggle() {
	m := wire.MethodPause
	if f.w.Model.Paused {
		m = wire.MethodResume
	}
	f.w.Opening++ // keep the program running without its main window
	page.Request(f.w.Window, m, wire.ProjectRef{}, func(_ wire.Empty, err error) {
		f.w.Failed(err)
		f.w.Fetch()
		f.w.Opened()
	})
}

func (f *footer) refresh() {
	m := &f.w.Model
	mark, line := m.Overall(f.w.Now())
	page.SetMark(f.icon, mark)
	if line != f.line {
		f.line = line
		f.state.Set(line)
		f.w.Relayout()
	}
	label, icon := present.Text("Pause"), theme.MediaPauseIcon()
	if m.Paused {
		label, icon = "Resume", theme.MediaPlayIcon()
	}
	f.pause.Set(present.T(label), icon)
	f.pause.Hidden = !m.Connected || len(m.Projects()) == 0 && !m.Paused
}

const (
	sidebarWidth  = 176
	narrowFrom    = 760
	narrowSidebar = 92
)

// sided puts the sidebar next to the page. The page is first in Tab order.
func (w *Window) sided(page, side fyne.CanvasObject) fyne.CanvasObject {
	least := func() fyne.Size {
		a, b := page.MinSize(), side.MinSize()
		return fyne.NewSize(narrowSidebar+a.Width, max(a.Height, b.Height))
	}
	return container.New(widget.Layout{Min: least, Do: func(size fyne.Size) {
		width := float32(sidebarWidth)
		if w.foot.fit(size.Width < narrowFrom); w.foot.narrow {
			width = narrowSidebar
		}
		for _, n := range append(slices.Collect(maps.Values(w.nav)), w.foot.pause) {
			if n.Narrow != w.foot.narrow {
				n.Narrow = w.foot.narrow
				n.Refresh()
			}
		}
		widget.Place(page, width, 0, size.Width-width, size.Height)
		side.Resize(fyne.NewSize(width, size.Height))
	}}, page, side)
}

package ui

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"searchmcp/app/socket/wire"
	"searchmcp/assets/icons"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type Page string

const (
	PageProjects Page = "projects"
	PageSearch   Page = "search"
	PageActivity Page = "activity"
	PageEditors  Page = "editors"
	PageSources  Page = "sources"
	PageSettings Page = "settings"
)

const (
	PageAdd     Page = "add"
	PageReindex Page = "reindex"
	PageHome    Page = "home"
)

var Pages = []Page{PageProjects, PageSearch, PageActivity, PageEditors, PageSources, PageSettings}

type Options struct {
	App     fyne.App
	Desktop Desktop
	Version string
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
	// Language is the language of all texts. Nil means the system's language.
	Language translations.Language
	// Home is the home folder, shown as ~. "" means os.UserHomeDir.
	Home string
	// NoOpener is set if the desktop has no default program for files, and NoTray if it shows no tray icons.
	NoOpener, NoTray bool
	Palette          func() fyne.Window
	// Behind shows a window without focus, or marks a visible window in the task bar.
	Behind func(fyne.Window)
	// Stir is called before work is passed to Fyne's goroutine, whose loop may be idle.
	Stir func()
	// Inline runs all work on the caller's goroutine, for tests.
	Inline bool
}

const windowTitle = "Search MCP"

const redrawPause = 200 * time.Millisecond

type page interface {
	content() fyne.CanvasObject
	shown()
	refresh()
}

type Window struct {
	opts Options
	app  fyne.App
	win  fyne.Window
	home string
	now  func() time.Time

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	model   present.Model
	backend Backend
	pages   map[Page]page
	current Page
	nav     map[Page]*widget.Button
	keys    map[string]func() // actions by shortcut name
	body    *fyne.Container
	cover   *fyne.Container
	panes   *fyne.Container
	sheet   *sheet
	forms   map[string]*configForm // forms with unsaved input, by project ID
	// dismissed is the page whose sheet the user closed, until another page opens.
	dismissed Page
	banner    *fyne.Container
	foot      *footer
	tip       *widget.Tip
	asking    *asking
	editor    string       // name of the program that opens files, or ""
	palette   *quickSearch // nil until first used
	shown     bool
	opening   int
	front     bool
	since     time.Time // time at which the window got the focus
	wanted    func()    // called once the app is connected

	mu      sync.Mutex // guards the following fields
	events  []api.Event
	drawing bool
	drawn   time.Time
}

func New(o Options) *Window {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	w := &Window{opts: o, app: o.App, home: o.Home, now: o.Now, pages: map[Page]page{}, nav: map[Page]*widget.Button{},
		keys: map[string]func(){}, forms: map[string]*configForm{}}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.model.Version = o.Version
	o.App.Settings().SetTheme(widget.Theme{Want: widget.Variant(
		o.App.Preferences().StringWithFallback(prefTheme, string(widget.VariantSystem)))})
	if o.Language == nil {
		o.Language = translations.For(string(lang.SystemLocale()))
	}
	present.Speak(o.Language)
	w.win = o.App.NewWindow(windowTitle)
	w.win.SetPadded(false)
	w.win.SetIcon(fyne.NewStaticResource("app.png", icons.App))
	w.asking = &asking{w: w, notified: map[string]context.CancelFunc{}, repeated: map[string]bool{}}
	w.build()
	w.shortcuts()
	w.win.Resize(fyne.NewSize(
		float32(o.App.Preferences().FloatWithFallback(prefWidth, 1280)),
		float32(o.App.Preferences().FloatWithFallback(prefHeight, 780))))
	w.win.SetOnDropped(w.dropped)
	w.win.SetCloseIntercept(w.closing)
	life := o.App.Lifecycle()
	life.SetOnEnteredForeground(func() { w.front, w.since = true, w.now() })
	life.SetOnExitedForeground(func() {
		w.front = false
		w.leavePalette()
	})
	w.Go(PageProjects, "")
	w.every(agePause, func() bool { w.renew(); return true })
	return w
}

const (
	prefTheme  = "theme"
	prefWidth  = "window.width"
	prefHeight = "window.height"
	prefClosed = "window.closed-before"
)

func (w *Window) build() {
	w.pages[PageProjects] = newProjects(w)
	w.pages[PageSearch] = newSearch(w, false)
	w.pages[PageActivity] = newActivity(w)
	w.pages[PageEditors] = newEditors(w)
	w.pages[PageSources] = newSources(w)
	w.pages[PageSettings] = newSettings(w)
	names := map[Page]present.Text{
		PageProjects: "Projects", PageSearch: "Search", PageActivity: "Activity", PageEditors: "Editors",
		PageSources: "Sources", PageSettings: "Settings",
	}
	items := make([]fyne.CanvasObject, 0, len(Pages))
	for i, p := range Pages {
		n := newButton(names[p], func() { w.Go(p, "") }).As(widget.TonePage).With(pageIcons[p])
		n.Step = func(by int) {
			if to := i + by; to >= 0 && to < len(Pages) {
				w.win.Canvas().Focus(w.nav[Pages[to]])
			}
		}
		w.nav[p] = n
		items = append(items, n)
	}
	w.foot, w.tip = newFooter(w), widget.NewTip(w.after)
	side := container.NewStack(widget.NewFill(widget.ColorSidebar, 0),
		widget.Pad(widget.GapGroup, widget.GapSmall, 4, 4,
			container.NewBorder(widget.Column(2, items...), w.foot.box, nil, nil)))
	w.body = container.New(widget.ShownOne{})
	for _, p := range Pages { // Fyne repaints only objects in the window after a theme change
		o := w.pages[p].content()
		o.Hide()
		w.body.Objects = append(w.body.Objects, o)
	}
	w.cover = container.NewStack()
	w.cover.Hide()
	w.banner = container.NewStack()
	w.banner.Hide()
	w.panes = container.New(panes{}, w.body, w.cover)
	main := container.NewBorder(w.banner, nil, nil, nil, w.panes)
	w.win.SetContent(container.NewStack(container.New(sided{w.foot}, main, side), w.tip))
}

var pageIcons = map[Page]fyne.Resource{
	PageProjects: widget.LineIcon("projects", `<path d="M3 5.5h5l1.5 2H17v8.5H3z"/>`),
	PageSearch:   widget.LineIcon("search", `<circle cx="9" cy="9" r="5"/><path d="M12.8 12.8L17 17"/>`),
	PageActivity: widget.LineIcon("activity", `<path d="M2.5 11h3.5l2.5-6l3.5 10l2.5-6H17.5"/>`),
	PageEditors:  widget.LineIcon("editors", `<path d="M7 6L3 10l4 4M13 6l4 4l-4 4"/>`),
	PageSources:  widget.LineIcon("sources", `<path d="M5 3h7l3.5 3.5V17H5zM8 9.5h4.5M8 13h4.5"/>`),
	PageSettings: widget.LineIcon("settings",
		`<path d="M3 6h8M15 6h2M3 14h2M9 14h8"/><circle cx="13" cy="6" r="2"/><circle cx="7" cy="14" r="2"/>`),
}

func (w *Window) shortcuts() {
	c := w.win.Canvas()
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
		on(key, func() { w.Go(Pages[i], "") })
	}
	on(fyne.KeyF, w.toField)
	on(fyne.KeyK, func() { w.Go(PageSearch, "") })
	on(fyne.KeyN, w.addFolder)
	on(fyne.KeyW, w.closing)
	w.matchShortcuts(with)
	c.SetOnTypedRune(func(rune) {
		if w.asking.popup != nil {
			w.asking.typed("")
		}
	})
	c.SetOnTypedKey(func(e *fyne.KeyEvent) {
		switch {
		case w.asking.popup != nil:
			w.asking.typed(e.Name)
		case e.Name == fyne.KeyF1:
			w.showKeys()
		case e.Name == fyne.KeyEscape:
			w.closeSheet()
		}
	})
}

func (w *Window) toField() {
	if p, has := w.pages[w.current].(interface{ field() *widget.Entry }); has && p.field() != nil {
		w.closeSheet()
		w.win.Canvas().Focus(p.field())
		return
	}
	w.Go(PageSearch, "")
}

// Shortcut performs a shortcut of the window and reports whether it exists. Fields call it, because Fyne sends
// shortcuts only to a focused field.
func (w *Window) shortcut(s fyne.Shortcut) bool {
	do, ours := w.keys[s.ShortcutName()]
	if ours {
		do()
	}
	return ours
}

func (w *Window) Want(p Page, project string) {
	switch {
	case p == PageQuestion: // asking handles confirmations
	case p == PagePalette:
		w.showPalette() // it works once connected
	case !w.model.Connected:
		if w.wanted = func() { w.Want(p, project) }; p == PageHome {
			w.Go(PageSearch, "")
		}
	case p == PageHome:
		if len(w.model.Projects()) == 0 {
			w.Go(PageProjects, "")
		}
	case p != "" || project != "":
		w.Go(p, project)
	}
}

func (w *Window) Go(p Page, project string) {
	switch p {
	case PageAdd:
		w.addPath(project)
		return
	case PagePalette:
		w.showPalette()
		return
	case PageReindex:
		w.Go(PageProjects, "")
		if found, ok := w.model.Project(project); ok {
			w.reindex(found)
		}
		return
	}
	if _, ok := w.pages[p]; !ok {
		p = PageProjects
	}
	widget.CloseOptions(w.win.Canvas())
	w.closeSheet()
	if b, is := w.win.Canvas().Focused().(*widget.Button); p != w.current && !(is && b.Paged()) {
		w.win.Canvas().Unfocus() // a hidden field would receive keys
	}
	w.current, w.dismissed = p, ""
	for name, n := range w.nav {
		n.As(map[bool]widget.Tone{true: widget.ToneHere, false: widget.TonePage}[name == p])
	}
	widget.Turn(w.body, w.pages[p].content())
	w.pages[p].shown()
	if project == "" {
		return
	}
	if found, ok := w.model.Project(project); ok {
		switch p {
		case PageProjects:
			w.details(found.ID)
		case PageSearch:
			w.pages[PageSearch].(*search).in(found)
		}
	}
}

func (w *Window) Show() {
	w.shown = true
	w.win.Show()
	w.win.RequestFocus()
	w.asking.refresh() // shows waiting confirmations
}

func (w *Window) Connected(b Backend) {
	w.backend = b
	w.model.Lost = nil
	w.fetch()
}

func (w *Window) Lost(byUser bool, cause error) {
	w.backend = nil
	w.model.Connected = false
	p := present.Lost(byUser, cause)
	w.model.Lost = &p
	w.model.Reset(w.model.Projects(), nil)
	w.refresh()
}

func (w *Window) fetch() {
	var s wire.Status
	var usage api.Usage
	w.gather(func(err error) {
		if err != nil {
			return // Lost reports the error
		}
		w.model.Connected, w.model.Version, w.model.Data = true, s.Version, s.Data
		w.model.Paused, w.model.Problems, w.model.Usage = s.Paused, s.Problems, usage
		w.model.Reset(s.Projects, s.Open)
		w.refresh()
		switch w.current {
		case PageEditors:
			w.pages[PageEditors].(*editors).fetchUse()
		case PageSearch:
			w.pages[PageSearch].(*search).fetchLately()
		}
		if then := w.wanted; then != nil {
			w.wanted = nil
			then()
		}
	}, get(wire.MethodStatus, &s), get(wire.MethodUsage, &usage))
}

// Event queues e. It may be called on any goroutine. Several events share a redraw.
func (w *Window) Event(e api.Event) {
	w.mu.Lock()
	w.events = append(w.events, e)
	if w.drawing {
		w.mu.Unlock()
		return
	}
	w.drawing = true
	wait := redrawPause - w.now().Sub(w.drawn)
	w.mu.Unlock()
	if e.Kind == api.EventQuestion || e.Kind == api.EventAnswered {
		wait = 0
	}
	w.after(wait, w.take)
}

// agePause is the interval for updating ages in minutes.
const agePause = time.Minute

// renew fetches a snapshot while connected, because no event reports that an idle index has shrunk.
func (w *Window) renew() {
	if w.backend != nil {
		w.fetch()
	} else {
		w.refresh()
	}
}

func (w *Window) take() {
	w.mu.Lock()
	events := w.events
	w.events, w.drawing, w.drawn = nil, false, w.now()
	w.mu.Unlock()
	again, calls, other := false, false, false
	for _, e := range events {
		w.ignored(e)
		again = w.model.Apply(e) || again
		calls = calls || e.Kind == api.EventActivity
		again = again || e.Kind == api.EventActivity // the request has changed a project's LastAsked
		other = other || e.Kind == api.EventSources && (e.Message != api.SourceRead ||
			w.pages[PageSources].(*sources).reads()) || e.Kind == api.EventSettings
	}
	if again {
		w.fetch()
	}
	w.refresh()
	if calls && w.current == PageActivity || other && (w.current == PageSources || w.current == PageSettings) {
		w.pages[w.current].shown()
	}
}

func (w *Window) refresh() {
	w.foot.refresh()
	w.showLost()
	w.pages[w.current].refresh()
	if w.palette != nil {
		w.palette.s.refresh()
	}
	if w.sheet != nil && w.sheet.refresh != nil {
		w.sheet.refresh()
	}
	w.asking.refresh()
}

func (w *Window) showLost() {
	p := w.model.Lost
	if (p != nil) == w.banner.Visible() {
		return
	}
	w.banner.Objects, w.banner.Hidden = nil, p == nil
	if p != nil {
		w.banner.Objects = []fyne.CanvasObject{widget.Pad(widget.GapGroup, 0, widget.GapPage, widget.GapPage,
			w.problemBox(*p, w.start))}
	}
	w.relayout()
}

func (w *Window) start() {
	w.attempt("Search MCP can't be started.", func() error { return w.opts.Desktop.Start(w.ctx) })
}

func (w *Window) failed(err error) { w.failedAt(err, nil) }

func (w *Window) failedAt(err error, again func()) {
	p := present.ProblemOf(err)
	if p.Happened == "" || errors.Is(err, errNotConnected) { // the banner reports a lost connection
		return
	}
	retry := again
	if again != nil {
		retry = func() { w.closeSheet(); again() }
	}
	help := map[present.Do]func(){present.DoRetry: retry, present.DoStart: w.start, present.DoCheck: w.examine}[p.Action]
	if help == nil {
		p.Label, help = "Check everything", w.examine
	}
	w.open(&sheet{title: tr("Something went wrong"), body: w.problemBox(p, help),
		buttons: []fyne.CanvasObject{newButton("Close", w.closeSheet)}})
}

func (w *Window) examine() {
	w.Go(PageSettings, "")
	w.pages[PageSettings].(*settings).check()
}

// attention is how long the window must have the focus before the user is assumed to look at it, because a new
// confirmation may also bring the window to the front.
const attention = 2 * time.Second

func (w *Window) watched() bool { return w.front && w.now().Sub(w.since) >= attention }
func (w *Window) copy(s string) { w.app.Clipboard().SetContent(s) }

func (w *Window) closing() {
	prefs := w.app.Preferences()
	if prefs.Bool(prefClosed) {
		w.Leave()
		return
	}
	prefs.SetBool(prefClosed, true)
	again := present.Text("Its icon stays in the tray and opens this window again.")
	if w.opts.NoTray {
		again = "Start Search MCP again to open this window."
	}
	w.open(&sheet{
		title: tr("Search MCP keeps running"),
		body: widget.Column(widget.GapGroup,
			widget.Prose(tr(
				"Closing this window doesn't quit Search MCP: it keeps your projects up to date and answers your editors.")),
			widget.Prose(tr(again)),
			widget.Quiet(tr("You won't see this message again."))),
		buttons: []fyne.CanvasObject{link("Quit Search MCP", w.quitApp), primary("Close window", w.Leave)},
	})
}

func (w *Window) Leave() {
	size := w.win.Canvas().Size()
	w.app.Preferences().SetFloat(prefWidth, float64(size.Width))
	w.app.Preferences().SetFloat(prefHeight, float64(size.Height))
	w.app.Quit()
}

func (w *Window) quitApp() {
	request(w, wire.MethodQuit, wire.Empty{}, func(wire.Empty, error) { w.Leave() })
}

// Close cancels running work and waits for it. It must be called after Fyne has stopped.
func (w *Window) Close() {
	w.cancel()
	w.work.Wait()
}

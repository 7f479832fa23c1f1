package ui

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"

	"searchmcp/app/socket/wire"
	"searchmcp/assets/icons"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// Page names a page, as app/socket/wire's Show does.
type Page string

// The pages, in the order of the sidebar.
const (
	PageProjects Page = "projects"
	PageSearch   Page = "search"
	PageActivity Page = "activity"
	PageEditors  Page = "editors"
	PageSources  Page = "sources"
	PageSettings Page = "settings"
)

// What can be asked for in place of a page.
const (
	PageAdd     Page = "add"     // the preview of a folder, to index it
	PageReindex Page = "reindex" // the question whether a project's index should be rebuilt
	PageHome    Page = "home"    // the search, or the way to a first project
)

// Pages lists them.
var Pages = []Page{PageProjects, PageSearch, PageActivity, PageEditors, PageSources, PageSettings}

// Options make a Window.
type Options struct {
	App     fyne.App
	Desktop Desktop
	Version string
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Language is what everything is said in; nil: the one that Fyne chooses for the person.
	Language translations.Language
	// Home is the person's home folder, for short paths; "": the system's.
	Home string
	// NoOpener says that the desktop has nothing of its own that opens files.
	NoOpener bool
	// Palette makes the window of the palette; nil: one like any other.
	Palette func() fyne.Window
	// Behind shows a window, or marks it in the task bar where it is shown, without giving it the keyboard; nil: shows it.
	Behind func(fyne.Window)
	// Stir is told before each piece of work that other goroutines hand to Fyne's, which may doze; nil: it never does.
	Stir func()
	// Inline runs everything on the caller's goroutine: for tests, which look at the window after each step.
	Inline bool
}

const windowTitle = "Search MCP"

// redrawPause is the least time between two redraws for events: five a second are enough to see that work goes on.
const redrawPause = 200 * time.Millisecond

// page is one of the six.
type page interface {
	content() fyne.CanvasObject
	shown()   // the person has come here
	refresh() // the model changed while it is shown
}

// Window is the one window of the program.
type Window struct {
	opts Options
	app  fyne.App
	win  fyne.Window
	home string
	now  func() time.Time

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	// On Fyne's goroutine only.
	model   present.Model
	backend Backend
	pages   map[Page]page
	current Page
	nav     map[Page]*navItem
	keys    map[string]func() // what shortcuts do, by their name
	body    *fyne.Container   // the pages, all but one of them hidden
	cover   *fyne.Container   // the sheet beside it
	panes   *fyne.Container   // both
	sheet   *sheet
	forms   map[string]*configForm // settings of projects, by id, that are neither saved nor cancelled
	// dismissed is the page beside which the person closed what stood there, until they go to another.
	dismissed Page
	banner    *fyne.Container // why there is no connection
	foot      *footer
	asking    *asking
	editor    string        // what files open in, "" where the person will be asked
	chooser   *chooser      // whose list is open; nil: none
	picker    dialog.Dialog // Fyne's for folders and files, while it is open
	palette   *quickSearch  // nil while nobody has asked for it
	shown     bool          // this window was shown
	opening   int           // files that are just being opened
	front     bool          // the window has the focus; a window that comes by itself may never get it
	since     time.Time     // when it got it
	wanted    func()        // what to show once there is a connection

	mu      sync.Mutex // over what arrives from other goroutines
	events  []api.Event
	drawing bool
	drawn   time.Time
}

// New makes the window; it is shown by Show.
func New(o Options) *Window {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Stir == nil {
		o.Stir = func() {}
	}
	if o.Behind == nil {
		o.Behind = func(w fyne.Window) { w.Show() }
	}
	if o.Palette == nil {
		o.Palette = func() fyne.Window { return o.App.NewWindow("") }
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir() // without one paths are shown in full
	}
	w := &Window{opts: o, app: o.App, home: o.Home, now: o.Now, pages: map[Page]page{}, nav: map[Page]*navItem{},
		keys: map[string]func(){}, forms: map[string]*configForm{}}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.model.Version = o.Version
	o.App.Settings().SetTheme(calm{Variant(o.App.Preferences().StringWithFallback(prefTheme, string(VariantSystem)))})
	w.speak(o.Language)
	w.win = o.App.NewWindow(windowTitle)
	w.win.SetPadded(false)
	w.win.SetIcon(fyne.NewStaticResource("app.png", icons.App))
	w.asking = newAsking(w)
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
	if !o.Inline {
		w.background(w.age)
	}
	return w
}

// What Fyne's preferences keep: things whose loss nobody minds.
const (
	prefTheme  = "theme"
	prefWidth  = "window.width"
	prefHeight = "window.height"
	prefClosed = "window.closed-before"
)

// speak sets the language. Without translations everything is said in English, which is better than nothing.
func (w *Window) speak(l translations.Language) {
	if l == nil {
		var err error
		if l, err = newToolkit(); err != nil {
			fyne.LogError("translations not loaded", err)
			l = translations.English
		}
	}
	present.Speak(l)
}

func (w *Window) build() {
	w.pages[PageProjects] = newProjects(w)
	w.pages[PageSearch] = newSearch(w)
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
		n := newNavItem(tr(names[p]), pageIcons[p], func() { w.Go(p, "") })
		n.step = func(by int) {
			if to := i + by; to >= 0 && to < len(Pages) {
				w.win.Canvas().Focus(w.nav[Pages[to]])
			}
		}
		w.nav[p] = n
		items = append(items, n)
	}
	w.foot = newFooter(w)
	side := container.NewStack(newFill(colorSidebar, 0),
		pad(gapGroup, gapSmall, 4, 4, container.NewBorder(column(2, items...), w.foot.box, nil, nil)))
	w.body = container.New(shownOne{})
	for _, p := range Pages { // Fyne repaints what is in the window after a switch of theme, and nothing else
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
	w.win.SetContent(container.NewStack(container.New(sided{w.foot}, main, side), newTip(w)))
}

var pageIcons = map[Page]fyne.Resource{
	PageProjects: glyph{"projects", `<path d="M3 5.5h5l1.5 2H17v8.5H3z"/>`},
	PageSearch:   glyph{"search", `<circle cx="9" cy="9" r="5"/><path d="M12.8 12.8L17 17"/>`},
	PageActivity: glyph{"activity", `<path d="M2.5 11h3.5l2.5-6l3.5 10l2.5-6H17.5"/>`},
	PageEditors:  glyph{"editors", `<path d="M7 6L3 10l4 4M13 6l4 4l-4 4"/>`},
	PageSources:  glyph{"sources", `<path d="M5 3h7l3.5 3.5V17H5zM8 9.5h4.5M8 13h4.5"/>`},
	PageSettings: glyph{"settings",
		`<path d="M3 6h8M15 6h2M3 14h2M9 14h8"/><circle cx="13" cy="6" r="2"/><circle cx="7" cy="14" r="2"/>`},
}

func (w *Window) shortcuts() {
	c := w.win.Canvas()
	with := func(modifier fyne.KeyModifier, key fyne.KeyName, do func()) {
		s := &desktop.CustomShortcut{KeyName: key, Modifier: modifier}
		unlessAsked := func() {
			if c.Overlays().Top() == nil { // the page behind a question or a dialog stays as it is
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
		case e.Name != fyne.KeyEscape:
		case w.picker != nil:
			w.picker.Dismiss()
		default:
			w.closeSheet()
		}
	})
}

// toField gives the focus to the field of the page, where there is none to that of the search.
func (w *Window) toField() {
	if p, has := w.pages[w.current].(interface{ field() *entry }); has && p.field() != nil {
		w.closeSheet()
		w.win.Canvas().Focus(p.field())
		return
	}
	w.Go(PageSearch, "")
}

// shortcut does what a shortcut of the window does and reports whether it is one. Fields ask it: Fyne gives shortcuts
// to a field that has the keyboard and to nobody else.
func (w *Window) shortcut(s fyne.Shortcut) bool {
	do, ours := w.keys[s.ShortcutName()]
	if ours {
		do()
	}
	return ours
}

// Want shows a page as Go does, once the window knows the app; "" leaves the page as it is.
func (w *Window) Want(p Page, project string) {
	switch {
	case p == PageHome && !w.model.Connected:
		w.Go(PageSearch, "")
		w.wanted = func() { w.Want(p, project) }
		return
	case p == PageHome:
		if len(w.model.Projects()) == 0 {
			w.Go(PageProjects, "")
		}
		return
	case p == PageQuestion:
		return // it notifies, or comes, once the question is there
	case p == PagePalette:
		w.showPalette() // what is typed meanwhile is searched then
		return
	}
	if !w.model.Connected {
		w.wanted = func() { w.Want(p, project) }
		return
	}
	if p != "" || project != "" {
		w.Go(p, project)
	}
}

// Go shows a page, with a project's details open if one is named.
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
	w.closeChooser()
	w.closeSheet()
	if _, beside := w.win.Canvas().Focused().(*navItem); !beside && p != w.current {
		w.win.Canvas().Unfocus() // of a field that is not to be seen: keys would go there, and its caret blinks on
	}
	w.current, w.dismissed = p, ""
	for name, n := range w.nav {
		n.choose(name == p)
	}
	turn(w.body, w.pages[p].content())
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

// Show brings the window to the front.
func (w *Window) Show() {
	w.shown = true
	w.win.Show()
	w.win.RequestFocus()
	w.asking.refresh() // what was asked while there was no window
}

// Win is the window itself, for the program and for tests.
func (w *Window) Win() fyne.Window { return w.win }

// Connected gives the window the app. It is called on Fyne's goroutine.
func (w *Window) Connected(b Backend) {
	w.backend = b
	w.model.Lost = nil
	w.fetch()
}

// Lost says that the connection has ended. It is called on Fyne's goroutine.
func (w *Window) Lost(byPerson bool, cause error) {
	w.backend = nil
	w.model.Connected = false
	p := present.Lost(byPerson, cause)
	w.model.Lost = &p
	w.model.Reset(w.model.Projects(), nil)
	w.refresh()
}

// fetch takes a whole new snapshot.
func (w *Window) fetch() {
	request(w, wire.MethodStatus, wire.Empty{}, func(s wire.Status, err error) {
		if err != nil {
			return // the end of the connection says it
		}
		w.model.Connected, w.model.Version, w.model.Data = true, s.Version, s.Data
		w.model.Paused, w.model.ModelUse, w.model.Problems = s.Paused, s.Model, s.Problems
		w.model.Reset(s.Projects, s.Open)
		w.refresh()
		switch w.current {
		case PageProjects:
			w.pages[PageProjects].(*projects).fetchUsage()
		case PageSearch:
			w.pages[PageSearch].(*search).fetchLately()
		}
		if then := w.wanted; then != nil {
			w.wanted = nil
			then()
		}
	})
}

// Event takes an event of the app, from any goroutine. Many events become one redraw.
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
	if e.Kind == api.EventQuestion || e.Kind == api.EventAnswered || wait <= 0 {
		w.onUI(w.take)
		return
	}
	w.background(func() {
		select {
		case <-time.After(wait):
		case <-w.ctx.Done():
		}
		w.onUI(w.take)
	})
}

// agePause is how often «2 min ago» is put right: it is said in minutes.
const agePause = time.Minute

// age keeps what is said of the past true until the window is closed.
func (w *Window) age() {
	t := time.NewTicker(agePause)
	defer t.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-t.C:
			w.onUI(w.renew)
		}
	}
}

// renew takes a new snapshot while there is a connection, as no event tells that an idle index shrank.
func (w *Window) renew() {
	if w.backend != nil {
		w.fetch()
	} else {
		w.refresh()
	}
}

// take brings the events that have come into the model.
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
		again = again || e.Kind == api.EventActivity // it changed when a project was last asked
		other = other || e.Kind == api.EventSources && (e.Message != api.SourceRead ||
			w.pages[PageSources].(*sources).reads()) || e.Kind == api.EventSettings
	}
	if again {
		w.fetch()
	}
	w.refresh()
	switch {
	case calls && w.current == PageProjects:
		w.pages[PageProjects].(*projects).fetchUsage()
	case calls && w.current == PageSearch:
		w.pages[PageSearch].(*search).fetchLately()
	case calls && w.current == PageEditors:
		w.pages[PageEditors].(*editors).fetchUse()
	case calls && w.current == PageActivity,
		other && (w.current == PageSources || w.current == PageSettings):
		w.pages[w.current].shown()
	}
}

// refresh brings the window in line with the model. What shows the same as before is not drawn again.
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

// showLost puts up or takes away the message that there is no connection.
func (w *Window) showLost() {
	p := w.model.Lost
	if (p != nil) == w.banner.Visible() {
		return
	}
	w.banner.Objects = nil
	if p != nil {
		w.banner.Objects = []fyne.CanvasObject{pad(gapGroup, 0, gapPage, gapPage, w.problemBox(*p, w.start))}
		w.banner.Show()
	} else {
		w.banner.Hide()
	}
	w.relayout()
}

// start starts the app after it has gone; the connection comes back by itself.
func (w *Window) start() {
	w.background(func() {
		err := present.Failed("Search MCP can't be started.", w.opts.Desktop.Start(w.ctx))
		w.onUI(func() { w.failed(err) })
	})
}

// errNotConnected is what happens to work while there is no app.
var errNotConnected = errors.New("not connected to Search MCP")

// later runs work with the app off Fyne's goroutine and then, on it, hands the result to then.
func later[T any](w *Window, work func(context.Context, Backend) (T, error), then func(T, error)) {
	b := w.backend
	if b == nil {
		var none T
		then(none, errNotConnected)
		return
	}
	w.background(func() {
		v, err := work(w.ctx, b)
		err = present.Failed("Search MCP gave no answer to that. Its connection may have ended.", err)
		w.onUI(func() {
			if w.ctx.Err() == nil {
				then(v, err)
			}
		})
	})
}

// request calls a method of the app and hands its result to then.
func request[P, R any](w *Window, m wire.Method[P, R], params P, then func(R, error)) {
	later(w, func(ctx context.Context, b Backend) (R, error) { return m.Call(ctx, b, params) }, then)
}

// order calls a method of the app whose result nobody needs; an error is shown and may be tried again.
func order[P, R any](w *Window, m wire.Method[P, R], params P) {
	w.act(func(ctx context.Context, b Backend) error { return m.Do(ctx, b, params) })
}

// agreed does to a project, or a folder, what the person has agreed to.
func (w *Window) agreed(a api.Action, root string) {
	w.act(func(ctx context.Context, b Backend) error { return b.Agreed(ctx, a, root) })
}

// reference names a project to the app.
func reference(p api.Project) wire.ProjectRef { return wire.ProjectRef{Project: p.Root()} }

// act runs work that has no result but an error, which is shown and may be tried again.
func (w *Window) act(work func(context.Context, Backend) error) {
	later(w, func(ctx context.Context, b Backend) (struct{}, error) { return struct{}{}, work(ctx, b) },
		func(_ struct{}, err error) { w.failedAt(err, func() { w.act(work) }) })
}

// failed shows an error in a sheet; nil shows nothing.
func (w *Window) failed(err error) { w.failedAt(err, nil) }

// failedAt is failed with what tries it once more; nil: nothing does.
func (w *Window) failedAt(err error, again func()) {
	p := present.ProblemOf(err)
	if p.Happened == "" {
		return
	}
	if errors.Is(err, errNotConnected) {
		return // the banner says it
	}
	help := w.helps(p.Action, again)
	if help == nil { // there is always a next step
		p.Label, help = "Check everything", w.examine
	}
	w.open(&sheet{title: tr("Something went wrong"), body: w.problemBox(p, help),
		buttons: []fyne.CanvasObject{newButton("Close", w.closeSheet)}})
}

// helps is what the button of an error does that belongs to no project on the screen; nil if nothing here can.
func (w *Window) helps(do present.Do, again func()) func() {
	switch do {
	case present.DoRetry:
		if again == nil {
			return nil
		}
		return func() {
			w.closeSheet()
			again()
		}
	case present.DoStart:
		return w.start
	case present.DoCheck:
		return w.examine
	}
	return nil
}

// examine runs the self-examination.
func (w *Window) examine() {
	w.Go(PageSettings, "")
	w.pages[PageSettings].(*settings).check()
}

func (w *Window) background(f func()) {
	if w.opts.Inline {
		f()
		return
	}
	w.work.Go(f)
}

func (w *Window) onUI(f func()) {
	if w.opts.Inline {
		f()
		return
	}
	w.opts.Stir()
	fyne.Do(f)
}

// attention is how long a window has to have the focus before its person is taken to look at it: a question that comes
// also brings the window to the front, and which of both is seen first here is chance.
const attention = 2 * time.Second

// watched reports whether the person looks at the window.
func (w *Window) watched() bool { return w.front && w.now().Sub(w.since) >= attention }

func (w *Window) copy(s string) { w.app.Clipboard().SetContent(s) }

// closing is what the close button does: the window goes, the app stays, and the first time the person is told so.
func (w *Window) closing() {
	prefs := w.app.Preferences()
	if prefs.Bool(prefClosed) {
		w.Leave()
		return
	}
	prefs.SetBool(prefClosed, true)
	w.open(&sheet{
		title: tr("Search MCP keeps running"),
		body: column(gapGroup,
			prose(tr(
				"Closing this window doesn't quit Search MCP: it keeps your projects up to date and answers your editors.")),
			prose(tr("Its icon stays in the tray. Where there is no tray, start Search MCP again to see this window.")),
			quiet(tr("You won't see this message again."))),
		buttons: []fyne.CanvasObject{link("Quit Search MCP", w.quitApp), primary("Close window", w.Leave)},
	})
}

// Leave ends the program of the window, which comes again as large as it was.
func (w *Window) Leave() {
	size := w.win.Canvas().Size()
	w.app.Preferences().SetFloat(prefWidth, float64(size.Width))
	w.app.Preferences().SetFloat(prefHeight, float64(size.Height))
	w.app.Quit()
}

// quitApp ends the app and the window.
func (w *Window) quitApp() {
	request(w, wire.MethodQuit, wire.Empty{}, func(wire.Empty, error) { w.Leave() })
}

// Close cancels what is under way and waits for it. It is called after Fyne has stopped.
func (w *Window) Close() {
	w.cancel()
	w.asking.stop()
	w.work.Wait()
}

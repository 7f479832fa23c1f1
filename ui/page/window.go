package page

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
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

	PagePalette  Page = wire.PagePalette
	PageQuestion Page = wire.PageQuestion
)

var Pages = []Page{PageProjects, PageSearch, PageActivity, PageEditors, PageSources, PageSettings}

type Options struct {
	App     fyne.App
	Desktop Desktop
	Version string
	Now     func() time.Time
	// Language is used if the settings choose none. nil means the language of the environment.
	Language translations.Language
	// Home is the user's home folder, which is shown as ~. "" means os.UserHomeDir.
	Home string
	// NoOpener means that the desktop has no default program for files. NoTray means that it shows no tray icons.
	NoOpener, NoTray bool
	Palette          func() fyne.Window
	// Behind shows a window without taking the focus.
	Behind func(fyne.Window)
	// Stir wakes Fyne's event loop. It is called before work is passed to Fyne's goroutine.
	Stir func()
	// Inline runs all work on the caller's goroutine, for tests.
	Inline bool
}

type Frame interface {
	// Go opens a page. project is the root or ID of the project to show, or "".
	Go(p Page, project string)
	Show()
	ShowKeys()
	ShowPalette()
	// Shortcut handles a shortcut of the window. It returns false if the shortcut is unknown.
	Shortcut(s fyne.Shortcut) bool
	Actions() []Action
	Confirm(Confirmation)
	// Fetch fetches the state of the app and redraws the window.
	Fetch()
	Refresh()
	// Speak draws all pages again, in the language of the settings.
	Speak()
	// Idle quits the window if the user can't see it and nothing is running in it.
	Idle()
	Quit()
}

// Confirmation is a question to the user. After consent, the window asks Again, if it is not nil, and then calls Yes.
type Confirmation struct {
	View    present.Question
	Again   *present.Question
	Preview *api.Preview
	Yes     func()
}

type view interface {
	Content() fyne.CanvasObject
	Shown()
	Refresh()
}

type Window struct {
	frame Frame
	Opts  Options
	App   fyne.App
	Win   fyne.Window
	Home  string
	Now   func() time.Time

	Ctx    context.Context
	Cancel context.CancelFunc
	Work   sync.WaitGroup

	Model              present.Model
	Backend            Backend
	Pages              map[Page]view
	Current            Page
	Body, Cover, Panes *fyne.Container
	Sheet              *Sheet
	Forms              map[string]*configForm
	// page whose sheet the user closed; "" after another page opens
	dismissed Page
	Tip       *widget.Tip
	Notice    *widget.Tip // reports a finished deletion
	editor    string
	Opening   int
	unfolded  map[string]bool // links that the user opened (see folding)
	creating  bool            // a new index was requested, but the app has not listed its project yet
}

func New(o Options, win fyne.Window, f Frame) *Window {
	w := &Window{frame: f, Opts: o, App: o.App, Win: win, Home: o.Home, Now: o.Now, Forms: map[string]*configForm{},
		unfolded: map[string]bool{}}
	w.Ctx, w.Cancel = context.WithCancel(context.Background())
	w.Model.Version = o.Version
	w.Tip = widget.NewTip(w.After)
	w.Notice = widget.NewTip(func(pause time.Duration, do func()) {
		w.Every(pause, func() bool { do(); return false })
	})
	w.Build()
	return w
}

// Build creates the pages in the current language.
func (w *Window) Build() {
	w.Pages = map[Page]view{PageProjects: newProjects(w), PageSearch: NewSearch(w, false), PageActivity: newActivity(w),
		PageEditors: newEditors(w), PageSources: newSources(w), PageSettings: newSettings(w)}
	w.Body = container.NewStack()
	for _, p := range Pages { // After a theme change, Fyne repaints only objects in the window.
		o := w.Pages[p].Content()
		o.Hide()
		w.Body.Objects = append(w.Body.Objects, o)
	}
	w.Cover = container.NewStack()
	w.Cover.Hide()
	w.Panes = container.New(widget.Layout{Min: w.Body.MinSize, Do: w.layPanes}, w.Body, w.Cover)
}

func (w *Window) TurnTo(p Page, project string) {
	if _, ok := w.Pages[p]; !ok {
		p = PageProjects
	}
	widget.CloseOptions()
	w.CloseSheet()
	if b, is := w.Win.Canvas().Focused().(*widget.Button); p != w.Current && !(is && b.Paged()) {
		w.Win.Canvas().Unfocus() // a hidden field could get keys
	}
	w.Current, w.dismissed = p, ""
	widget.Turn(w.Body, w.Pages[p].Content())
	w.Pages[p].Shown()
	if found, ok := w.Model.Project(project); ok && project != "" {
		switch p {
		case PageProjects:
			w.Details(found.ID)
		case PageSearch:
			s := w.Pages[PageSearch].(*Search)
			s.Project = found.Root()
			s.Refresh()
			s.Run()
		}
	}
}

// ToList focuses the list of the current page and passes e to it.
func (w *Window) ToList(e *fyne.KeyEvent) {
	var l *widget.List
	switch p := w.Pages[w.Current].(type) {
	case *Projects:
		l = p.List
	case *Activity:
		l = p.CallList
	case *Editors:
		l = p.Body.List
	}
	if l != nil && l.Visible() && l.Length() > 0 {
		w.Win.Canvas().Focus(l)
		l.TypedKey(e)
	}
}

func (w *Window) RefreshPage() {
	w.Pages[w.Current].Refresh()
	if w.Sheet != nil && w.Sheet.refresh != nil {
		w.Sheet.refresh()
	}
}

func (w *Window) Reshow() { w.Pages[w.Current].Shown() }

func (w *Window) FetchUse() {
	switch p := w.Pages[w.Current].(type) {
	case *Editors:
		p.fetchUse()
	case *Search:
		p.fetchLately()
	}
}

func (w *Window) ask(q api.Question, yes func()) { w.frame.Confirm(w.Confirmation(q, yes)) }

func (w *Window) Confirmation(q api.Question, yes func()) Confirmation {
	var p *api.Project
	if found, ok := w.Model.Project(q.Project); ok {
		p = &found
	}
	c := Confirmation{View: present.QuestionOf(q, p, w.Home), Preview: q.Preview, Yes: yes}
	if q.Twice {
		again := present.Again(q, w.Home)
		c.Again = &again
	}
	return c
}

func (w *Window) ToField() {
	if p, has := w.Pages[w.Current].(interface{ field() *widget.Entry }); has && p.field() != nil {
		w.CloseSheet()
		w.Win.Canvas().Focus(p.field())
		p.field().SelectAll()
		return
	}
	w.frame.Go(PageSearch, "")
}

func (w *Window) Start() {
	w.attempt("Search MCP can't be started.", func() error { return w.Opts.Desktop.Start(w.Ctx) })
}

func (w *Window) Failed(err error) { w.failedAt(err, nil) }

func (w *Window) failedAt(err error, again func()) {
	p := present.ProblemOf(err)
	if p.Happened == "" || errors.Is(err, errNotConnected) { // the banner reports a lost connection
		return
	}
	retry := again
	if again != nil {
		retry = func() { w.CloseSheet(); again() }
	}
	help := map[present.Do]func(){present.DoRetry: retry, present.DoStart: w.Start, present.DoCheck: w.Examine}[p.Action]
	if help == nil {
		p.Label, help = "Check everything", w.Examine
	}
	w.Open(&Sheet{Title: tr("Something went wrong"), Body: w.ProblemBox(p, help),
		Buttons: []fyne.CanvasObject{NewButton("Close", w.CloseSheet)}})
}

func (w *Window) Examine() {
	w.frame.Go(PageSettings, "")
	w.Pages[PageSettings].(*Settings).check()
}

func (w *Window) copy(s string) { w.App.Clipboard().SetContent(s) }

var PageIcons = map[Page]fyne.Resource{PageProjects: glyph("projects"), PageSearch: glyph("search"),
	PageActivity: glyph("activity"), PageEditors: glyph("editors"), PageSources: glyph("sources"),
	PageSettings: glyph("settings")}

const (
	panesFrom  = 860
	sheetWidth = 416
	sheetShare = 0.42
)

func (w *Window) layPanes(size fyne.Size) {
	page, sheet := size, size
	if w.Cover.Visible() && size.Width >= panesFrom {
		sheet.Width = max(sheetWidth, float32(int(size.Width*sheetShare)))
		n, column := widget.GroupsIn(size.Width - 2*widget.GapPage)
		if n == 1 || w.Current != PageSources {
			page.Width -= sheet.Width
		} else { // the cards stay in place, and the sheet covers whole columns
			column += widget.GapPage
			sheet.Width = max(1, float32(math.Round(float64(sheet.Width/column))))*column + widget.GapPage/2
		}
	}
	w.Body.Resize(page)
	w.Cover.Move(fyne.NewPos(size.Width-sheet.Width, 0))
	w.Cover.Resize(sheet)
}

// Relayout lays out the page again after objects were shown or hidden. It does so twice, because the height of wrapped
// text depends on its width.
func (w *Window) Relayout() {
	if w.Win.Content() == nil {
		return // the window has no content yet
	}
	for range 2 {
		w.Win.Content().Refresh()
		if top := w.Win.Canvas().Overlays().Top(); top != nil {
			top.Refresh()
		}
	}
}

var errNotConnected = errors.New("not connected to Search MCP")

// later runs work in the background, and then done with the result on Fyne's goroutine.
func later[T any](w *Window, work func(context.Context, Backend) (T, error), done func(T, error)) {
	b := w.Backend
	if b == nil {
		var none T
		done(none, errNotConnected)
		return
	}
	aside(w, func(ctx context.Context) (T, error) { return work(ctx, b) }, func(v T, err error) {
		done(v, present.Failed("Search MCP did not answer. The connection may be lost.", err))
	})
}

// aside is like later for work that needs no connection, such as a call to the desktop.
func aside[T any](w *Window, work func(context.Context) (T, error), done func(T, error)) {
	w.Background(func() {
		v, err := work(w.Ctx)
		w.OnUI(func() {
			if w.Ctx.Err() == nil {
				done(v, err)
			}
		})
	})
}

type call = func(context.Context, Backend) error

// Get returns a call of the private method m. The call stores the result in *into.
func Get[R any](m wire.Method[wire.Empty, R], into *R) call {
	return func(ctx context.Context, b Backend) (err error) {
		*into, err = m.Call(ctx, b, wire.Empty{})
		return err
	}
}

// Gather makes calls in order until one fails, and passes the error or nil to done.
func (w *Window) Gather(done func(error), calls ...call) {
	later(w, func(ctx context.Context, b Backend) (none struct{}, err error) {
		for _, c := range calls {
			if err = c(ctx, b); err != nil {
				break
			}
		}
		return none, err
	}, func(_ struct{}, err error) { done(err) })
}

func Request[P, R any](w *Window, m wire.Method[P, R], params P, then func(R, error)) {
	later(w, func(ctx context.Context, b Backend) (R, error) { return m.Call(ctx, b, params) }, then)
}

func Order[P, R any](w *Window, m wire.Method[P, R], params P) {
	w.act(func(ctx context.Context, b Backend) error { return m.Do(ctx, b, params) })
}

func (w *Window) agreed(a api.Action, root string) {
	w.creating = w.creating || a == api.ActionCreate
	w.Gather(func(err error) {
		if err != nil {
			w.creating = false
			w.frame.Refresh()
		}
		w.failedAt(err, func() { w.agreed(a, root) })
	}, func(ctx context.Context, b Backend) error { return b.Agreed(ctx, a, root) })
}

func reference(p api.Project) wire.ProjectRef { return wire.ProjectRef{Project: p.Root()} }
func (w *Window) act(c call)                  { w.Gather(func(err error) { w.failedAt(err, func() { w.act(c) }) }, c) }

func (w *Window) attempt(what present.Text, do func() error) {
	w.run(do, func(err error) { w.Failed(present.Failed(what, err)) })
}

func (w *Window) run(do func() error, then func(error)) {
	aside(w, func(context.Context) (struct{}, error) { return struct{}{}, do() },
		func(_ struct{}, err error) { then(err) })
}

func (w *Window) Background(f func()) {
	if w.Opts.Inline {
		f()
		return
	}
	w.Work.Go(f)
}

func (w *Window) OnUI(f func()) {
	if w.Opts.Inline {
		f()
		return
	}
	w.Opts.Stir()
	fyne.Do(f)
}

// After calls f on Fyne's goroutine after pause. In tests, it calls f at once.
func (w *Window) After(pause time.Duration, f func()) {
	w.Background(func() {
		if !w.Opts.Inline {
			select {
			case <-time.After(pause):
			case <-w.Ctx.Done():
				return
			}
		}
		w.OnUI(f)
	})
}

// Every calls f on Fyne's goroutine at the interval pause, until f returns false or the window closes. In tests, it
// does nothing.
func (w *Window) Every(pause time.Duration, f func() bool) {
	if w.Opts.Inline {
		return
	}
	w.Background(func() {
		t := time.NewTicker(pause)
		defer t.Stop()
		for more := true; more; {
			select {
			case <-w.Ctx.Done():
				return
			case <-t.C:
			}
			again := make(chan bool, 1)
			w.OnUI(func() { again <- f() })
			select {
			case <-w.Ctx.Done():
				return
			case more = <-again:
			}
		}
	})
}

// Backend is the window's connection to the app. Its methods block until the app answers, and may be called from any
// goroutine. Errors with a user message are *api.Error.
type Backend interface {
	wire.Caller
	// Agreed performs the action a, which the user has confirmed in this window, on the project or folder at root. It
	// returns when the job has started or the deletion is complete.
	Agreed(ctx context.Context, a api.Action, root string) error
	// Reporting returns a Caller whose calls report their progress. total is 0 while it is unknown.
	Reporting(progress func(done, total int)) wire.Caller
}

func ofEditor(s wire.Session) bool { return s.Role != api.RoleWindow && s.Role != api.RoleTerminal }

type Desktop interface {
	Openers(ctx context.Context) ([]connect.Opener, error)
	// OpenFile opens path at line, or without a line if line is 0. opener is the ID of a program, OpenerDesktop, or
	// OpenerCommand followed by a command line. A missing file is ErrFileGone.
	OpenFile(opener, path string, line int) error
	OpenPage(address string) error
	Reveal(path string) error
	Autostart() (on, ok bool)
	SetAutostart(on bool) error
	// Notify shows a notification until ctx ends. It calls pressed with the pressed button, or with present.NoticeGone
	// if the user closes the notification. It returns false if notifications have no buttons on this desktop.
	Notify(ctx context.Context, n present.Notice, pressed func(button string)) bool
	Start(ctx context.Context) error

	Editors(ctx context.Context) ([]connect.Status, error)
	// Connect plans how to add Search MCP to an editor's configuration, and Disconnect how to remove it.
	Connect(ctx context.Context, editor string) (Change, error)
	Disconnect(ctx context.Context, editor string) (Change, error)
	// Note plans how to add the paragraph for assistants to a project. If remove is true, it plans the removal.
	Note(ctx context.Context, project, editor string, remove bool) ([]Change, error)
	Snippet(editor string) string
}

var ErrFileGone = errors.New("the file is gone")

type Change struct {
	Title string
	Run   []string
	File  string   // path of the file to write, or ""
	Lines []string // diff of File; lines begin with "- ", "+ " or two spaces
	After string   // what the user must do next
	Empty bool
	// Apply makes the change and returns the path of the backup, or "".
	Apply func(ctx context.Context) (backup string, err error)
}

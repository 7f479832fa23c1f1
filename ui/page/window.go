package page

import (
	"context"
	"errors"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

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
	// Language is nil for the system's language.
	Language translations.Language
	// Home is shown as ~. "" means os.UserHomeDir.
	Home string
	// NoOpener means that the desktop has no default program for files, NoTray that it shows no tray icons.
	NoOpener, NoTray bool
	Palette          func() fyne.Window
	// Behind shows a window without focus, or marks a visible window in the task bar.
	Behind func(fyne.Window)
	// Stir is called before work is passed to Fyne's goroutine, whose loop may be idle.
	Stir func()
	// Inline runs all work on the caller's goroutine, for tests.
	Inline bool
}

type Frame interface {
	// Go opens a page with the given project, a root or ID, or with none.
	Go(p Page, project string)
	Show()
	ShowKeys()
	ShowPalette()
	// Shortcut performs a shortcut of the window and reports whether it exists.
	Shortcut(s fyne.Shortcut) bool
	Actions() []Action
	Confirm(Confirmation)
	// Fetch fetches the model from the app, and Refresh draws it.
	Fetch()
	Refresh()
	// Idle quits the window if the user can't see it and it has no work.
	Idle()
	Quit()
}

// Confirmation is a question to the user. Again is asked after the user has agreed to View; it may be nil.
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
	// dismissed is the page whose sheet the user closed, until another page opens.
	dismissed Page
	Tip       *widget.Tip
	editor    string
	Opening   int
	unfolded  map[string]bool // folds that the user opened, by key
	creating  bool            // an index was requested, and the app has not listed its project yet
}

func New(o Options, win fyne.Window, f Frame) *Window {
	w := &Window{frame: f, Opts: o, App: o.App, Win: win, Home: o.Home, Now: o.Now, Forms: map[string]*configForm{},
		unfolded: map[string]bool{}}
	w.Ctx, w.Cancel = context.WithCancel(context.Background())
	w.Model.Version = o.Version
	w.Tip = widget.NewTip(w.After)
	w.Pages = map[Page]view{PageProjects: newProjects(w), PageSearch: NewSearch(w, false), PageActivity: newActivity(w),
		PageEditors: newEditors(w), PageSources: newSources(w), PageSettings: newSettings(w)}
	w.Body = container.NewStack()
	for _, p := range Pages { // Fyne repaints only objects in the window after a theme change
		o := w.Pages[p].Content()
		o.Hide()
		w.Body.Objects = append(w.Body.Objects, o)
	}
	w.Cover = container.NewStack()
	w.Cover.Hide()
	w.Panes = container.New(widget.Layout{Min: w.Body.MinSize, Do: w.layPanes}, w.Body, w.Cover)
	return w
}

func (w *Window) TurnTo(p Page, project string) {
	if _, ok := w.Pages[p]; !ok {
		p = PageProjects
	}
	widget.CloseOptions()
	w.CloseSheet()
	if b, is := w.Win.Canvas().Focused().(*widget.Button); p != w.Current && !(is && b.Paged()) {
		w.Win.Canvas().Unfocus() // a hidden field would receive keys
	}
	w.Current, w.dismissed = p, ""
	widget.Turn(w.Body, w.Pages[p].Content())
	w.Pages[p].Shown()
	if found, ok := w.Model.Project(project); ok && project != "" {
		switch p {
		case PageProjects:
			w.Details(found.ID)
		case PageSearch:
			w.Pages[PageSearch].(*Search).in(found)
		}
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

func (w *Window) ReadsDocuments() bool           { return w.Pages[PageSources].(*Sources).reads() }
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
	sheetShare = 0.45
)

func (w *Window) layPanes(size fyne.Size) {
	page, sheet := size, size
	if w.Cover.Visible() && size.Width >= panesFrom {
		sheet.Width = max(sheetWidth, float32(int(size.Width*sheetShare)))
		page.Width -= sheet.Width
	}
	w.Body.Resize(page)
	w.Cover.Move(fyne.NewPos(size.Width-sheet.Width, 0))
	w.Cover.Resize(sheet)
}

// Relayout repeats the layout after objects were shown or hidden. It needs two passes, because the height of wrapped
// text depends on its width.
func (w *Window) Relayout() {
	if w.Win.Content() == nil {
		return // the window is under construction
	}
	for range 2 {
		w.Win.Content().Refresh()
		if top := w.Win.Canvas().Overlays().Top(); top != nil {
			top.Refresh()
		}
	}
}

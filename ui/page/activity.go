package page

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type Activity struct {
	w     *Window
	view  present.Text
	Tabs  *widget.Segments[present.Text]
	stack *fyne.Container
	root  fyne.CanvasObject

	all           []api.Activity
	Rows          []entryRow
	used          *widget.Paragraph
	By            []callFilter
	filters, head *fyne.Container
	CallList      *widget.List
	callBox       fyne.CanvasObject
	noCalls       *fyne.Container
	off, fetched  bool
	ended         string // the last outcome in a sheet
	Where         *widget.Paragraph
	log           *logView
}

type entryRow struct {
	Day   string
	Calls []api.Activity
}

func (r entryRow) began() time.Time { return r.Calls[len(r.Calls)-1].Time }

const (
	ViewCalls    present.Text = "Requests"
	ViewIndexing present.Text = "Indexing"
	ViewLog      present.Text = "Log"
)

func newActivity(w *Window) *Activity {
	a := &Activity{w: w, view: ViewCalls, log: newLogView(w)}
	a.buildCalls()
	a.stack = container.NewStack(a.callBox, a.log.box)
	a.log.box.Hide()
	a.Tabs = newSegments([]present.Text{ViewCalls, ViewIndexing, ViewLog}, ViewCalls, func(v present.Text) {
		if s := w.Sheet; s != nil && s.From == a.CallList {
			w.CloseSheet()
		}
		a.view = v
		a.Shown()
	})
	a.root = widget.Frame(tr("Activity"), nil, widget.Below(widget.GapSmall, widget.Pad(2, 2, 0, 0, a.Tabs.Box), a.stack))
	return a
}

type callFilter struct {
	*widget.Chooser
	all  present.Text
	of   func(api.Activity) string
	word func(string) string
}

// offerFrom offers the values in entries. mixed means that some of the callers are no assistants.
func (f callFilter) offerFrom(entries []api.Activity, mixed bool) {
	options, chosen := []widget.Option{{Name: tr(f.all)}}, ""
	if mixed {
		options = []widget.Option{{Name: tr("Assistants")}, {Key: everyCaller, Name: tr("Everything")}}
		chosen = map[bool]string{true: everyCaller}[f.Chosen == everyCaller]
	}
	for _, c := range entries {
		n := f.of(c)
		if n == "" || slices.ContainsFunc(options, func(o widget.Option) bool { return o.Key == n }) {
			continue
		}
		options = append(options, widget.Option{Key: n, Name: f.word(n)})
		if n == f.Chosen {
			chosen = n
		}
	}
	f.Offer(options, chosen)
	f.Hidden = len(options) < 3
}

func (a *Activity) buildCalls() {
	a.CallList = widget.NewList(callHeight, func() int { return len(a.Rows) },
		callRow(func(i int) (present.Call, fyne.Resource) {
			r := a.Rows[i]
			if r.Calls == nil {
				return present.Call{Lead: r.Day}, nil
			}
			c := present.CallOf(r.Calls, a.w.Home, a.w.Now())
			c.Failed = c.Failed && !a.over(r.Calls[0])
			return c, glyph(present.Icon(r.Calls[0]))
		}))
	a.CallList.Height = func(i int) float32 {
		if a.Rows[i].Calls == nil {
			return HeadingHeight
		}
		return callHeight
	}
	a.CallList.Stops = func(i int) bool { return a.Rows[i].Calls != nil }
	a.w.beside(a.CallList, a.show)
	a.noCalls = container.NewStack()
	a.used = widget.NewParagraph("", theme.ColorNameForeground)
	a.By = []callFilter{
		{nil, "All editors", func(c api.Activity) string { return c.Client }, present.Client},
		{nil, "All projects", func(c api.Activity) string { return c.Project }, filepath.Base},
		{nil, "All outcomes", func(c api.Activity) string { return string(present.Outcome(c)) },
			func(s string) string { return tr(present.Text(s)) }},
	}
	a.filters = widget.Row()
	for i := range a.By {
		a.By[i].Chooser = a.w.NewChooser(nil, "", func(string) { a.drawCalls() })
		a.filters.Add(widget.Wide(148, a.By[i].Chooser))
	}
	a.head = widget.Column(widget.GapSmall, a.used.Box, a.filters)
	a.Where = widget.NewParagraph("", widget.ColorMuted)
	a.Where.Style.SizeName = theme.SizeNameCaptionText
	settings := Link("Settings…", func() { a.w.frame.Go(PageSettings, "") })
	foot := container.NewBorder(nil, nil, nil, settings, widget.Centred(a.Where.Box))
	a.callBox = container.NewBorder(a.head, foot, nil, nil, container.NewStack(a.CallList.InMargin(), a.noCalls))
}

const (
	KeyActivity     = "activity"
	KeySaveActivity = "activityKept"
	everyCaller     = "*" // key of the filter that also shows commands in the terminal
)

func (a *Activity) Fetch() {
	var all []api.Activity
	var settings map[string]any
	a.w.Gather(func(err error) {
		if err != nil {
			return // the banner shows that the connection was lost
		}
		a.all, a.fetched = all, true
		on, known := settings[KeyActivity].(bool)
		kept, _ := settings[KeySaveActivity].(bool)
		a.off = known && !on
		switch {
		case a.off:
			a.Where.Set(tr("Recording is off."))
		case kept:
			a.Where.Set(tr("Kept for seven days on this computer only, in a file that only you can read."))
		default:
			a.Where.Set("")
			if n := len(all); n > 0 {
				a.Where.Set(tr("In memory only, since %s; deleted on quit.", present.Clock(all[n-1].Time, a.w.Now())))
			}
		}
		a.drawCalls()
		if s := a.w.Sheet; s != nil && s.From == a.CallList && s.Row >= 0 && fresh(&a.ended, a.Rows[s.Row].Calls[0].Outcome) {
			a.show(s.Row)
		}
	}, Get(wire.MethodSettingsGet, &settings), Get(wire.MethodActivity, &all))
}

func (a *Activity) drawCalls() {
	indexing := a.view == ViewIndexing
	mine := slices.DeleteFunc(slices.Clone(a.all), func(c api.Activity) bool { return (c.Client == "") != indexing })
	of := mine
	own := func(c api.Activity) bool { return c.Role == api.RoleTerminal || c.Role == api.RoleWindow }
	for i, f := range a.By {
		others := slices.DeleteFunc(slices.Clone(of), own)
		mixed := i == 0 && len(others) > 0 && len(others) < len(of)
		f.offerFrom(of, mixed)
		a.filters.Objects[i].(*fyne.Container).Hidden = f.Hidden // an empty container would still have a width
		mine = slices.DeleteFunc(slices.Clone(mine), func(c api.Activity) bool {
			return f.Chosen == "" && mixed && own(c) || f.Chosen != "" && f.Chosen != everyCaller && f.of(c) != f.Chosen
		})
	}
	before := a.Rows
	a.Rows = nil
	for _, calls := range present.Fold(mine) {
		if day := present.Day(calls[0].Time, a.w.Now()); len(a.Rows) == 0 || day != a.Rows[len(a.Rows)-1].Day {
			a.Rows = append(a.Rows, entryRow{Day: day})
		}
		a.Rows = append(a.Rows, entryRow{a.Rows[len(a.Rows)-1].Day, calls})
	}
	a.w.follow(a.CallList, func(was int) int {
		began := before[was].began()
		return slices.IndexFunc(a.Rows, func(r entryRow) bool { return r.Calls != nil && r.began().Equal(began) })
	})
	a.used.Box.Hidden = indexing || a.used.Text == ""
	a.filters.Hidden = !slices.ContainsFunc(a.By, func(f callFilter) bool { return !f.Hidden })
	a.head.Hidden = a.used.Box.Hidden && a.filters.Hidden
	a.CallList.Refresh()
	a.showNone(indexing)
	a.w.Relayout()
}

func (a *Activity) showNone(indexing bool) {
	a.noCalls.Hide()
	if len(a.Rows) > 0 || !a.fetched {
		return
	}
	why := present.Text("No requests yet. Requests from your editors appear here.")
	if a.used.Text != "" {
		why = "Earlier requests were not kept. New requests from your editors appear here."
	}
	switch {
	case a.off:
		why = "Recording is off."
	case indexing:
		why = "Nothing has been indexed since Search MCP started. Indexing and updates appear here."
	}
	a.noCalls.Objects = []fyne.CanvasObject{container.New(widget.Within(420), centredText(why))}
	a.noCalls.Show()
}

func (a *Activity) show(i int) {
	calls, now := a.Rows[i].Calls, a.w.Now()
	c := calls[0]
	v := present.CallOf(calls, a.w.Home, now)
	body := widget.Column(widget.GapGroup, FactList(present.CallFacts(c, a.w.Home, now)))
	s := &Sheet{Title: v.Lead, still: true, Body: body, From: a.CallList, Row: i}
	over := a.over(c)
	s.refresh = func() {
		if a.over(c) != over {
			a.show(s.Row)
		}
	}
	if c.Error != "" {
		message, do, label := present.Failure(c)
		mark := present.MarkNeeds
		if over {
			message, do = tr("%s at that time. The cause is gone.", v.Result), present.DoNone
		}
		if over || !v.Failed {
			mark = present.MarkGone
		}
		body.Objects = slices.Insert(body.Objects, 0, Message(mark, widget.Prose(message)))
		if do != present.DoNone {
			s.Buttons = append(s.Buttons, NewButton(label, func() { a.act(do, c.Project) }))
		}
	}
	if len(c.Places) > 0 {
		body.Objects = slices.Insert(body.Objects, 0, a.places(c))
	}
	if p, known := a.w.Model.Project(c.Project); known && c.Client == "" {
		s.Buttons = append(s.Buttons, NewButton("Open project", func() { a.w.frame.Go(PageProjects, p.ID) }))
	}
	if source := sourceOf(c); source != "" && c.Query != "" {
		s.Buttons = append(s.Buttons, Primary("Search again", func() {
			a.w.Pages[PageSearch].(*Search).Ask(source, c.Project, c.Query)
		}))
	}
	a.w.Open(s)
}

// over reports whether c failed because of a state of its project that has changed since.
func (a *Activity) over(c api.Activity) bool {
	p, known := a.w.Model.Project(c.Project)
	if c.Error == "" || c.Project == "" || !known {
		return false
	}
	_, do, _ := present.Failure(c)
	return do == present.DoAdd && indexed(p) || api.Code(c.Error) == api.ProjectOffline && p.State != api.StateOffline
}

func (a *Activity) places(c api.Activity) fyne.CanvasObject {
	rows := widget.Column(0)
	var files []wire.FileText
	for _, at := range c.Places {
		project, path, several := strings.Cut(at.Path, ":")
		if !several {
			project, path = c.Project, at.Path
		}
		p, _ := a.w.Model.Project(project)
		where, name := present.Base(path)
		if at.StartLine > 0 {
			name += ":" + strconv.Itoa(at.StartLine)
		}
		if several {
			where = present.Join(project, where)
		}
		b := Link("", func() { a.w.OpenAt(present.File(p, path), at.StartLine) })
		b.Set(name, nil)
		rows.Add(widget.Column(0, container.NewBorder(nil, nil, widget.Flush(b), nil, widget.Centred(widget.Caption(where)))))
		files = append(files, wire.FileText{ProjectRef: wire.RefTo(p.Root()), Path: path, Line: at.StartLine})
	}
	later(a.w, func(ctx context.Context, b Backend) (texts []api.FileText, _ error) {
		for _, f := range files {
			var text api.FileText
			if f.Line > 0 {
				text, _ = wire.MethodFileText.Call(ctx, b, f) // a deleted file has no lines to show
			}
			texts = append(texts, text)
		}
		return texts, nil
	}, func(texts []api.FileText, _ error) {
		for i, f := range texts {
			var lines []api.Line
			for n, text := range strings.Split(f.Text, "\n") {
				n += f.First
				if at := c.Places[i]; at.StartLine > 0 && n >= at.StartLine && n <= at.EndLine && len(lines) < placeLines {
					lines = append(lines, api.Line{Number: n, Text: text})
				}
			}
			if len(lines) > 0 {
				code := widget.NewListing(theme.SizeNameText)
				code.Set(sourceLines(lines, files[i].Path, 0, highlight.Question(c.Query)), true)
				rows.Objects[i].(*fyne.Container).Add(code)
			}
		}
		a.w.Relayout()
	})
	return section("Results shown to the assistant (current text)", rows)
}

func (a *Activity) act(do present.Do, project string) {
	switch do {
	case present.DoAdd:
		a.w.AddPath(project)
	case present.DoOpen:
		a.w.frame.Go(PageProjects, project)
	default:
		a.w.Examine()
	}
}

func sourceOf(c api.Activity) present.Source {
	return map[string]present.Source{"search_code": present.SourceCode, "search_docs": present.SourceDocuments,
		"search_by_path": present.SourceFiles}[c.Tool]
}

func (a *Activity) Content() fyne.CanvasObject { return a.root }

func (a *Activity) field() *widget.Entry {
	if a.view != ViewLog {
		return nil
	}
	return a.log.filter
}

func (a *Activity) Refresh() {
	u, now := a.w.Model.Usage, a.w.Now()
	if said := present.Join(present.Used(u, now), present.Opened(u, now)); said != a.used.Text {
		a.used.Set(said)
		a.drawCalls()
	}
}

func (a *Activity) Shown() {
	if a.view == ViewLog {
		widget.Turn(a.stack, a.log.box)
		a.log.fetch()
	} else {
		widget.Turn(a.stack, a.callBox)
		a.Refresh()
		a.drawCalls()
		a.Fetch()
	}
}

const (
	callHeight = 52
	callTime   = 60
	callMark   = 28
	placeLines = 2
	logLines   = 500
)

// callRow returns the function that makes the rows of a list. content returns the content and the icon of row i.
func callRow(content func(i int) (present.Call, fyne.Resource)) func() (fyne.CanvasObject, func(i int)) {
	small := func(t *widget.Text) fyne.CanvasObject { return widget.Pad(2, 0, 0, 0, t) } // aligned with larger text
	return func() (fyne.CanvasObject, func(i int)) {
		mark, when, lead := fynewidget.NewIcon(nil), widget.Caption(""), widget.Strong("")
		detail, result := widget.Muted(""), widget.WholeCaption("")
		left := container.New(layout.NewCustomPaddedHBoxLayout(0), widget.Wide(callTime, small(when)),
			widget.Wide(callMark-4, container.NewBorder(nil, nil,
				container.New(widget.Sized{Width: widget.ButtonIcon, Height: widget.ButtonIcon}, mark), nil)))
		second := widget.Pad(0, 0, callTime+callMark, 0, detail) // BorderLayout adds 4 pixels to left
		box := widget.Pad(0, 0, widget.GapSmall, widget.GapSmall, widget.Centred(widget.Column(1,
			container.NewBorder(nil, nil, left, widget.Pad(0, 0, widget.GapGroup, 0, small(result)), lead), second)))
		return box, func(i int) {
			c, by := content(i)
			if c.Failed {
				by = Marks[present.MarkNeeds]
			}
			mark.SetResource(by)
			when.Set(c.Time)
			lead.Value, lead.Style.Bold, lead.Color = c.Lead, !c.Routine && !c.Plain, theme.ColorNameForeground
			if c.Routine {
				lead.Color = widget.ColorMuted
			}
			detail.Set(c.Detail)
			result.Set(c.Result)
			result.SetColor(shown(c.Failed))
			if c.Nothing {
				result.SetColor(theme.ColorNameForeground)
			}
			left.Hidden, second.Hidden = c.Time == "", c.Detail == ""
			box.Refresh()
		}
	}
}

type logView struct {
	w            *Window
	lines, shown []string
	filter       *widget.Entry
	level        *widget.Chooser
	list         *widget.List
	box          fyne.CanvasObject
}

func newLogView(w *Window) *logView {
	l := &logView{w: w, filter: w.newEntry("", nil)}
	l.filter.SetPlaceHolder(tr("Filter"))
	l.filter.OnChanged = func(string) { l.draw() }
	l.level = w.NewChooser([]widget.Option{{Name: tr("Everything")}, {Key: "WARN", Name: tr("Warnings")},
		{Key: "ERROR", Name: tr("Errors")}},
		"", func(string) { l.fetch() })
	l.list = widget.NewList(callHeight, func() int { return len(l.shown) },
		callRow(func(i int) (present.Call, fyne.Resource) {
			v := present.LogLineOf(l.shown[i], w.Now())
			result := tr(gravities[v.Level])
			return present.Call{Time: v.Time, Lead: v.Message, Detail: v.Detail, Plain: true, Failed: result != "",
				Result: result}, nil
		}))
	l.list.Moved = func(i int) {
		line := l.shown[i]
		v := present.LogLineOf(line, w.Now())
		body := widget.Column(widget.GapGroup, widget.Prose(v.Message), widget.Caption(present.Join(v.Time, v.Level)))
		if v.Detail != "" {
			body.Add(code(strings.ReplaceAll(v.Detail, " · ", "\n")))
		}
		w.Open(&Sheet{Title: tr("Log line"), Body: body, still: true, From: l.list, Row: i,
			Buttons: []fyne.CanvasObject{Primary("Copy", func() { w.copy(line) })}})
	}
	head := container.NewBorder(nil, nil, widget.Wide(152, l.level), NewButton("Copy for a bug report", l.report),
		l.filter)
	l.box = widget.Below(widget.GapSmall, head, l.list.InMargin())
	return l
}

var gravities = map[string]present.Text{"WARN": "Warning", "ERROR": "Error"}

func (l *logView) fetch() {
	q := wire.LogQuery{Lines: logLines, Level: l.level.Chosen}
	Request(l.w, wire.MethodLogs, q, func(lines []string, err error) {
		if err == nil {
			l.lines = lines
			l.draw()
		}
	})
}

func (l *logView) draw() {
	l.shown = present.Filter(l.lines, l.filter.Text, func(s string) string { return s })
	l.list.Refresh()
	l.list.Scroll.ScrollToBottom()
}

func (l *logView) report() {
	lines := l.shown
	Request(l.w, wire.MethodDoctor, wire.ProjectRef{}, func(f []api.Finding, err error) {
		if err != nil {
			f = append(f, api.Finding{Subject: "self-examination", Text: err.Error()})
		}
		l.w.copy(present.Report(l.w.Model.Version, runtime.GOOS+"/"+runtime.GOARCH, f, lines, l.w.Home))
	})
}

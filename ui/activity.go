package ui

import (
	"context"
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

type activity struct {
	w     *Window
	view  present.Text
	tabs  *widget.Segments[present.Text]
	stack *fyne.Container
	root  fyne.CanvasObject

	all      []api.Activity
	rows     []entryRow // filtered and folded entries, with a heading for each day
	used     *widget.Paragraph
	by       []callFilter
	filters  *fyne.Container
	head     *fyne.Container
	callList *widget.List
	callBox  fyne.CanvasObject
	noCalls  *fyne.Container
	off      bool
	where    *widget.Paragraph // explains where the record is stored
	log      *logView
}

type entryRow struct {
	day   string
	calls []api.Activity
}

func (r entryRow) began() time.Time { return r.calls[len(r.calls)-1].Time }

const (
	viewCalls    present.Text = "Requests"
	viewIndexing present.Text = "Indexing"
	viewLog      present.Text = "Log"
)

func newActivity(w *Window) *activity {
	a := &activity{w: w, view: viewCalls, log: newLogView(w)}
	a.buildCalls()
	a.stack = container.New(widget.ShownOne{}, a.callBox, a.log.box)
	a.log.box.Hide()
	a.tabs = newSegments([]present.Text{viewCalls, viewIndexing, viewLog}, viewCalls, func(v present.Text) {
		if s := w.sheet; s != nil && s.from == a.callList {
			w.closeSheet()
		}
		a.view = v
		a.shown()
	})
	a.root = widget.Frame(tr("Activity"), nil, widget.Below(widget.GapSmall, widget.Pad(2, 2, 0, 0, a.tabs.Box), a.stack))
	return a
}

// callFilter limits the entries to those with the chosen value. It is hidden if there are fewer than two values.
type callFilter struct {
	*widget.Chooser
	all  present.Text // selects everything
	of   func(api.Activity) string
	word func(string) string
}

func (f callFilter) offerFrom(entries []api.Activity) {
	options, chosen := []widget.Option{{Name: tr(f.all)}}, ""
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

func (a *activity) buildCalls() {
	a.callList = widget.NewList(callHeight, func() int { return len(a.rows) },
		func() fyne.CanvasObject { return newCallRow() },
		func(i int, o fyne.CanvasObject) {
			if r := a.rows[i]; r.calls == nil {
				o.(*callRow).head(r.day)
			} else {
				v, by := present.CallOf(r.calls, a.w.home, a.w.now()), pageIcons[PageProjects]
				if c := r.calls[0].Client; c != "" {
					by = editorGlyph(present.Client(c))
				}
				o.(*callRow).set(v, by)
			}
		})
	a.callList.Height = func(i int) float32 {
		if a.rows[i].calls == nil {
			return headingHeight
		}
		return callHeight
	}
	a.callList.Stops = func(i int) bool { return a.rows[i].calls != nil }
	a.callList.Moved = a.show
	a.noCalls = container.NewStack()
	a.used = widget.NewParagraph("", theme.ColorNameForeground)
	a.by = []callFilter{
		{nil, "All editors", func(c api.Activity) string { return c.Client }, present.Client},
		{nil, "All projects", func(c api.Activity) string { return c.Project }, baseName},
		{nil, "All outcomes", func(c api.Activity) string { return string(present.Outcome(c)) },
			func(s string) string { return tr(present.Text(s)) }},
	}
	a.filters = widget.Row()
	for i := range a.by {
		a.by[i].Chooser = a.w.newChooser(nil, "", func(string) { a.drawCalls() })
		a.filters.Add(widget.Wide(148, a.by[i].Chooser))
	}
	a.head = widget.Column(widget.GapSmall, a.used.Box, a.filters)
	a.where = widget.NewParagraph("", widget.ColorMuted)
	a.where.Style.SizeName = theme.SizeNameCaptionText
	settings := link("Settings…", func() { a.w.Go(PageSettings, "") })
	foot := container.NewBorder(nil, nil, nil, settings, widget.Centred(a.where.Box))
	a.callBox = container.NewBorder(a.head, foot, nil, nil, container.NewStack(a.callList.InMargin(), a.noCalls))
}

const (
	keyActivity = "activity"
	keyKept     = "activityKept"
)

func (a *activity) fetch() {
	var all []api.Activity
	var settings map[string]any
	a.w.gather(func(err error) {
		if err != nil {
			return // the banner reports the lost connection
		}
		a.all = all
		on, known := settings[keyActivity].(bool)
		kept, _ := settings[keyKept].(bool)
		a.off = known && !on
		switch {
		case a.off:
			a.where.Set(tr("Recording is off."))
		case kept:
			a.where.Set(tr("Kept for seven days on this computer only, in a file that only you can read."))
		default:
			a.where.Set("")
			if n := len(all); n > 0 {
				a.where.Set(tr("In memory only, since %s; deleted on quit.", present.Clock(all[n-1].Time, a.w.now())))
			}
		}
		a.drawCalls()
		a.first()
	}, get(wire.MethodSettingsGet, &settings), get(wire.MethodActivity, &all))
}

func (a *activity) first() {
	if a.w.offers() && a.w.sheet == nil && a.w.current == PageActivity && len(a.rows) > 0 {
		l := a.callList
		i := max(1, slices.IndexFunc(a.rows, func(r entryRow) bool { return r.calls != nil && r.calls[0].Query != "" }))
		if l.Body.Ends[i] > l.Size().Height {
			i = 1
		}
		l.Choose(i)
	}
}

func (a *activity) drawCalls() {
	indexing := a.view == viewIndexing
	mine := slices.DeleteFunc(slices.Clone(a.all), func(c api.Activity) bool { return (c.Client == "") != indexing })
	of := mine
	for i, f := range a.by {
		f.offerFrom(of)
		a.filters.Objects[i].(*fyne.Container).Hidden = f.Hidden // hide the parent too, because it has a width
		mine = slices.DeleteFunc(slices.Clone(mine), func(c api.Activity) bool {
			return f.Chosen != "" && f.of(c) != f.Chosen
		})
	}
	before := a.rows
	a.rows = nil
	for _, calls := range present.Fold(mine) {
		if day := present.Day(calls[0].Time, a.w.now()); len(a.rows) == 0 || day != a.rows[len(a.rows)-1].day {
			a.rows = append(a.rows, entryRow{day: day})
		}
		a.rows = append(a.rows, entryRow{a.rows[len(a.rows)-1].day, calls})
	}
	a.w.follow(a.callList, func(was int) int {
		began := before[was].began()
		return slices.IndexFunc(a.rows, func(r entryRow) bool { return r.calls != nil && r.began().Equal(began) })
	})
	a.used.Box.Hidden = indexing || a.used.Text == ""
	a.filters.Hidden = !slices.ContainsFunc(a.by, func(f callFilter) bool { return !f.Hidden })
	a.head.Hidden = a.used.Box.Hidden && a.filters.Hidden
	a.callList.Refresh()
	a.showNone(indexing)
	a.w.relayout()
}

func (a *activity) showNone(indexing bool) {
	a.noCalls.Hide()
	if len(a.rows) > 0 {
		return
	}
	why := present.Text("No requests yet. Requests from your editors appear here.")
	switch {
	case a.off:
		why = "Recording is off."
	case indexing:
		why = "Nothing was indexed since Search MCP started. Indexing and updates appear here."
	}
	a.noCalls.Objects = []fyne.CanvasObject{container.New(widget.Within(420), centredText(why))}
	a.noCalls.Show()
}

func baseName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

func (a *activity) show(i int) {
	calls, now := a.rows[i].calls, a.w.now()
	c := calls[0]
	v := present.CallOf(calls, a.w.home, now)
	body := widget.Column(widget.GapGroup, factList(present.CallFacts(c, a.w.home, now)))
	s := &sheet{title: v.Lead, still: true, body: body, from: a.callList, row: i}
	if c.Error != "" {
		says, do, label := present.Failure(c)
		mark := present.MarkNeeds
		if !v.Failed {
			mark = present.MarkGone
		}
		body.Objects = slices.Insert(body.Objects, 0, message(mark, widget.Prose(says)))
		if do != present.DoNone {
			s.buttons = append(s.buttons, newButton(label, func() { a.act(do, c.Project) }))
		}
	}
	if len(c.Places) > 0 {
		body.Objects = slices.Insert(body.Objects, 0, a.places(c))
	}
	if p, known := a.w.model.Project(c.Project); known && c.Client == "" {
		s.buttons = append(s.buttons, newButton("Open project", func() { a.w.Go(PageProjects, p.ID) }))
	}
	if source := sourceOf(c); source != "" && c.Query != "" {
		s.buttons = append(s.buttons, primary("Search again", func() {
			a.w.pages[PageSearch].(*search).ask(source, c.Project, c.Query)
		}))
	}
	a.w.open(s)
}

const placeLines = 2

func (a *activity) places(c api.Activity) fyne.CanvasObject {
	rows := widget.Column(0)
	var files []wire.FileText
	for _, at := range c.Places {
		project, path, several := strings.Cut(at.Path, ":")
		if !several {
			project, path = c.Project, at.Path
		}
		p, _ := a.w.model.Project(project)
		where, name := present.Base(path)
		if at.StartLine > 0 {
			name += ":" + strconv.Itoa(at.StartLine)
		}
		if several {
			where = present.Join(project, where)
		}
		b := link("", func() { a.w.openAt(present.File(p, path), at.StartLine) })
		b.Set(name, nil)
		rows.Add(widget.Column(0, container.NewBorder(nil, nil, widget.Flush(b), nil, widget.Centred(widget.Caption(where)))))
		files = append(files, wire.FileText{Project: p.Root(), Path: path, Line: at.StartLine})
	}
	later(a.w, func(ctx context.Context, b Backend) (texts []api.FileText, _ error) {
		for _, f := range files {
			var text api.FileText
			if f.Line > 0 {
				text, _ = wire.MethodFileText.Call(ctx, b, f) // a deleted file has no lines
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
		a.w.relayout()
	})
	return section("Results shown to the assistant (current text)", rows)
}

func (a *activity) act(do present.Do, project string) {
	switch do {
	case present.DoAdd:
		a.w.addPath(project)
	case present.DoOpen:
		a.w.Go(PageProjects, project)
	default:
		a.w.examine()
	}
}

func sourceOf(c api.Activity) present.Source {
	return map[string]present.Source{"search_code": present.SourceCode, "search_docs": present.SourceDocuments,
		"search_by_path": present.SourceFiles}[c.Tool]
}

func (a *activity) content() fyne.CanvasObject { return a.root }

func (a *activity) field() *widget.Entry {
	if a.view != viewLog {
		return nil
	}
	return a.log.filter
}

func (a *activity) refresh() {
	if said := present.Used(a.w.model.Usage, a.w.now()); said != a.used.Text {
		a.used.Set(said)
		a.drawCalls()
	}
}

func (a *activity) shown() {
	if a.view == viewLog {
		widget.Turn(a.stack, a.log.box)
		a.log.fetch()
	} else {
		widget.Turn(a.stack, a.callBox)
		a.refresh()
		a.drawCalls()
		a.fetch()
	}
}

const (
	callHeight = 52
	callTime   = 60
	callMark   = 28
)

type callRow struct {
	fynewidget.BaseWidget
	mark                       *fynewidget.Icon
	when, lead, detail, result *widget.Text
	left, second, box          *fyne.Container
}

func newCallRow() *callRow {
	r := &callRow{mark: fynewidget.NewIcon(nil), when: widget.Caption(""), lead: widget.Strong(""),
		detail: widget.Muted(""), result: widget.WholeCaption("")}
	small := func(t *widget.Text) fyne.CanvasObject {
		return widget.Pad(2, 0, 0, 0,
			t)
	} // aligns the text with larger text
	r.left = container.New(layout.NewCustomPaddedHBoxLayout(0), widget.Wide(callTime, small(r.when)),
		widget.Wide(callMark-4, container.NewBorder(nil, nil,
			container.New(widget.Sized{Width: widget.ButtonIcon, Height: widget.ButtonIcon}, r.mark), nil)))
	r.second = widget.Pad(0, 0, callTime+callMark, 0, r.detail) // the border layout adds 4 to r.left
	r.box = widget.Pad(0, 0, widget.GapSmall, widget.GapSmall, widget.Centred(widget.Column(1,
		container.NewBorder(nil, nil, r.left, widget.Pad(0, 0, widget.GapGroup, 0, small(r.result)), r.lead), r.second)))
	r.ExtendBaseWidget(r)
	return r
}

func (r *callRow) head(day string) {
	r.set(present.Call{Lead: day}, nil)
}

func (r *callRow) set(c present.Call, by fyne.Resource) {
	if c.Failed {
		by = marks[present.MarkNeeds]
	}
	r.mark.SetResource(by)
	r.when.Set(c.Time)
	r.lead.Value, r.lead.Style.Bold, r.lead.Color = c.Lead, !c.Routine && !c.Plain, theme.ColorNameForeground
	if c.Routine {
		r.lead.Color = widget.ColorMuted
	}
	r.detail.Set(c.Detail)
	r.result.Set(c.Result)
	r.result.SetColor(shown(c.Failed))
	if c.Nothing {
		r.result.SetColor(theme.ColorNameForeground)
	}
	r.left.Hidden, r.second.Hidden = c.Time == "", c.Detail == ""
	r.box.Refresh()
}

func (r *callRow) CreateRenderer() fyne.WidgetRenderer { return fynewidget.NewSimpleRenderer(r.box) }

const logLines = 500

type logView struct {
	w      *Window
	lines  []string
	shown  []string
	filter *widget.Entry
	level  *widget.Chooser
	list   *widget.List
	box    fyne.CanvasObject
}

func newLogView(w *Window) *logView {
	l := &logView{w: w, filter: w.newEntry("", nil)}
	l.filter.SetPlaceHolder(tr("Filter"))
	l.filter.OnChanged = func(string) { l.draw() }
	l.level = w.newChooser([]widget.Option{{Name: tr("Everything")}, {Key: "WARN", Name: tr("Warnings")},
		{Key: "ERROR", Name: tr("Errors")}},
		"", func(string) { l.fetch() })
	l.list = widget.NewList(callHeight, func() int { return len(l.shown) },
		func() fyne.CanvasObject { return newCallRow() },
		func(i int, o fyne.CanvasObject) {
			v := present.LogLineOf(l.shown[i], w.now())
			c := present.Call{Time: v.Time, Lead: v.Message, Detail: v.Detail, Plain: true}
			if gravities[v.Level] != "" {
				c.Failed, c.Result = true, tr(gravities[v.Level])
			}
			o.(*callRow).set(c, nil)
		})
	l.list.Moved = func(i int) {
		line := l.shown[i]
		v := present.LogLineOf(line, w.now())
		body := widget.Column(widget.GapGroup, widget.Prose(v.Message), widget.Caption(present.Join(v.Time, v.Level)))
		if v.Detail != "" {
			body.Add(code(strings.ReplaceAll(v.Detail, " · ", "\n")))
		}
		w.open(&sheet{title: tr("Log line"), body: body, still: true, from: l.list, row: i,
			buttons: []fyne.CanvasObject{primary("Copy", func() { w.copy(line) })}})
	}
	head := container.NewBorder(nil, nil, widget.Wide(152, l.level), newButton("Copy for a bug report", l.report),
		l.filter)
	l.box = widget.Below(widget.GapSmall, head, l.list.InMargin())
	return l
}

var gravities = map[string]present.Text{"WARN": "Warning", "ERROR": "Error"}

func (l *logView) fetch() {
	q := wire.LogQuery{Lines: logLines, Level: l.level.Chosen}
	request(l.w, wire.MethodLogs, q, func(lines []string, err error) {
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
	request(l.w, wire.MethodDoctor, wire.ProjectRef{}, func(f []api.Finding, err error) {
		if err != nil {
			f = append(f, api.Finding{Subject: "self-examination", Text: err.Error()})
		}
		l.w.copy(present.Report(l.w.model.Version, runtime.GOOS+"/"+runtime.GOARCH, f, lines, l.w.home))
	})
}

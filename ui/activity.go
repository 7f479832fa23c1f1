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
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

type activity struct {
	w     *Window
	view  present.Text
	tabs  *segments
	stack *fyne.Container
	root  fyne.CanvasObject

	all      []api.Activity
	rows     []entryRow // filtered and folded entries, with a heading for each day
	used     *paragraph
	by       []callFilter
	filters  *fyne.Container
	head     *fyne.Container
	callList *pickList
	callBox  fyne.CanvasObject
	noCalls  *fyne.Container
	off      bool
	where    *paragraph // explains where the record is stored
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
	a.stack = container.New(shownOne{}, a.callBox, a.log.box)
	a.log.box.Hide()
	a.tabs = newSegments([]present.Text{viewCalls, viewIndexing, viewLog}, viewCalls, func(v present.Text) {
		if s := w.sheet; s != nil && s.from == a.callList {
			w.closeSheet()
		}
		a.view = v
		a.shown()
	})
	a.root = frame(tr("Activity"), nil, below(gapSmall, pad(2, 2, 0, 0, a.tabs.box), a.stack))
	return a
}

// callFilter limits the entries to those with the chosen value. It is hidden if there are fewer than two values.
type callFilter struct {
	*chooser
	all  present.Text // selects everything
	of   func(api.Activity) string
	word func(string) string
}

func (f callFilter) offerFrom(entries []api.Activity) {
	options, chosen := []option{{name: tr(f.all)}}, ""
	for _, c := range entries {
		n := f.of(c)
		if n == "" || slices.ContainsFunc(options, func(o option) bool { return o.key == n }) {
			continue
		}
		options = append(options, option{key: n, name: f.word(n)})
		if n == f.chosen {
			chosen = n
		}
	}
	f.offer(options, chosen)
	f.Hidden = len(options) < 3
}

func (a *activity) buildCalls() {
	a.callList = newPickList(callHeight, func() int { return len(a.rows) },
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
	a.callList.height = func(i int) float32 {
		if a.rows[i].calls == nil {
			return headingHeight
		}
		return callHeight
	}
	a.callList.stops = func(i int) bool { return a.rows[i].calls != nil }
	a.callList.moved = a.show
	a.noCalls = container.NewStack()
	a.used = newParagraph("", theme.ColorNameForeground)
	a.by = []callFilter{
		{nil, "All editors", func(c api.Activity) string { return c.Client }, present.Client},
		{nil, "All projects", func(c api.Activity) string { return c.Project }, baseName},
		{nil, "All outcomes", func(c api.Activity) string { return string(present.Outcome(c)) },
			func(s string) string { return tr(present.Text(s)) }},
	}
	a.filters = row()
	for i := range a.by {
		a.by[i].chooser = a.w.newChooser(nil, "", func(string) { a.drawCalls() })
		a.filters.Add(wide(148, a.by[i].chooser))
	}
	a.head = column(gapSmall, a.used.box, a.filters)
	a.where = newParagraph("", colorMuted)
	a.where.style.SizeName = theme.SizeNameCaptionText
	settings := link("Settings…", func() { a.w.Go(PageSettings, "") })
	foot := container.NewBorder(nil, nil, nil, settings, centred(a.where.box))
	a.callBox = container.NewBorder(a.head, foot, nil, nil, container.NewStack(a.callList.inMargin(), a.noCalls))
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
			a.where.set(tr("Recording is off."))
		case kept:
			a.where.set(tr("Kept for seven days on this computer only, in a file that only you can read."))
		default:
			a.where.set("")
			if n := len(all); n > 0 {
				a.where.set(tr("In memory only, since %s; deleted on quit.", present.Clock(all[n-1].Time, a.w.now())))
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
		if l.body.ends[i] > l.Size().Height {
			i = 1
		}
		l.choose(i)
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
			return f.chosen != "" && f.of(c) != f.chosen
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
	a.used.box.Hidden = indexing || a.used.text == ""
	a.filters.Hidden = !slices.ContainsFunc(a.by, func(f callFilter) bool { return !f.Hidden })
	a.head.Hidden = a.used.box.Hidden && a.filters.Hidden
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
	a.noCalls.Objects = []fyne.CanvasObject{container.New(within(420), centredText(why))}
	a.noCalls.Show()
}

func baseName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

func (a *activity) show(i int) {
	calls, now := a.rows[i].calls, a.w.now()
	c := calls[0]
	v := present.CallOf(calls, a.w.home, now)
	body := column(gapGroup, factList(present.CallFacts(c, a.w.home, now)))
	s := &sheet{title: v.Lead, still: true, body: body, from: a.callList, row: i}
	if c.Error != "" {
		says, do, label := present.Failure(c)
		mark := present.MarkNeeds
		if !v.Failed {
			mark = present.MarkGone
		}
		body.Objects = slices.Insert(body.Objects, 0, message(mark, prose(says)))
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
	rows := column(0)
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
		b.set(name, nil)
		rows.Add(column(0, container.NewBorder(nil, nil, flush(b), nil, centred(caption(where)))))
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
				code := newListing(theme.SizeNameText)
				code.set(sourceLines(lines, files[i].Path, 0, highlight.Question(c.Query)), true)
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

func (a *activity) field() *entry {
	if a.view != viewLog {
		return nil
	}
	return a.log.filter
}

func (a *activity) refresh() {
	if said := present.Used(a.w.model.Usage, a.w.now()); said != a.used.text {
		a.used.set(said)
		a.drawCalls()
	}
}

func (a *activity) shown() {
	if a.view == viewLog {
		turn(a.stack, a.log.box)
		a.log.fetch()
	} else {
		turn(a.stack, a.callBox)
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
	widget.BaseWidget
	mark                       *widget.Icon
	when, lead, detail, result *text
	left, second, box          *fyne.Container
}

func newCallRow() *callRow {
	r := &callRow{mark: widget.NewIcon(nil), when: caption(""), lead: strong(""), detail: muted(""), result: caption2("")}
	small := func(t *text) fyne.CanvasObject { return pad(2, 0, 0, 0, t) } // aligns the text with larger text
	r.left = container.New(layout.NewCustomPaddedHBoxLayout(0), wide(callTime, small(r.when)),
		wide(callMark-4, container.NewBorder(nil, nil, container.New(fixed{buttonIcon, buttonIcon}, r.mark), nil)))
	r.second = pad(0, 0, callTime+callMark, 0, r.detail) // the border layout adds 4 to r.left
	r.box = pad(0, 0, gapSmall, gapSmall, centred(column(1,
		container.NewBorder(nil, nil, r.left, pad(0, 0, gapGroup, 0, small(r.result)), r.lead), r.second)))
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
	r.when.set(c.Time)
	r.lead.value, r.lead.style.Bold, r.lead.color = c.Lead, !c.Routine && !c.Plain, theme.ColorNameForeground
	if c.Routine {
		r.lead.color = colorMuted
	}
	r.detail.set(c.Detail)
	r.result.set(c.Result)
	r.result.setColor(shown(c.Failed))
	if c.Nothing {
		r.result.setColor(theme.ColorNameForeground)
	}
	r.left.Hidden, r.second.Hidden = c.Time == "", c.Detail == ""
	r.box.Refresh()
}

func (r *callRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.box) }

const logLines = 500

type logView struct {
	w      *Window
	lines  []string
	shown  []string
	filter *entry
	level  *chooser
	list   *pickList
	box    fyne.CanvasObject
}

func newLogView(w *Window) *logView {
	l := &logView{w: w, filter: w.newEntry("", nil)}
	l.filter.SetPlaceHolder(tr("Filter"))
	l.filter.OnChanged = func(string) { l.draw() }
	l.level = w.newChooser([]option{{name: tr("Everything")}, {key: "WARN", name: tr("Warnings")},
		{key: "ERROR", name: tr("Errors")}},
		"", func(string) { l.fetch() })
	l.list = newPickList(callHeight, func() int { return len(l.shown) },
		func() fyne.CanvasObject { return newCallRow() },
		func(i int, o fyne.CanvasObject) {
			v := present.LogLineOf(l.shown[i], w.now())
			c := present.Call{Time: v.Time, Lead: v.Message, Detail: v.Detail, Plain: true}
			if gravities[v.Level] != "" {
				c.Failed, c.Result = true, tr(gravities[v.Level])
			}
			o.(*callRow).set(c, nil)
		})
	l.list.moved = func(i int) {
		line := l.shown[i]
		v := present.LogLineOf(line, w.now())
		body := column(gapGroup, prose(v.Message), caption(present.Join(v.Time, v.Level)))
		if v.Detail != "" {
			body.Add(code(strings.ReplaceAll(v.Detail, " · ", "\n")))
		}
		w.open(&sheet{title: tr("Log line"), body: body, still: true, from: l.list, row: i,
			buttons: []fyne.CanvasObject{primary("Copy", func() { w.copy(line) })}})
	}
	head := container.NewBorder(nil, nil, wide(152, l.level), newButton("Copy for a bug report", l.report), l.filter)
	l.box = below(gapSmall, head, l.list.inMargin())
	return l
}

var gravities = map[string]present.Text{"WARN": "Warning", "ERROR": "Error"}

func (l *logView) fetch() {
	q := wire.LogQuery{Lines: logLines, Level: l.level.chosen}
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
	l.list.scroll.ScrollToBottom()
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

package ui

import (
	"context"
	"slices"
	"strconv"
	"strings"

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

	all      []api.Activity // newest first
	rows     []entryRow     // filtered and folded entries, with a heading for each day
	used     *paragraph     // shows today's searches
	client   *chooser
	project  *chooser
	outcome  *chooser
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
	scroll := container.NewHScroll(pad(2, 2, 3, 3, a.tabs.box)) // the padding keeps outlines from being clipped
	tabs := pad(0, 0, -3, 0, scroll)
	a.root = frame(tr("Activity"), nil, below(gapSmall, tabs, a.stack))
	return a
}

func among(c *chooser, all present.Text, names []string, word func(string) string) {
	options := []option{{name: tr(all)}}
	for _, n := range names {
		options = append(options, option{key: n, name: word(n)})
	}
	chosen := c.chosen
	if !slices.Contains(names, chosen) {
		chosen = ""
	}
	c.offer(options, chosen)
	c.Hidden = len(names) < 2
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
	filtered := func(string) { a.drawCalls() }
	a.client, a.project = a.w.newChooser(nil, "", filtered), a.w.newChooser(nil, "", filtered)
	a.outcome = a.w.newChooser(nil, "", filtered)
	a.filters = row(wide(148, a.client), wide(148, a.project), wide(148, a.outcome))
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
	var usage api.Usage
	var settings map[string]any
	a.w.gather(func(err error) {
		if err != nil {
			return // the banner reports the lost connection
		}
		a.all = all
		on, known := settings[keyActivity].(bool)
		kept, _ := settings[keyKept].(bool)
		a.off = known && !on
		a.used.set(present.Used(usage, a.w.now()))
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
	}, get(wire.MethodSettingsGet, &settings), get(wire.MethodUsage, &usage), get(wire.MethodActivity, &all))
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
	var mine []api.Activity
	var clients, projects, outcomes []string
	note := func(list []string, s string) []string {
		if s == "" || slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	for _, c := range a.all {
		if (c.Client == "") == indexing {
			mine = append(mine, c)
			clients, projects = note(clients, c.Client), note(projects, c.Project)
			outcomes = note(outcomes, string(present.Outcome(c)))
		}
	}
	among(a.client, "All editors", clients, present.Client)
	among(a.project, "All projects", projects, baseName)
	among(a.outcome, "All outcomes", outcomes, func(s string) string { return tr(present.Text(s)) })
	not := func(by *chooser, value string) bool { return by.chosen != "" && value != by.chosen }
	mine = slices.DeleteFunc(mine, func(c api.Activity) bool {
		return not(a.client, c.Client) || not(a.project, c.Project) || not(a.outcome, string(present.Outcome(c)))
	})
	before := a.chosen()
	a.rows = nil
	for _, calls := range present.Fold(mine) {
		if day := present.Day(calls[0].Time, a.w.now()); len(a.rows) == 0 || day != a.rows[len(a.rows)-1].day {
			a.rows = append(a.rows, entryRow{day: day})
		}
		a.rows = append(a.rows, entryRow{a.rows[len(a.rows)-1].day, calls})
	}
	if s := a.w.sheet; s != nil && s.from == a.callList { // keep the highlight on its entry
		s.row = slices.IndexFunc(a.rows, func(r entryRow) bool {
			return before != nil && r.calls != nil && r.calls[len(r.calls)-1].Time.Equal(before[len(before)-1].Time)
		})
		a.callList.at = s.row
	}
	a.used.box.Hidden = indexing || a.used.text == ""
	for i, c := range []*chooser{a.client, a.project, a.outcome} {
		a.filters.Objects[i].(*fyne.Container).Hidden = c.Hidden // hide the parent too, because it has a width
	}
	a.filters.Hidden = a.client.Hidden && a.project.Hidden && a.outcome.Hidden
	a.head.Hidden = a.used.box.Hidden && a.filters.Hidden
	a.callList.Refresh()
	a.showNone(indexing)
	a.w.relayout()
}

func (a *activity) chosen() []api.Activity {
	s := a.w.sheet
	if s == nil || s.from != a.callList || s.row < 0 || s.row >= len(a.rows) {
		return nil
	}
	return a.rows[s.row].calls
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
func (a *activity) refresh() {}

func (a *activity) shown() {
	if a.view == viewLog {
		turn(a.stack, a.log.box)
		a.log.fetch()
	} else {
		turn(a.stack, a.callBox)
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

package ui

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// activity is the third page: what was asked and what it was worth, what happened to the indexes, who is connected, the
// log.
type activity struct {
	w     *Window
	view  present.Text
	tabs  *segments
	stack *fyne.Container
	root  fyne.CanvasObject

	all      []api.Activity   // as the app gave them
	calls    [][]api.Activity // those of the view and the filters, folded
	worth    *text
	measure  *text
	client   *chooser
	project  *chooser
	filters  *fyne.Container // the two of them
	head     *fyne.Container
	callList *pickList
	callBox  fyne.CanvasObject
	noCalls  *fyne.Container
	keeping  *flip // whether anything is noted
	onDisk   *flip // whether that is kept for a week
	where    *text // where it is kept
	sessions []Session
	people   *pickList
	log      *logView
}

// The views of the page, as they are shown.
const (
	viewCalls    present.Text = "Requests"
	viewIndexing present.Text = "Indexing"
	viewPeople   present.Text = "Connected"
	viewLog      present.Text = "Log"
)

func newActivity(w *Window) *activity {
	a := &activity{w: w, view: viewCalls, stack: container.NewStack(), log: newLogView(w)}
	a.buildCalls()
	a.buildPeople()
	a.tabs = newSegments([]present.Text{viewCalls, viewIndexing, viewPeople, viewLog}, viewCalls, func(v present.Text) {
		a.view = v
		a.shown()
	})
	a.root = frame(tr("Activity"), nil, container.New(gapBorder{gapSmall}, container.NewHScroll(a.tabs.box), a.stack))
	return a
}

// among has a choice offer everything, or one name of those that there are, said by word; with fewer than two there is
// nothing to choose.
func among(c *chooser, all present.Text, names []string, word func(string) string) {
	options := []option{{name: tr(all)}}
	for _, n := range names {
		options = append(options, option{key: n, name: word(n)})
	}
	chosen := c.chosen
	if !slices.Contains(names, chosen) {
		chosen = ""
	}
	c.set(options, chosen)
	c.Hidden = len(names) < 2
}

func (a *activity) buildCalls() {
	a.callList = newPickList(callHeight, func() int { return len(a.calls) },
		func() fyne.CanvasObject { return newCallRow() },
		func(i int, o fyne.CanvasObject) { o.(*callRow).set(present.CallOf(a.calls[i], a.w.home, a.w.now())) })
	a.callList.lined = true
	a.callList.moved = a.show
	a.noCalls = container.NewStack()
	a.worth, a.measure = plain(""), caption(tr(present.WorthMeasure))
	filtered := func(string) { a.drawCalls() }
	a.client, a.project = a.w.newChooser(nil, "", filtered), a.w.newChooser(nil, "", filtered)
	a.filters = row(wide(172, a.client), wide(172, a.project))
	a.head = column(gapSmall, column(2, a.worth, a.measure), a.filters)
	a.keeping = newFlip("Record activity")
	a.keeping.Checked = true
	a.onDisk = newFlip("Keep it for seven days")
	a.where = caption("")
	foot := column(0, row(a.keeping, a.onDisk), pad(0, 0, gapSmall, 0, a.where))
	a.callBox = container.NewBorder(a.head, foot, nil, nil, container.NewStack(a.callList, a.noCalls))
}

// Settings that switch the noting off, and the keeping on disk on, as the app names them.
const (
	keyActivity = "activity"
	keyKept     = "activityKept"
)

// keep changes one of them. What was noted or kept is forgotten with a no.
func (a *activity) keep(key string) func(bool) {
	return func(on bool) {
		later(a.w, func(ctx context.Context, b Backend) (map[string]any, error) {
			return b.SetSettings(ctx, map[string]any{key: on})
		}, func(_ map[string]any, err error) {
			a.w.failed(err)
			a.shown()
		})
	}
}

// noted is what happened, what it was worth, and whether it is noted and kept at all.
type noted struct {
	all      []api.Activity
	today    api.Today
	settings map[string]any
}

func (a *activity) fetch() {
	later(a.w, func(ctx context.Context, b Backend) (v noted, err error) {
		if v.settings, err = b.Settings(ctx); err == nil {
			v.today, err = b.Today(ctx)
		}
		if err == nil {
			v.all, err = b.Activity(ctx)
		}
		return v, err
	}, func(v noted, err error) {
		if err != nil {
			return // the banner says that there is no connection
		}
		a.all = v.all
		on, known := v.settings[keyActivity].(bool)
		on = on || !known
		kept, can := v.settings[keyKept].(bool)
		a.check(a.keeping, on, keyActivity)
		a.check(a.onDisk, kept && on, keyKept)
		a.onDisk.Hidden = !can
		if on {
			a.onDisk.Enable()
		} else {
			a.onDisk.Disable()
		}
		a.worth.set(present.Worth(v.today))
		a.where.set(tr("In memory on this computer only, gone when Search MCP quits."))
		if kept && on {
			a.where.set(tr("On this computer only, in a file that only you can read."))
		}
		a.drawCalls()
	})
}

func (a *activity) check(c *flip, on bool, key string) {
	c.OnChanged = nil
	c.SetChecked(on)
	c.OnChanged = a.keep(key)
}

// drawCalls shows the entries of the view: calls have a client, what happens to indexes has none.
func (a *activity) drawCalls() {
	indexing := a.view == viewIndexing
	var mine []api.Activity
	var clients, projects []string
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
		}
	}
	among(a.client, "All editors", clients, present.Client)
	among(a.project, "All projects", projects, baseName)
	mine = slices.DeleteFunc(mine, func(c api.Activity) bool {
		return a.client.chosen != "" && c.Client != a.client.chosen || a.project.chosen != "" && c.Project != a.project.chosen
	})
	a.calls = present.Fold(mine)
	worth := !indexing && a.worth.value != ""
	a.worth.Hidden, a.measure.Hidden = !worth, !worth || !strings.Contains(a.worth.value, "·")
	for i, c := range []*chooser{a.client, a.project} {
		a.filters.Objects[i].(*fyne.Container).Hidden = c.Hidden // else it keeps its place
	}
	a.filters.Hidden = a.client.Hidden && a.project.Hidden
	a.head.Hidden = !worth && a.filters.Hidden
	a.callList.Refresh()
	a.showNone(indexing)
	a.w.relayout()
}

func (a *activity) showNone(indexing bool) {
	a.noCalls.Hide()
	if len(a.calls) > 0 {
		return
	}
	why := present.Text("No questions yet. What your editors ask appears here.")
	switch {
	case !a.keeping.Checked:
		why = "Recording is off."
	case indexing:
		why = "Nothing was indexed since Search MCP was started. What is indexed and updated appears here."
	}
	a.noCalls.Objects = []fyne.CanvasObject{container.NewCenter(container.New(fixed{width: 420}, centredText(why)))}
	a.noCalls.Show()
}

func baseName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// show says beside the list what is known of an entry.
func (a *activity) show(i int) {
	calls, now := a.calls[i], a.w.now()
	c := calls[0]
	v := present.CallOf(calls, a.w.home, now)
	s := &sheet{title: v.Lead, still: true, body: column(gapGroup, factList(present.CallFacts(c, a.w.home, now))),
		from: a.callList, row: i}
	if source := sourceOf(c); source != "" && c.Query != "" {
		s.buttons = []fyne.CanvasObject{primary("Search again", func() {
			a.w.pages[PageSearch].(*search).ask(source, c.Project, c.Query)
		})}
	}
	a.w.open(s)
}

// sourceOf is where a call looked, "" if it looked nowhere.
func sourceOf(c api.Activity) present.Source {
	return map[string]present.Source{"search_code": present.SourceCode, "search_docs": present.SourceDocuments,
		"search_by_path": present.SourceFiles}[c.Tool]
}

func (a *activity) buildPeople() {
	a.people = newPickList(callHeight, func() int { return len(a.sessions) },
		func() fyne.CanvasObject { return newCallRow() },
		func(i int, o fyne.CanvasObject) {
			s := a.sessions[i]
			detail := tr("since %s", present.Clock(s.Since, a.w.now()))
			if s.Project != "" {
				detail = present.Home(s.Project, a.w.home) + " · " + detail
			}
			o.(*callRow).set(present.Call{Lead: present.Client(s.Client), Detail: detail,
				Result: present.Count(s.Calls, "request")})
		})
	a.people.lined = true
	a.people.stops = func(int) bool { return false }
}

func (a *activity) content() fyne.CanvasObject { return a.root }
func (a *activity) refresh()                   {}

// shown fetches what the chosen view shows.
func (a *activity) shown() {
	switch a.view {
	case viewPeople:
		a.stack.Objects = []fyne.CanvasObject{a.people}
		later(a.w, func(ctx context.Context, b Backend) ([]Session, error) { return b.Sessions(ctx) },
			func(s []Session, err error) {
				if err == nil {
					a.sessions = s
					a.people.Refresh()
				}
			})
	case viewLog:
		a.stack.Objects = []fyne.CanvasObject{a.log.box}
		a.log.fetch()
	default:
		a.stack.Objects = []fyne.CanvasObject{a.callBox}
		a.drawCalls()
		a.fetch()
	}
	a.stack.Refresh()
}

// callRow is an entry of the activity: the time, what was asked above who asked it, and what came of it, on one
// baseline.
type callRow struct {
	widget.BaseWidget
	when, lead, detail, result *text
}

func newCallRow() *callRow {
	r := &callRow{when: caption(""), lead: strong(""), detail: muted(""), result: caption2("")}
	r.ExtendBaseWidget(r)
	return r
}

func (r *callRow) set(c present.Call) {
	r.when.set(c.Time)
	r.lead.set(c.Lead)
	r.lead.style.Bold = !c.Routine && !c.Plain
	r.lead.setColor(theme.ColorNameForeground)
	if c.Routine {
		r.lead.setColor(colorMuted)
	}
	r.lead.Refresh()
	r.detail.set(c.Detail)
	r.result.set(c.Result)
	r.result.setColor(colorMuted)
	if c.Failed {
		r.result.setColor(theme.ColorNameWarning)
	}
	r.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *callRow) CreateRenderer() fyne.WidgetRenderer { return &callRowRenderer{r} }

type callRowRenderer struct{ r *callRow }

// The measures of an entry: its height, the column of times, which holds a date, and what the list's scroll bar takes
// at the right.
const (
	callHeight = 52
	callTime   = 96
	callEnd    = 16
)

func (x *callRowRenderer) Destroy()           {}
func (x *callRowRenderer) MinSize() fyne.Size { return fyne.NewSize(240, callHeight) }
func (x *callRowRenderer) Refresh()           { x.Layout(x.r.Size()) }
func (x *callRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{x.r.when, x.r.lead, x.r.detail, x.r.result}
}

func (x *callRowRenderer) Layout(size fyne.Size) {
	r := x.r
	h := r.lead.MinSize().Height
	first, second := size.Height/2-h, size.Height/2+1
	left := float32(4)
	if r.when.value != "" {
		small := first + baseline(r.lead) - baseline(r.when)
		r.when.Move(fyne.NewPos(left, small))
		r.when.Resize(fyne.NewSize(callTime-gapSmall, r.when.MinSize().Height))
		left += callTime
	}
	end := size.Width - callEnd
	result := r.result.MinSize()
	r.result.Move(fyne.NewPos(end-result.Width, first+baseline(r.lead)-baseline(r.result)))
	r.result.Resize(result)
	r.lead.Move(fyne.NewPos(left, first))
	r.lead.Resize(fyne.NewSize(max(0, end-result.Width-gapGroup-left), h))
	r.detail.Move(fyne.NewPos(left, second))
	r.detail.Resize(fyne.NewSize(max(0, end-left), h))
}

// baseline is how far below its top a text stands.
func baseline(t *text) float32 {
	_, b := fyne.CurrentApp().Driver().RenderedTextSize("Mg", t.Theme().Size(t.size), t.style, nil)
	return b
}

package ui

import (
	"context"
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// logLines is how much of the log is shown: a day of ordinary use.
const logLines = 500

// activity is the third page: who asked what, what happened to the indexes, who is connected, the log.
type activity struct {
	w     *Window
	view  present.Text
	tabs  *segments
	stack *fyne.Container
	root  fyne.CanvasObject

	all       []api.Activity // as the app gave them
	calls     []api.Activity // those of the view
	callList  *widget.List
	callBox   fyne.CanvasObject
	noCalls   *fyne.Container
	keeping   *widget.Check // whether anything is noted
	sessions  []Session
	people    *widget.List
	peopleBox fyne.CanvasObject

	lines  []string
	shownL []string
	filter *entry
	level  *widget.Select
	log    *widget.List
	logBox fyne.CanvasObject
}

// The views of the page, as they are shown.
const (
	viewCalls    present.Text = "Requests"
	viewIndexing present.Text = "Indexing"
	viewPeople   present.Text = "Connected"
	viewLog      present.Text = "Log"
)

func newActivity(w *Window) *activity {
	a := &activity{w: w, view: viewCalls, stack: container.NewStack()}
	a.buildCalls()
	a.buildPeople()
	a.buildLog()
	a.tabs = newSegments([]present.Text{viewCalls, viewIndexing, viewPeople, viewLog}, viewCalls, func(v present.Text) {
		a.view = v
		a.shown()
	})
	a.root = frame(tr("Activity"), nil, container.New(gapBorder{gapSmall}, a.tabs.box, a.stack))
	return a
}

func (a *activity) buildCalls() {
	a.callList = widget.NewList(func() int { return len(a.calls) },
		func() fyne.CanvasObject {
			when := newText("", theme.SizeNameCaptionText, colorMuted)
			when.elide = true
			first := container.NewBorder(nil, nil, nil, wide(168, alignedRight("")), strong(""))
			return pad(4, 4, 4, 4, container.NewBorder(nil, nil, wide(88, when), nil, column(2, first, muted(""))))
		},
		func(i widget.ListItemID, o fyne.CanvasObject) {
			c := present.CallOf(a.calls[i], a.w.now())
			row := o.(*fyne.Container).Objects[0].(*fyne.Container)
			body := row.Objects[0].(*fyne.Container)
			first := body.Objects[0].(*fyne.Container)
			result := first.Objects[1].(*fyne.Container).Objects[0].(*text)
			row.Objects[1].(*fyne.Container).Objects[0].(*text).set(c.Time)
			head := c.What
			if a.calls[i].Client != "" {
				head = c.Client + " · " + c.What
			}
			first.Objects[0].(*text).set(head)
			result.set(c.Result)
			if c.Failed {
				result.setColor(theme.ColorNameWarning)
			} else {
				result.setColor(colorMuted)
			}
			body.Objects[1].(*text).set(c.Query)
		})
	a.callList.OnSelected = func(i widget.ListItemID) {
		a.callList.UnselectAll()
		if q := a.calls[i].Query; q != "" {
			a.again(a.calls[i])
		}
	}
	a.noCalls = container.NewStack()
	a.keeping = widget.NewCheck(tr("Note what happens"), nil)
	a.keeping.Checked = true
	foot := container.NewBorder(nil, nil, a.keeping, nil,
		centred(caption(tr("In memory on this computer only, gone when Search MCP ends. A click repeats a search."))))
	a.callBox = container.NewBorder(nil, foot, nil, nil, container.NewStack(a.callList, a.noCalls))
}

// keyActivity is the setting that switches the noting off, as the app names it.
const keyActivity = "activity"

// keep switches the noting on or off. What was noted is forgotten with it.
func (a *activity) keep(on bool) {
	later(a.w, func(ctx context.Context, b Backend) (map[string]any, error) {
		return b.SetSettings(ctx, map[string]any{keyActivity: on})
	}, func(_ map[string]any, err error) {
		a.w.failed(err)
		a.shown()
	})
}

// activityAndSetting is what happened, and whether it is noted at all.
type activityAndSetting struct {
	all  []api.Activity
	kept bool
}

func (a *activity) fetch() {
	later(a.w, func(ctx context.Context, b Backend) (v activityAndSetting, err error) {
		settings, err := b.Settings(ctx)
		if err != nil {
			return v, err
		}
		on, known := settings[keyActivity].(bool)
		v.kept = on || !known
		v.all, err = b.Activity(ctx)
		return v, err
	}, func(v activityAndSetting, err error) {
		if err != nil {
			return // the banner says that there is no connection
		}
		a.all = v.all
		a.keeping.OnChanged = nil
		a.keeping.SetChecked(v.kept)
		a.keeping.OnChanged = a.keep
		a.drawCalls()
	})
}

// drawCalls shows the entries of the view: calls have a client, what happens to indexes has none.
func (a *activity) drawCalls() {
	a.calls = nil
	for _, c := range a.all {
		if (c.Client == "") == (a.view == viewIndexing) {
			a.calls = append(a.calls, c)
		}
	}
	a.callList.Refresh()
	a.noCalls.Hide()
	if len(a.calls) > 0 {
		return
	}
	why := present.Text("Nothing was asked yet. What your editors ask appears here.")
	switch {
	case !a.keeping.Checked:
		why = "Nothing is noted at the moment."
	case a.view == viewIndexing:
		why = "Nothing has happened since Search MCP was started. What is indexed and updated appears here."
	}
	a.noCalls.Objects = []fyne.CanvasObject{container.NewCenter(container.New(fixed{width: 420}, centredText(why)))}
	a.noCalls.Show()
}

// again repeats a call on the search page.
func (a *activity) again(c api.Activity) {
	source := map[string]present.Source{"search_code": present.SourceCode, "search_docs": present.SourceDocuments,
		"search_by_path": present.SourceFiles}[c.Tool]
	if source != "" {
		a.w.pages[PageSearch].(*search).ask(source, c.Project, c.Query)
	}
}

func (a *activity) buildPeople() {
	a.people = widget.NewList(func() int { return len(a.sessions) },
		func() fyne.CanvasObject {
			return pad(4, 4, 4, 4, column(2, container.NewBorder(nil, nil, nil, wide(168, alignedRight("")),
				strong("")), muted("")))
		},
		func(i widget.ListItemID, o fyne.CanvasObject) {
			s := a.sessions[i]
			row := o.(*fyne.Container).Objects[0].(*fyne.Container)
			first := row.Objects[0].(*fyne.Container)
			first.Objects[0].(*text).set(present.Client(s.Client))
			first.Objects[1].(*fyne.Container).Objects[0].(*text).set(present.Count(s.Calls, "request"))
			detail := tr("since %s", present.Clock(s.Since, a.w.now()))
			if s.Project != "" {
				detail = present.Home(s.Project, a.w.home) + " · " + detail
			}
			row.Objects[1].(*text).set(detail)
		})
	a.people.OnSelected = func(widget.ListItemID) { a.people.UnselectAll() }
	a.peopleBox = a.people
}

func (a *activity) buildLog() {
	a.filter = a.w.newEntry("", nil)
	a.filter.SetPlaceHolder(tr("Filter"))
	a.filter.OnChanged = func(string) { a.drawLog() }
	a.level = widget.NewSelect([]string{tr("Everything"), tr("Warnings"), tr("Errors")}, nil)
	a.level.SetSelectedIndex(0)
	a.level.OnChanged = func(string) { a.shown() }
	a.log = widget.NewList(func() int { return len(a.shownL) },
		func() fyne.CanvasObject {
			t := newText("", theme.SizeNameCaptionText, theme.ColorNameForeground)
			t.style.Monospace, t.elide = true, true
			return pad(2, 2, 4, 4, t)
		},
		func(i widget.ListItemID, o fyne.CanvasObject) {
			t := o.(*fyne.Container).Objects[0].(*text)
			line := a.shownL[i]
			switch present.Level(line) {
			case "WARN", "ERROR":
				t.setColor(theme.ColorNameWarning)
			case "DEBUG":
				t.setColor(colorMuted)
			default:
				t.setColor(theme.ColorNameForeground)
			}
			t.set(line)
		})
	a.log.HideSeparators = true
	a.log.OnSelected = func(i widget.ListItemID) {
		a.log.UnselectAll()
		line := a.shownL[i]
		a.w.open(&sheet{title: tr("Log line"), body: prose(line),
			buttons: []fyne.CanvasObject{primary("Copy", func() { a.w.copy(line) })}})
	}
	head := container.NewBorder(nil, nil, wide(152, a.level), newButton("Copy for a bug report", a.report), a.filter)
	a.logBox = container.New(gapBorder{gapSmall}, head, a.log)
}

func (a *activity) content() fyne.CanvasObject { return a.root }
func (a *activity) refresh()                   {}

// shown fetches what the chosen view shows.
func (a *activity) shown() {
	switch a.view {
	case viewPeople:
		a.stack.Objects = []fyne.CanvasObject{a.peopleBox}
		later(a.w, func(ctx context.Context, b Backend) ([]Session, error) { return b.Sessions(ctx) }, func(s []Session, err error) {
			if err == nil {
				a.sessions = s
				a.people.Refresh()
			}
		})
	case viewLog:
		a.stack.Objects = []fyne.CanvasObject{a.logBox}
		level := []string{"", "WARN", "ERROR"}[max(0, a.level.SelectedIndex())]
		later(a.w, func(ctx context.Context, b Backend) ([]string, error) { return b.Logs(ctx, "", logLines, level) }, func(l []string, err error) {
			if err == nil {
				a.lines = l
				a.drawLog()
			}
		})
	default:
		a.stack.Objects = []fyne.CanvasObject{a.callBox}
		a.drawCalls()
		a.fetch()
	}
	a.stack.Refresh()
}

func (a *activity) drawLog() {
	a.shownL = present.Filter(a.lines, a.filter.Text)
	a.log.Refresh()
	a.log.ScrollToBottom()
}

// report copies the self-examination and the log as they are filtered.
func (a *activity) report() {
	lines := a.shownL
	later(a.w, func(ctx context.Context, b Backend) ([]api.Finding, error) { return b.Doctor(ctx) }, func(f []api.Finding, err error) {
		if err != nil {
			f = append(f, api.Finding{Subject: "self-examination", Text: err.Error()})
		}
		a.w.copy(present.Report(a.w.model.Version, runtime.GOOS+"/"+runtime.GOARCH, f, lines, a.w.home))
	})
}

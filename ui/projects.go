package ui

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/icons"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

const rowHeight = 60

type projects struct {
	w           *Window
	all         []present.Row
	rows        []present.Row
	filter      *widget.Entry // shown if there are many projects
	list        *widget.List
	empty       fyne.CanvasObject
	problems    *fyne.Container
	wrong       string // text of problems at the last draw
	none        fyne.CanvasObject
	total       *widget.Text
	used        *fyne.Container
	said        string          // text in used at the last draw
	next, first *fyne.Container // contain the first steps, above the list and on the empty page
	shape       string          // shape of the steps at the last draw
	looked      bool
	connected   bool
	add         *widget.Button
	root        fyne.CanvasObject
}

func newProjects(w *Window) *projects {
	p := &projects{w: w, total: widget.Caption(""), used: container.NewStack()}
	p.list = widget.NewList(rowHeight, func() int { return len(p.rows) },
		func() fyne.CanvasObject { return newProjectRow(w) },
		func(i int, o fyne.CanvasObject) {
			o.(*projectRow).set(p.rows[i], i == p.list.At && w.sheet != nil && w.sheet.from == p.list)
		})
	p.list.Menu = func(o fyne.CanvasObject) { o.(*projectRow).menu() }
	p.list.Moved = func(i int) { w.detailsOf(p.rows[i].ID, true) }
	p.next, p.first = container.NewStack(), container.NewStack(stepsCard(p.steps()))
	welcome := widget.Heading(tr("Let your assistant search your code"))
	welcome.Align = fyne.TextAlignCenter
	p.empty = container.New(widget.Within(520), widget.Column(widget.GapGroup,
		container.NewCenter(container.New(widget.Sized{Width: 56, Height: 56},
			fynewidget.NewIcon(fyne.NewStaticResource("app.png", icons.App)))),
		widget.Column(widget.GapSmall, welcome, centredText("It all stays on this computer.")),
		p.first, centredCaption("Or drop a folder onto this window.")))
	p.add = newButton("Add folder", w.addFolder).With(theme.ContentAddIcon())
	p.next.Hide()
	p.filter = w.newEntry("", func() { p.filter.SetText("") })
	p.filter.SetPlaceHolder(tr("Filter projects"))
	p.filter.OnChanged = func(string) { p.refresh() }
	p.filter.Hide()
	p.none = container.NewCenter(centredText("No project matches."))
	p.none.Hide()
	p.problems = widget.Column(widget.GapGroup)
	p.problems.Hide()
	top, below := widget.Column(widget.GapSmall, p.problems, p.next, p.filter),
		widget.Column(widget.GapSmall, p.used, p.total)
	// These objects are in Tab order.
	p.root = widget.Frame(tr("Projects"), p.add, container.New(layout.NewBorderLayout(top, below, nil, nil),
		top, container.NewStack(p.list.InMargin(), p.none, p.empty), below))
	return p
}

func centredText(s present.Text, args ...any) fyne.CanvasObject {
	t := widget.NewParagraph("", widget.ColorMuted)
	t.Style.Alignment = fyne.TextAlignCenter
	t.Set(tr(s, args...))
	return t.Box
}

func centredCaption(s present.Text) fyne.CanvasObject {
	t := widget.Caption(tr(s))
	t.Align = fyne.TextAlignCenter
	return t
}

func (p *projects) content() fyne.CanvasObject { return p.root }

func (p *projects) field() *widget.Entry {
	if !p.filter.Visible() {
		return nil
	}
	return p.filter
}

func (p *projects) shown() {
	p.filter.SetText("")
	p.refresh()
	p.w.fetch()
	p.lookForEditors()
	if p.w.roomy() && len(p.rows) > 0 && p.w.sheet == nil {
		p.w.detailsOf(p.rows[0].ID, true)
	}
}

func (p *projects) drawUsed() {
	u, now := p.w.model.Usage, p.w.now()
	used, opened := present.Used(u, now), present.Opened(u, now)
	if said := present.Join(used, opened); said != p.said {
		p.said, p.used.Objects = said, nil
		if said != "" {
			today := widget.Caption(used)
			today.Split = present.Separator
			lines := widget.Column(2, today)
			if opened != "" {
				lines.Add(widget.Caption(opened))
			}
			p.used.Objects = []fyne.CanvasObject{container.NewBorder(nil, nil, nil,
				chart(present.Searches(u, "", now)), widget.Centred(lines))}
		}
		p.w.relayout()
	}
}

func (p *projects) lookForEditors() {
	aside(p.w, p.w.opts.Desktop.Editors, func(known []connect.Status, err error) {
		none := err == nil && !slices.ContainsFunc(known, func(e connect.Status) bool {
			return e.State == connect.Connected || e.State == connect.Outdated
		})
		request(p.w, wire.MethodSessions, wire.Empty{}, func(now []wire.Session, _ error) {
			p.looked, p.connected = true, !none || slices.ContainsFunc(now, ofEditor)
			p.refresh()
		})
	})
}

const (
	prefIgnored = "questions.ignored"
	ignoredTime = time.Hour
)

func (w *Window) ignored(e api.Event) {
	if q := e.Question; e.Kind == api.EventAnswered && e.Answer == api.TimedOut && q.Action == api.ActionCreate {
		prefs := w.app.Preferences()
		prefs.SetStringList(prefIgnored, append(prefs.StringList(prefIgnored),
			strings.Join([]string{w.now().Format(time.RFC3339), q.Project, q.Client}, "\t")))
	}
}

func (w *Window) unanswered() (rows []present.Row) {
	for _, line := range slices.Backward(w.app.Preferences().StringList(prefIgnored)) {
		x := strings.Split(line, "\t")
		at, err := time.Parse(time.RFC3339, x[0])
		if len(x) != 3 || err != nil || w.now().Sub(at) > ignoredTime ||
			slices.ContainsFunc(rows, func(r present.Row) bool { return r.Root == x[1] }) {
			continue
		}
		if p, known := w.model.Project(x[1]); !known || p.State == api.StateNotIndexed {
			rows = append(rows, present.Unanswered(x[1], x[2], at, w.home, w.now()))
		}
	}
	return rows
}

func (p *projects) refresh() {
	p.all = p.w.unanswered()
	own := p.w.model.Rows(p.w.home, p.w.now())
	p.all = append(p.all, slices.DeleteFunc(own, func(r present.Row) bool {
		return slices.ContainsFunc(p.all, func(x present.Row) bool { return x.Root == r.Root })
	})...)
	many := len(p.all) >= projectFilterFrom
	rows := p.all
	if many {
		rows = present.Filter(p.all, p.filter.Text, func(r present.Row) string { return r.Name + "\n" + r.Root })
	}
	before := p.rows
	p.rows = rows
	changed := !slices.Equal(rows, before)
	if changed {
		p.w.follow(p.list, func(was int) int {
			return slices.IndexFunc(rows, func(r present.Row) bool { return r.ID == before[was].ID })
		})
	}
	p.showProblems()
	if many != p.filter.Visible() {
		p.filter.Hidden = !many
		p.w.relayout()
	}
	p.none.(*fyne.Container).Hidden = len(rows) > 0 || len(p.all) == 0
	if len(p.all) == 0 && p.w.model.Connected {
		p.empty.Show()
		p.add.Hide() // the empty page has the same button
	} else {
		p.empty.Hide()
		p.add.Show()
	}
	p.used.Hidden = len(p.all) == 0
	p.drawUsed()
	p.drawSteps()
	total := present.Total(p.w.model.Projects())
	if len(rows) < len(p.all) {
		total = tr("%s of %s", present.Number(len(rows)), present.Count(len(p.all), "project"))
	}
	p.total.Set(total)
	if changed {
		p.list.Refresh()
	}
}

const projectFilterFrom = 10

func (p *projects) showProblems() {
	var objects []fyne.CanvasObject
	said := ""
	if p.w.model.Connected {
		for _, e := range p.w.model.Problems {
			v := present.ProblemOfError(e)
			v.Label = "Check everything"
			said += v.Happened + v.Detail
			objects = append(objects, p.w.problemBox(v, p.w.examine))
		}
	}
	if said == p.wrong {
		return
	}
	p.wrong, p.problems.Objects = said, objects
	p.problems.Hidden = len(objects) == 0
	p.w.relayout()
}

type projectRow struct {
	fynewidget.BaseWidget
	w                *Window
	row              present.Row
	mark             *fynewidget.Icon
	name, path, line *widget.Text
	bar              *widget.Bar
	action           *widget.Button
	more             *rowMenu
	box              *fyne.Container
}

// rowMenu is the menu button of a row. Tab skips it, because the list opens the menu of the highlighted row by
// keyboard.
type rowMenu struct{ widget.Button }

// FocusGained hides the button's method of the same name, so that Fyne does not treat a rowMenu as focusable.
func (*rowMenu) FocusGained(never struct{}) {}

func newProjectRow(w *Window) *projectRow {
	r := &projectRow{w: w, mark: fynewidget.NewIcon(nil), name: widget.Strong(""), path: widget.Muted(""),
		line: widget.Muted(""), bar: widget.NewBar()}
	r.line.Split = present.Separator
	r.action = newButton("Review", func() {
		if r.row.Action == present.DoAdd {
			w.addPath(r.row.Root)
			return
		}
		w.perform(r.row.Action, r.row.ID)
	})
	r.more = &rowMenu{widget.Button{OnTapped: r.menu, Icon: theme.MoreHorizontalIcon(), Tone: widget.ToneTool}}
	r.more.ExtendBaseWidget(r.more)
	r.box = markedRow(container.New(widget.Sized{Width: 16, Height: 16}, r.mark),
		widget.Column(2, container.New(widget.Beside{}, r.name, r.path), r.line, r.bar), r.action, r.more)
	r.ExtendBaseWidget(r)
	return r
}

// alsoBeside are the actions that a row omits while the project's details, which have them too, are open.
var alsoBeside = []present.Do{present.DoLocate, present.DoReindex, present.DoOpen}

func (r *projectRow) set(row present.Row, chosen bool) {
	r.row = row
	setMark(r.mark, row.Mark)
	r.name.Set(row.Name)
	r.path.Set(row.Path)
	r.line.Set(present.Join(row.Line, row.Rest))
	r.line.SetColor(shown(row.Urgent))
	r.bar.Set(row.Progress)
	r.bar.Hidden = row.Progress < 0
	r.action.Hidden = row.Action == present.DoNone || chosen && slices.Contains(alsoBeside, row.Action)
	r.action.Set(tr(row.Label), nil)
	r.action.As(map[bool]widget.Tone{true: widget.ToneRow, false: widget.ToneOrdinary}[chosen])
	r.box.Refresh()
}

func (r *projectRow) menu() {
	widget.ShowMenu(r.w.projectMenu(r.row.ID), r.more)
}

func (r *projectRow) CreateRenderer() fyne.WidgetRenderer { return fynewidget.NewSimpleRenderer(r.box) }

func (w *Window) perform(do present.Do, id string) {
	p, ok := w.model.Project(id)
	if !ok {
		return
	}
	switch do {
	case present.DoOpen:
		w.details(id)
	case present.DoReview:
		w.asking.refresh()
	case present.DoResume:
		order(w, wire.MethodResume, reference(p))
	case present.DoCancel:
		if p.Progress != nil {
			order(w, wire.MethodCancel, wire.CancelJob{JobID: p.Progress.JobID})
		}
	case present.DoIndex:
		w.addPath(p.Root())
	case present.DoReindex:
		w.reindex(p)
	case present.DoLocate:
		w.chooseFolder(func(dir string) {
			order(w, wire.MethodLocate, wire.RootChange{Project: p.Root(), Dir: dir})
		})
	case present.DoReveal:
		w.reveal(p.Root())
	}
}

func (w *Window) projectMenu(id string) *fyne.Menu {
	p, ok := w.model.Project(id)
	if !ok {
		return fyne.NewMenu("")
	}
	pause := fyne.NewMenuItem(tr("Pause"), func() { order(w, wire.MethodPause, reference(p)) })
	if p.State == api.StatePaused {
		pause = fyne.NewMenuItem(tr("Resume"), func() { w.perform(present.DoResume, id) })
	}
	there := p.State != api.StateOffline
	items := []*fyne.MenuItem{
		fyne.NewMenuItem(tr("Details"), func() { w.details(id) }),
		fyne.NewMenuItem(tr("Search in it"), func() { w.Go(PageSearch, id) }),
	}
	if there {
		items = append(items, fyne.NewMenuItem(tr("Show in file manager"), func() { w.reveal(p.Root()) }))
	}
	items = append(items, fyne.NewMenuItemSeparator(), pause)
	if there {
		items = append(items, fyne.NewMenuItem(tr("Rebuild index…"), func() { w.reindex(p) }))
	}
	items = append(items,
		fyne.NewMenuItem(tr("Settings…"), func() { w.configure(p) }),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem(tr("Delete index…"), func() { w.remove(p) }),
	)
	return fyne.NewMenu("", items...)
}

func (w *Window) reindex(p api.Project) {
	w.closeSheet()
	request(w, wire.MethodPreview, reference(p), func(v api.Preview, err error) {
		if err != nil {
			w.failed(err)
			return
		}
		w.asking.ask(present.Own(api.ActionReindex, p, &v), func() { w.agreed(api.ActionReindex, p.Root()) })
	})
}

func (w *Window) remove(p api.Project) {
	w.closeSheet()
	w.asking.ask(present.Own(api.ActionDelete, p, nil), func() { w.agreed(api.ActionDelete, p.Root()) })
}

func (w *Window) reveal(path string) {
	w.attempt("The file manager can't be opened.", func() error { return w.opts.Desktop.Reveal(path) })
}

type step struct {
	does, label present.Text
	do          func() // nil if the user does it elsewhere
	done        bool
}

func (p *projects) steps() []step {
	asked := len(p.w.model.Usage.Last) > 0
	return []step{
		{"Add a folder", "Add folder", p.w.addFolder, len(p.all) > 0},
		{"Connect your editor", "Connect an editor…", func() { p.w.Go(PageEditors, "") }, asked || p.connected},
		{"Ask your assistant about the code", "", nil, asked},
	}
}

const stepHeight = 40

func stepsCard(steps []step) fyne.CanvasObject {
	var rows []fyne.CanvasObject
	next := true
	for i, s := range steps {
		var number, button fyne.CanvasObject = widget.NewKeyCap(string(rune('1' + i))), nil
		number.(*widget.KeyCap).Ground.Show()
		label := widget.Plain(tr(s.does))
		switch {
		case s.done:
			number = container.New(widget.Sized{Width: 20, Height: 20},
				fynewidget.NewIcon(theme.NewColoredResource(theme.ConfirmIcon(), widget.ColorReady)))
			label = widget.Muted(tr(s.does))
		case next:
			next, label = false, widget.Strong(tr(s.does))
			if s.do != nil {
				button = widget.Centred(primary(s.label, s.do))
			}
		}
		rows = append(rows, container.New(widget.Sized{Height: stepHeight}, container.NewBorder(nil, nil,
			widget.Centred(widget.Wide(32, widget.Row(number))), button, widget.Centred(label))))
	}
	return card(rows)
}

func (p *projects) drawSteps() {
	all := p.steps()
	shape, left := "", false
	for _, s := range all {
		left = left || !s.done
		shape += map[bool]string{true: "x", false: "-"}[s.done]
	}
	if !p.looked || !left || !p.w.model.Connected {
		shape = ""
	}
	if shape == p.shape {
		return
	}
	p.shape = shape
	p.next.Objects, p.first.Objects = nil, []fyne.CanvasObject{stepsCard(all)}
	if shape != "" && len(p.all) > 0 {
		p.next.Objects = []fyne.CanvasObject{stepsCard(all)}
	}
	p.next.Hidden = len(p.next.Objects) == 0
	p.w.relayout()
}

const (
	chartHeight = 36
	chartWidth  = 180
	chartGap    = 3
)

func chart(counts []int) fyne.CanvasObject {
	var bars []fyne.CanvasObject
	for i, n := range counts {
		c := widget.ColorTrack
		switch {
		case n > 0 && i == len(counts)-1:
			c = theme.ColorNamePrimary
		case n > 0:
			c = theme.ColorNameInputBorder
		}
		bars = append(bars, widget.NewFill(c, 2))
	}
	return container.New(chartLayout(counts), bars...)
}

type chartLayout []int

func (x chartLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	most := 1
	for _, n := range x {
		most = max(most, n)
	}
	width := (size.Width+chartGap)/float32(len(x)) - chartGap
	for i, n := range x {
		h := max(2, size.Height*float32(n)/float32(most))
		widget.Place(o[i], float32(i)*(width+chartGap), size.Height-h, width, h)
	}
}

func (chartLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(chartWidth, chartHeight)
}

func (w *Window) usedProject(root string) fyne.CanvasObject {
	counts := present.Searches(w.model.Usage, root, w.now())
	said := widget.Caption(present.UsedProject(counts))
	if slices.Max(counts) == 0 {
		return section("Searches", said)
	}
	return section("Searches", chart(counts), said)
}

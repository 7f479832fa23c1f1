package page

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

type Projects struct {
	w                  *Window
	all, Rows          []present.Row
	Filter             *widget.Entry
	List               *widget.List
	problems           *fyne.Container
	Total              *widget.Text
	used               *fyne.Container
	Next, first        *fyne.Container
	wrong, said, shape string
	looked, connected  bool
	Add                *widget.Button
	Empty, None, root  fyne.CanvasObject
}

func newProjects(w *Window) *Projects {
	p := &Projects{w: w, Total: widget.Caption(""), used: container.NewStack()}
	p.Total.Split = present.Separator
	p.List = widget.NewList(rowHeight, func() int { return len(p.Rows) },
		func() (fyne.CanvasObject, func(i int)) {
			r := NewProjectRow(w)
			return r, func(i int) { r.Set(p.Rows[i], i == p.List.At && w.Sheet != nil && w.Sheet.From == p.List) }
		})
	p.List.Menu = func(o fyne.CanvasObject) { o.(*ProjectRow).menu() }
	w.beside(p.List, func(i int) { w.detailsOf(p.Rows[i].ID, true) })
	p.Next, p.first = container.NewStack(), container.NewStack(stepsCard(p.steps(), nil))
	welcome := widget.Heading(tr("Let your assistant search your code"))
	drop := widget.Caption(tr("Or drop a folder onto this window."))
	welcome.Align, drop.Align = fyne.TextAlignCenter, fyne.TextAlignCenter
	p.Empty = container.New(widget.Within(520), widget.Column(widget.GapGroup,
		container.NewCenter(container.New(widget.Sized{Width: 56, Height: 56},
			fynewidget.NewIcon(fyne.NewStaticResource("app.png", icons.App)))),
		widget.Column(widget.GapSmall, welcome, centredText("It all stays on this computer.")),
		p.first, drop))
	p.Add = NewButton("Add folder", w.AddFolder).With(theme.ContentAddIcon())
	p.Next.Hide()
	p.Filter = w.newEntry("", func() { p.Filter.SetText("") })
	p.Filter.SetPlaceHolder(tr("Filter projects"))
	p.Filter.OnChanged = func(string) { p.Refresh() }
	p.Filter.Keys[fyne.KeyDown] = func() { w.ToList(&fyne.KeyEvent{Name: fyne.KeyDown}) }
	p.Filter.Hide()
	p.None = container.New(widget.Within(520), centredText("No project matches."))
	p.None.Hide()
	p.problems = widget.Column(widget.GapGroup)
	p.problems.Hide()
	top, below := widget.Column(widget.GapSmall, p.problems, p.Next, p.Filter),
		container.NewBorder(nil, nil, nil, p.used, widget.Centred(p.Total))
	// These objects are in Tab order.
	p.root = widget.Frame(tr("Projects"), p.Add, container.New(layout.NewBorderLayout(top, below, nil, nil),
		top, container.NewStack(p.List.InMargin(), p.None, p.Empty), below))
	return p
}

func centredText(s present.Text, args ...any) fyne.CanvasObject {
	t := widget.NewParagraph("", widget.ColorMuted)
	t.Style.Alignment = fyne.TextAlignCenter
	t.Set(tr(s, args...))
	return t.Box
}

func (p *Projects) Content() fyne.CanvasObject { return p.root }

func (p *Projects) field() *widget.Entry {
	if !p.Filter.Visible() {
		return nil
	}
	return p.Filter
}

func (p *Projects) Shown() {
	p.all = nil // only this page's opening sorts the rows again
	p.Filter.SetText("")
	p.Refresh()
	p.w.frame.Fetch()
	p.lookForEditors()
}

// Unfilter removes the filters that show only a deleted project.
func (w *Window) Unfilter(gone api.Project) {
	p, a := w.Pages[PageProjects].(*Projects), w.Pages[PageActivity].(*Activity)
	shown := func(r present.Row) bool { return r.ID != gone.ID }
	if p.Filter.Text != "" && !slices.ContainsFunc(p.Rows, shown) {
		p.Filter.SetText("")
	}
	for _, f := range a.By {
		if f.Chosen == gone.Root() {
			f.Choose("")
		}
	}
}

func (p *Projects) drawUsed() {
	counts := present.Searches(p.w.Model.Usage, "", p.w.Now())
	if fresh(&p.said, counts) {
		p.used.Objects = nil
		if slices.Max(counts) > 0 {
			p.used.Objects = []fyne.CanvasObject{widget.Row(widget.Centred(widget.WholeCaption(present.Today(counts))),
				chart(counts, totalWidth, totalHeight))}
		}
		p.w.Relayout()
	}
}

func (p *Projects) lookForEditors() {
	aside(p.w, p.w.Opts.Desktop.Editors, func(known []connect.Status, err error) {
		none := err == nil && !slices.ContainsFunc(known, func(e connect.Status) bool {
			return e.State == connect.Connected || e.State == connect.Outdated
		})
		Request(p.w, wire.MethodSessions, wire.Empty{}, func(now []wire.Session, _ error) {
			p.looked, p.connected = true, !none || slices.ContainsFunc(now, ofEditor)
			p.Refresh()
		})
	})
}

const (
	PrefIgnored = "questions.ignored"
	PrefSteps   = "steps.closed"
	IgnoredTime = time.Hour
)

func (w *Window) Ignored(e api.Event) {
	if q := e.Question; e.Kind == api.EventAnswered && e.Answer == api.TimedOut && q.Action == api.ActionCreate {
		prefs := w.App.Preferences()
		prefs.SetStringList(PrefIgnored, append(prefs.StringList(PrefIgnored),
			strings.Join([]string{w.Now().Format(time.RFC3339), q.Project, q.Client}, "\t")))
	}
}

func (w *Window) Unanswered() (rows []present.Row) {
	for _, line := range slices.Backward(w.App.Preferences().StringList(PrefIgnored)) {
		x := strings.Split(line, "\t")
		at, err := time.Parse(time.RFC3339, x[0])
		if len(x) != 3 || err != nil || w.Now().Sub(at) > IgnoredTime ||
			slices.ContainsFunc(rows, func(r present.Row) bool { return r.Root == x[1] }) {
			continue
		}
		if p, known := w.Model.Project(x[1]); !known || p.State == api.StateNotIndexed {
			rows = append(rows, present.Unanswered(x[1], x[2], at, w.Home, w.Now()))
		}
	}
	return rows
}

func (p *Projects) Refresh() {
	order := p.all
	p.all = p.w.Unanswered()
	own := p.w.Model.Rows(p.w.Home, p.w.Now())
	p.all = append(p.all, slices.DeleteFunc(own, func(r present.Row) bool {
		return slices.ContainsFunc(p.all, func(x present.Row) bool { return x.Root == r.Root })
	})...)
	at := func(r present.Row) int { // -1 for a new project, which is first
		return slices.IndexFunc(order, func(x present.Row) bool { return x.Root == r.Root })
	}
	slices.SortStableFunc(p.all, func(a, b present.Row) int { return at(a) - at(b) })
	many := len(p.all) >= projectFilterFrom
	rows := p.all
	if many {
		rows = present.Filter(p.all, p.Filter.Text, func(r present.Row) string { return r.Name + "\n" + r.Root })
	}
	before := p.Rows
	p.Rows = rows
	changed := !slices.Equal(rows, before)
	if changed {
		p.w.follow(p.List, func(was int) int {
			return slices.IndexFunc(rows, func(r present.Row) bool { return r.ID == before[was].ID })
		})
	}
	p.showProblems()
	if many != p.Filter.Visible() {
		p.Filter.Hidden = !many
		p.w.Relayout()
	}
	p.None.(*fyne.Container).Hidden = len(rows) > 0 || len(p.all) == 0
	p.w.creating = p.w.creating && len(p.all) == 0
	if len(p.all) == 0 && p.w.Model.Connected && !p.w.creating {
		p.Empty.Show()
		p.Add.Hide() // the empty page has the same button
	} else {
		p.Empty.Hide()
		p.Add.Show()
	}
	p.used.Hidden = len(p.all) == 0
	p.drawUsed()
	p.drawSteps()
	total := present.Total(p.w.Model.Projects())
	if len(rows) < len(p.all) {
		total = tr("%s of %s", present.Number(len(rows)), present.Count(len(p.all), "project"))
	}
	p.Total.Set(total)
	if changed {
		p.List.Refresh()
	}
}

func (p *Projects) showProblems() {
	m := &p.w.Model
	if !fresh(&p.wrong, m.Connected && len(m.Problems) > 0, m.Problems) {
		return
	}
	p.problems.Objects = nil
	for _, e := range m.Problems {
		v := present.ProblemOfError(e)
		v.Label = "Check everything"
		p.problems.Add(p.w.ProblemBox(v, p.w.Examine))
	}
	p.problems.Hidden = !m.Connected || len(m.Problems) == 0
	p.w.Relayout()
}

type ProjectRow struct {
	fynewidget.BaseWidget
	w                *Window
	Row              present.Row
	mark             *fynewidget.Icon
	Name, Path, line *widget.Text
	bar              *widget.Bar
	Action           *widget.Button
	More             *rowMenu
	box              *fyne.Container
}

// rowMenu is the menu button of a row. Tab skips it, because the list opens the menu by keyboard.
type rowMenu struct{ widget.Button }

// FocusGained differs from fyne.Focusable, so that Fyne does not treat a rowMenu as focusable.
func (*rowMenu) FocusGained(never struct{}) {}

func NewProjectRow(w *Window) *ProjectRow {
	r := &ProjectRow{w: w, mark: fynewidget.NewIcon(nil), Name: widget.Strong(""), Path: widget.Muted(""),
		line: widget.Muted(""), bar: widget.NewBar()}
	r.Name.Inner = true
	r.line.Split = present.Separator
	r.Action = NewButton("Review", func() {
		if r.Row.Action == present.DoAdd {
			w.AddPath(r.Row.Root)
			return
		}
		w.perform(r.Row.Action, r.Row.ID)
	})
	r.More = &rowMenu{widget.Button{OnTapped: r.menu, Icon: theme.MoreHorizontalIcon(), Tone: widget.ToneTool}}
	r.More.ExtendBaseWidget(r.More)
	r.box = markedRow(container.New(widget.Sized{Width: 16, Height: 16}, r.mark),
		widget.Column(2, widget.Beside(r.Name, r.Path), r.line, r.bar), r.Action, r.More)
	r.ExtendBaseWidget(r)
	return r
}

// alsoBeside are the actions that a row omits while the project's details show them.
var alsoBeside = []present.Do{present.DoLocate, present.DoReindex, present.DoOpen}

func (r *ProjectRow) Set(row present.Row, chosen bool) {
	r.Row = row
	SetMark(r.mark, row.Mark)
	r.Name.Set(row.Name)
	r.Path.Set(row.Path)
	r.line.Short = row.Short
	r.line.Set(present.Join(row.Line, row.Rest))
	r.line.SetColor(shown(row.Urgent))
	r.bar.Set(row.Progress)
	r.bar.Hidden = row.Progress < 0
	r.Action.Hidden = row.Action == present.DoNone || chosen && slices.Contains(alsoBeside, row.Action)
	r.Action.Set(tr(row.Label), nil)
	r.Action.As(map[bool]widget.Tone{true: widget.ToneRow, false: widget.ToneOrdinary}[chosen])
	r.box.Refresh()
}

func (r *ProjectRow) menu()                               { widget.ShowMenu(r.w.ProjectMenu(r.Row.ID), r.More) }
func (r *ProjectRow) Inner() fyne.CanvasObject            { return r.box }
func (r *ProjectRow) CreateRenderer() fyne.WidgetRenderer { return fynewidget.NewSimpleRenderer(r.box) }

func (w *Window) perform(do present.Do, id string) {
	p, ok := w.Model.Project(id)
	if !ok {
		return
	}
	switch do {
	case present.DoOpen:
		w.Details(id)
	case present.DoReview:
		w.frame.Refresh()
	case present.DoResume:
		Order(w, wire.MethodResume, reference(p))
	case present.DoCancel:
		if p.Progress != nil {
			Order(w, wire.MethodCancel, wire.Ref{Ref: p.Progress.JobID})
		}
	case present.DoIndex:
		w.AddPath(p.Root())
	case present.DoReindex:
		w.Reindex(p)
	case present.DoLocate:
		w.chooseFolder(func(dir string) {
			Order(w, wire.MethodLocate, wire.RootChange{ProjectRef: wire.RefTo(p.Root()), Dir: dir})
		})
	case present.DoReveal:
		w.reveal(p.Root())
	}
}

func (w *Window) ProjectMenu(id string) *fyne.Menu {
	p, ok := w.Model.Project(id)
	if !ok {
		return fyne.NewMenu("")
	}
	pause := fyne.NewMenuItem(tr("Pause"), func() { Order(w, wire.MethodPause, reference(p)) })
	if p.State == api.StatePaused {
		pause = fyne.NewMenuItem(tr("Resume"), func() { w.perform(present.DoResume, id) })
	}
	there := p.State != api.StateOffline
	items := []*fyne.MenuItem{
		fyne.NewMenuItem(tr("Details"), func() { w.Details(id) }),
		fyne.NewMenuItem(tr("Search this project…"), func() { w.frame.Go(PageSearch, id) }),
	}
	if there {
		items = append(items, fyne.NewMenuItem(tr("Show in file manager"), func() { w.reveal(p.Root()) }))
	}
	items = append(items, fyne.NewMenuItemSeparator(), pause)
	if there {
		items = append(items, fyne.NewMenuItem(tr("Rebuild index…"), func() { w.Reindex(p) }))
	}
	items = append(items,
		fyne.NewMenuItem(tr("Settings…"), func() { w.Configure(p) }),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem(tr("Delete index of %s…", p.Name), func() { w.Remove(p) }),
	)
	return fyne.NewMenu("", items...)
}

func (w *Window) Reindex(p api.Project) {
	Request(w, wire.MethodPreview, reference(p), func(v api.Preview, err error) {
		if err != nil {
			w.Failed(err)
			return
		}
		w.ask(present.Own(api.ActionReindex, p, &v), func() { w.agreed(api.ActionReindex, p.Root()) })
	})
}

func (w *Window) Remove(p api.Project) {
	w.ask(present.Own(api.ActionDelete, p, nil), func() { w.agreed(api.ActionDelete, p.Root()) })
}

func (w *Window) reveal(path string) {
	w.attempt("The file manager can't be opened.", func() error { return w.Opts.Desktop.Reveal(path) })
}

type step struct {
	does, label present.Text
	do          func()
	done        bool
}

func (p *Projects) steps() []step {
	asked := len(p.w.Model.Usage.Last) > 0
	return []step{
		{"Add a folder", "Add folder", p.w.AddFolder, len(p.all) > 0},
		{"Connect your editor", "Connect an editor…", func() { p.w.frame.Go(PageEditors, "") }, asked || p.connected},
		{"Ask your assistant about the code", "", nil, asked},
	}
}

// stepsCard lists the steps. shut is a button in the row of the first step, or nil.
func stepsCard(steps []step, shut fyne.CanvasObject) fyne.CanvasObject {
	var rows []fyne.CanvasObject
	next := true
	for i, s := range steps {
		var number, button fyne.CanvasObject = widget.NewKeyCap(string(rune('1' + i))), shut
		shut = nil
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
				button = widget.Centred(Primary(s.label, s.do))
			}
		}
		rows = append(rows, container.New(widget.Sized{Height: stepHeight}, container.NewBorder(nil, nil,
			widget.Centred(widget.Wide(32, widget.Row(number))), button, widget.Centred(label))))
	}
	return card(rows)
}

func (p *Projects) drawSteps() {
	all := p.steps()
	prefs := p.w.App.Preferences()
	left := !prefs.Bool(PrefSteps) && len(p.all) > 0 && p.looked && p.w.Model.Connected &&
		slices.ContainsFunc(all, func(s step) bool { return !s.done })
	if !fresh(&p.shape, left, all[0].done, all[1].done, all[2].done) {
		return
	}
	shut := widget.IconButton(theme.CancelIcon(), func() {
		prefs.SetBool(PrefSteps, true)
		p.drawSteps()
	})
	shut.Tip = tr("Close")
	p.Next.Objects = []fyne.CanvasObject{stepsCard(all, widget.Centred(shut))}
	p.first.Objects = []fyne.CanvasObject{stepsCard(all, nil)}
	p.Next.Hidden = !left
	p.w.Relayout()
}

const (
	chartWidth, chartHeight, chartGap = 180, 36, 3
	totalWidth, totalHeight           = 90, 20
	stepHeight, rowHeight             = 40, 60
	projectFilterFrom                 = 10
)

func chart(counts []int, width, height float32) fyne.CanvasObject {
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
	return container.New(widget.Least(width, height, func(size fyne.Size) {
		most, n := float32(max(1, slices.Max(counts))), float32(len(bars))
		width := (size.Width+chartGap)/n - chartGap
		for i, bar := range bars {
			h := max(2, size.Height*float32(counts[i])/most)
			widget.Place(bar, float32(i)*(width+chartGap), size.Height-h, width, h)
		}
	}), bars...)
}

func (w *Window) usedProject(root string) fyne.CanvasObject {
	counts := present.Searches(w.Model.Usage, root, w.Now())
	said := widget.Caption(present.UsedProject(counts))
	if slices.Max(counts) == 0 {
		return section("Searches", said)
	}
	return section("Searches", chart(counts, chartWidth, chartHeight), said)
}

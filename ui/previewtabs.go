package ui

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

func (p *preview) choose(tab present.Text) {
	if p.tab == tab {
		return
	}
	p.tab = tab
	p.fill()
	p.root.Refresh()
}

func (p *preview) fill() {
	if p.tab == tabCode && p.wide { // the source is visible anyway
		tab := tabWhy
		if p.found.Project != "" && (p.found.Hit == nil || len(p.found.Hit.Explain) == 0) {
			tab = tabOutline
		}
		p.tabs.choose(tab)
		return
	}
	switch p.tab {
	case tabWhy:
		p.fillSide(p.why())
	case tabOutline:
		p.outline()
	case tabUses:
		p.uses()
	}
}

func (p *preview) fillSide(o fyne.CanvasObject) {
	p.side.Objects = []fyne.CanvasObject{o}
	p.side.Refresh()
}

func (p *preview) none(s present.Text, args ...any) {
	p.fillSide(pad(gapSmall, 0, 0, 0, quiet(tr(s, args...))))
}

func (p *preview) why() fyne.CanvasObject {
	f := p.found
	if f.Hit == nil || len(f.Hit.Explain) == 0 {
		return pad(gapSmall, 0, 0, 0, quiet(tr("No ranking details.")))
	}
	rows := column(gapSmall, pad(gapSmall, 4, 0, 0, plain(tr("Score %s of 1", present.Score(f.Score)))))
	for _, y := range present.WhyOf(f.Hit.Explain) {
		b := newBar()
		b.set(math.Abs(y.Share))
		if y.Share < 0 {
			b.color = theme.ColorNameWarning
		}
		parts := []fyne.CanvasObject{container.NewBorder(nil, nil, nil, wide(whyBar, b), plain(y.Label))}
		note := y.Note
		if y.Share < 0 {
			note = present.Join(tr("lowers the score"), note)
		}
		if note != "" {
			parts = append(parts, caption(note))
		}
		rows.Add(column(2, parts...))
	}
	for _, l := range f.Hit.Also {
		rows.Add(caption(tr("Nearly the same in %s", l.String())))
	}
	return tall(pad(0, gapSmall, 0, gapSmall, rows))
}

const whyBar = 128

type treeRow struct {
	title string // title of a heading, or ""
	note  string
	depth int
	line  int
	text  string
	to    spot
}

const treeHeight = 26

type treeView struct {
	widget.BaseWidget
	heading, note *text
	code          *listing
	head, body    *fyne.Container
}

func newTreeView() fyne.CanvasObject {
	v := &treeView{heading: strong(""), note: caption(""), code: newListing(theme.SizeNameText)}
	v.head = container.New(beside{}, v.heading, v.note)
	v.body = centred(v.code)
	v.ExtendBaseWidget(v)
	return v
}

func (v *treeView) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(v.head, pad(0, 0, gapSmall, gapSmall, v.body)))
}

func (v *treeView) set(r treeRow, terms highlight.Terms) {
	v.head.Hidden, v.body.Hidden = r.title == "", r.title != ""
	v.heading.set(r.title)
	v.note.set(r.note)
	if r.title == "" {
		cells := colour(r.text, r.to.path)
		line := sourceLine{number: r.line}
		if len(cells) > 0 {
			line.cells = cells[0].Cells
		}
		found(line.cells, terms)
		v.code.set([]sourceLine{line}, true)
		v.code.indent = 2 * r.depth
		v.code.Refresh()
	}
	v.Refresh()
}

func (p *preview) tree(rows []treeRow, here int, terms highlight.Terms) {
	l := newPickList(treeHeight, func() int { return len(rows) }, newTreeView,
		func(i int, o fyne.CanvasObject) { o.(*treeView).set(rows[i], terms) })
	l.stops = func(i int) bool { return rows[i].title == "" }
	visit := func() {
		if l.at >= 0 && rows[l.at].title == "" {
			p.jump(rows[l.at].to)
		}
	}
	l.clicked = func(i int) {
		if rows[i].title == "" {
			visit()
		}
	}
	l.picked = visit
	l.Refresh()
	p.fillSide(pad(4, 0, 0, 0, l))
	if here >= 0 {
		l.at = here
		l.Refresh()
		l.reveal(here)
	}
}

func asked[P, R any](p *preview, tab present.Text, m wire.Method[P, R], params P, then func(R)) {
	found, name := p.found, p.name
	p.fillSide(pad(gapSmall, 0, 0, 0, busyLine("Searching")))
	request(p.s.w, m, params, func(v R, err error) {
		switch {
		case p.tab != tab || p.found.File != found.File || p.found.Best != found.Best || p.name != name:
		case err != nil:
			p.fillSide(pad(gapSmall, 0, 0, 0, p.s.w.problemBox(present.ProblemOf(err), p.fill)))
		default:
			then(v)
		}
	})
}

func (p *preview) outline() {
	if p.found.Project == "" {
		p.none("An outline is available only for files in your projects.")
		return
	}
	at := p.at
	q := wire.Outline{Project: at.project, Query: api.OutlineQuery{Path: at.path}}
	asked(p, tabOutline, wire.MethodOutline, q, func(o api.Outline) {
		var rows []treeRow
		here := -1
		var add func(nodes []api.OutlineNode, depth int)
		add = func(nodes []api.OutlineNode, depth int) {
			for _, n := range nodes {
				if n.StartLine <= at.line && at.line <= n.EndLine {
					here = len(rows)
				}
				rows = append(rows, treeRow{depth: depth, line: n.StartLine, text: n.Signature, to: spot{at.project,
					at.path, n.StartLine}})
				add(n.Children, depth+1)
			}
		}
		add(o.Nodes, 0)
		if len(rows) == 0 {
			p.none("No declarations.")
			return
		}
		p.tree(rows, here, highlight.Terms{})
	})
}

func (p *preview) symbol(uses bool) wire.Symbol {
	return wire.Symbol{Projects: []string{p.at.project}, Query: api.SymbolQuery{Name: p.name, Uses: uses}}
}

func (p *preview) uses() {
	if p.name == "" || p.found.Project == "" {
		p.none("Click a name in the source to see where it is defined and used.")
		return
	}
	asked(p, tabUses, wire.MethodSymbol, p.symbol(true), func(r api.SymbolResults) {
		rows := p.definitions(r)
		add := func(kind present.Text, files []api.SymbolFile) {
			for _, f := range files {
				note, title := present.Base(f.Path)
				if f.Test {
					note = present.Join(tr("test"), note)
				}
				rows = append(rows, treeRow{title: title, note: present.Join(tr(kind), note)})
				for _, u := range f.Uses {
					rows = append(rows, treeRow{line: u.Line, text: u.Source, to: spot{p.at.project, f.Path, u.Line}})
				}
			}
		}
		add("", r.Uses)
		add("possible use", r.Possible)
		add("in text", r.Text)
		if len(rows) == 0 {
			p.none("No uses of %s found.", p.name)
			return
		}
		p.tree(rows, -1, highlight.Name(p.name))
	})
}

func (p *preview) definitions(r api.SymbolResults) []treeRow {
	if len(r.Definitions) == 0 {
		return nil
	}
	var rows []treeRow
	for i, d := range r.Definitions {
		if i == 0 || d.Path != r.Definitions[i-1].Path {
			rows = append(rows, treeRow{title: tr("Defined"), note: d.Path})
		}
		rows = append(rows, treeRow{line: d.Line, text: d.Signature, to: spot{p.at.project, d.Path, d.Line}})
	}
	return rows
}

func (p *preview) definition() {
	name := p.name
	request(p.s.w, wire.MethodSymbol, p.symbol(false), func(r api.SymbolResults, err error) {
		switch {
		case err != nil:
			p.s.w.failed(err)
		case p.name != name:
		case len(r.Definitions) == 1:
			p.jump(spot{p.at.project, r.Definitions[0].Path, r.Definitions[0].Line})
		default:
			p.tabs.choose(tabUses)
		}
	})
}

const sideFrom = 900

type previewLayout struct{ p *preview }

func (x *previewLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	p := x.p
	head, tabs, main, side, line, tools := o[0], o[1], o[2], o[3], o[4], o[5]
	wide := size.Width >= sideFrom
	if wide != p.wide {
		p.wide = wide
		if p.tabs.buttons[0].Hidden = wide; wide {
			p.fill()
		} else {
			p.tabs.choose(tabCode)
		}
	}
	line.(*fill).Hidden = !wide
	room := tools.MinSize().Width
	if wide {
		right := min(max(size.Width*0.28, 320), 640)
		left := size.Width - right - 2*gapGroup
		p.head.Hidden = false
		put(head, 0, (buttonHeight-placeHeight)/2, left-room-gapGroup, placeHeight)
		put(tools, left-room, 0, room, buttonHeight)
		p.main.Hidden, p.side.Hidden = false, false
		put(main, 0, buttonHeight+4, left, size.Height-buttonHeight-4)
		put(line, left+gapGroup, 0, 1, size.Height)
		put(tabs, left+2*gapGroup, 0, right, buttonHeight)
		put(side, left+2*gapGroup, buttonHeight+4, right, size.Height-buttonHeight-4)
		return
	}
	width, place, top := tabs.MinSize().Width, size.Width, float32(placeHeight)
	least := p.more.MinSize().Width * float32(len(p.tools.Objects)) // the tabs include gaps
	p.head.Hidden = p.s.short && len(p.back) == 0 && p.stale.value == "" && width+gapSmall+least <= place
	if p.head.Hidden { // the chosen result shows its place
		top = 0
	}
	y := top
	if room = min(room, place-width-gapSmall); room < least { // the buttons move next to the place
		room, y = least, 0
		place -= least + gapSmall
	}
	put(head, 0, 0, place, placeHeight)
	put(tabs, 0, top, width, buttonHeight)
	put(tools, size.Width-room, y, room, buttonHeight)
	top += buttonHeight + 4
	p.main.Hidden, p.side.Hidden = p.tab != tabCode, p.tab == tabCode
	put(main, 0, top, size.Width, size.Height-top)
	put(side, 0, top, size.Width, size.Height-top)
}

func (x *previewLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

type searchLayout struct{ s *search }

const (
	besideFrom             = 660
	leastResults           = 256
	mostResults    float32 = 900
	mostOffer      float32 = 1100 // maximum width of the rows for an empty field
	resultsShare           = 0.36
	wideShare              = 0.27
	wideFrom               = 1500
	stackedResults         = 0.42 // share of the height of a narrow window
)

func (x *searchLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	list, line, right := o[0], o[1], o[2]
	short := size.Width < besideFrom
	again := short != x.s.short || x.s.query == "" && size.Height != x.s.height
	if x.s.short, x.s.height = short, size.Height; again {
		at := x.s.list.at
		x.s.arrange()
		x.s.list.at = min(at, len(x.s.rows)-1)
		x.s.list.Refresh()
	}
	if !right.Visible() { // there are no results yet
		put(list, 0, 0, min(size.Width, mostOffer), size.Height)
		put(line, 0, 0, 0, 0)
		return
	}
	if size.Width < besideFrom {
		h := size.Height * stackedResults
		put(list, 0, 0, size.Width, h)
		put(line, 0, h+4, size.Width, 1)
		put(right, 0, h+gapSmall, size.Width, size.Height-h-gapSmall)
		return
	}
	share := size.Width * resultsShare
	if size.Width >= wideFrom {
		share = max(wideFrom*resultsShare, size.Width*wideShare)
	}
	w := min(max(leastResults, share), mostResults)
	put(list, 0, 0, w, size.Height)
	put(line, w+4, 0, 1, size.Height)
	put(right, w+4+gapGroup, 0, size.Width-w-4-gapGroup, size.Height)
}

func (*searchLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(320, 240) }

type searchHead struct{ s *search }

const (
	scopeWidth = 180
	chipHeight = 28
	chipGap    = 6
)

func (x searchHead) Layout(o []fyne.CanvasObject, size fyne.Size) {
	field, scope, sources, kinds, files := o[0], o[1], o[2].(*fyne.Container), o[3].(*chooser), o[4].(*text)
	y, width := field.MinSize().Height+chipGap, float32(scopeWidth)
	none := len(x.s.projects.options) == 0
	scope.(*chooser).Hidden = none
	lines := x.s.match.Lines()
	sources.Hidden = none || lines || width+gapGroup+sources.MinSize().Width > size.Width
	kinds.Hidden = none || lines || !sources.Hidden
	files.Hidden = none || !lines
	if sources.Hidden && !lines {
		width = min(width, (size.Width-gapSmall)/2)
	}
	most := size.Width
	if x.s.query == "" {
		most = min(most, mostOffer)
	}
	put(field, 0, 0, most, field.MinSize().Height)
	put(scope, 0, y, width, chipHeight)
	put(sources, width+gapGroup, y, sources.MinSize().Width, chipHeight)
	put(kinds, width+gapSmall, y, width, chipHeight)
	put(files, width+gapGroup, y+(chipHeight-files.MinSize().Height)/2, size.Width-width-gapGroup, files.MinSize().Height)
}

func (searchHead) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(320, o[0].MinSize().Height+chipGap+chipHeight)
}

package page

import (
	"math"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func (p *preview) choose(tab present.Text) {
	if p.Tab == tab {
		return
	}
	p.Tab = tab
	p.fill()
	p.Root.Refresh()
}

func (p *preview) fill() {
	if p.Tab == TabCode && p.Wide { // the source is visible anyway
		tab := TabWhy
		if p.Found.Project != "" && (p.Found.Hit == nil || len(p.Found.Hit.Explain) == 0) {
			tab = TabOutline
		}
		p.Tabs.Choose(tab)
		return
	}
	switch p.Tab {
	case TabWhy:
		p.why()
	case TabOutline:
		p.outline()
	case TabUses:
		p.uses()
	}
}

func (p *preview) fillSide(o fyne.CanvasObject) {
	p.Side.Objects = []fyne.CanvasObject{o}
	p.Side.Refresh()
}

func (p *preview) note(o fyne.CanvasObject)         { p.fillSide(widget.Pad(widget.GapSmall, 0, 0, 0, o)) }
func (p *preview) none(s present.Text, args ...any) { p.note(widget.Quiet(tr(s, args...))) }

func (p *preview) why() {
	f := p.Found
	if f.Hit == nil || len(f.Hit.Explain) == 0 {
		p.none("No ranking details.")
		return
	}
	rows := widget.Column(widget.GapSmall, widget.Pad(widget.GapSmall, 4, 0, 0,
		widget.Plain(tr("Score %s of 1", present.Score(f.Score)))),
		widget.Small(tr("Each percentage compares a reason with the strongest one, which has 100 %.")))
	for _, y := range present.WhyOf(f.Hit.Explain) {
		b := widget.NewBar()
		b.Set(math.Abs(y.Share))
		if y.Share < 0 {
			b.Color = theme.ColorNameWarning
		}
		note := y.Note
		if y.Share < 0 {
			note = present.Join(tr("lowers the score"), note)
		}
		share := widget.WholeCaption(present.Percent(int(100*math.Abs(y.Share)+0.5), 100))
		rows.Add(widget.Column(2, container.NewBorder(nil, nil, nil, share,
			widget.Beside(widget.Plain(y.Label), widget.Caption(note))), b, widget.Some(widget.Small, y.Means)))
	}
	for _, l := range f.Hit.Also {
		rows.Add(widget.Caption(tr("Nearly the same in %s", l.String())))
	}
	if !p.Wide { // a wide preview shows the source beside the reasons
		code := widget.NewListing(theme.SizeNameText)
		code.Set(sourceLines(f.Hit.Lines, f.Path, f.Best, p.terms), false)
		rows.Add(section("Passage", container.New(widget.Sized{Height: code.MinSize().Height}, container.NewClip(code))))
	}
	p.fillSide(widget.Tall(widget.Pad(0, widget.GapSmall, 0, widget.GapSmall, rows)))
}

type treeRow struct {
	title, note string
	depth, line int
	text        string
	to          Spot
}

// tree shows rows below head, which may be nil.
func (p *preview) tree(head fyne.CanvasObject, rows []treeRow, here int, terms highlight.Terms) {
	l := widget.NewList(treeHeight, func() int { return len(rows) }, func() (fyne.CanvasObject, func(i int)) {
		heading, note, code := widget.Strong(""), widget.Caption(""), widget.NewListing(theme.SizeNameText)
		head, body := widget.Beside(heading, note), widget.Centred(code)
		row := widget.Pad(0, 0, widget.GapSmall, widget.GapSmall, container.NewStack(head, body))
		return row, func(i int) {
			r := rows[i]
			head.Hidden, body.Hidden = r.title == "", r.title != ""
			heading.Set(r.title)
			note.Set(r.note)
			code.Indent = 2 * r.depth
			code.Set(sourceLines([]api.Line{{Number: r.line, Text: r.text}}, r.to.Path, 0, terms), true)
			row.Refresh()
		}
	})
	l.Stops = func(i int) bool { return rows[i].to.Path != "" }
	l.Picked = func() { p.Jump(rows[l.At].to) }
	l.Clicked = func(i int) {
		if l.Stops(i) {
			l.Picked()
		}
	}
	l.Escape = func() { p.s.Win.Canvas().Focus(p.s.Field) }
	l.Refresh()
	var content fyne.CanvasObject = widget.Pad(4, 0, 0, 0, l)
	if head != nil {
		content = widget.Below(4, widget.Pad(4, 0, widget.GapSmall, widget.GapSmall, head), l)
	}
	p.fillSide(content)
	if p.byKey {
		p.byKey, here = false, max(here, 0)
		p.s.Win.Canvas().Focus(l)
	}
	if here >= 0 {
		l.At = here
		l.Refresh()
		l.Reveal(here)
	}
}

// turn shows a tab, and then moves the focus to the rows of an outline or of uses.
func (p *preview) turn(tab present.Text) {
	if p.Root.Visible() {
		p.byKey, p.Tab = tab == TabOutline || tab == TabUses, ""
		p.Tabs.Choose(tab)
	}
}

func asked[P, R any](p *preview, tab present.Text, m wire.Method[P, R], params P, then func(R)) {
	found, name := p.Found, p.Name
	p.note(busyLine("Searching"))
	Request(p.s.w, m, params, func(v R, err error) {
		switch {
		case p.Tab != tab || p.Found.File != found.File || p.Found.Best != found.Best || p.Name != name:
		case err != nil:
			p.note(p.s.w.ProblemBox(present.ProblemOf(err), p.fill))
		default:
			then(v)
		}
	})
}

func (p *preview) outline() {
	if p.Found.Project == "" {
		p.none("An outline is available only for files in your projects.")
		return
	}
	at := p.At
	q := wire.Outline{ProjectRef: wire.RefTo(at.Project), Query: api.OutlineQuery{Path: at.Path}}
	asked(p, TabOutline, wire.MethodOutline, q, func(o api.Outline) {
		var rows []treeRow
		here := -1
		var add func(nodes []api.OutlineNode, depth int)
		add = func(nodes []api.OutlineNode, depth int) {
			for _, n := range nodes {
				if n.StartLine <= at.Line && at.Line <= n.EndLine {
					here = len(rows)
				}
				rows = append(rows, treeRow{depth: depth, line: n.StartLine, text: n.Signature, to: Spot{at.Project,
					at.Path, n.StartLine}})
				add(n.Children, depth+1)
			}
		}
		add(o.Nodes, 0)
		if len(rows) == 0 {
			p.none("No declarations.")
			return
		}
		p.tree(nil, rows, here, highlight.Terms{})
	})
}

func (p *preview) symbol(uses bool) wire.Symbol {
	return wire.Symbol{Projects: []string{p.At.Project}, Query: api.SymbolQuery{Name: p.Name, Uses: uses}}
}

func (p *preview) uses() {
	switch {
	case p.Found.Project == "":
		p.none("Uses are available only for names in your projects.")
		return
	case p.Name == "":
		p.none("This passage is not in a declaration. Click a name in the preview to see its uses.")
		return
	}
	asked(p, TabUses, wire.MethodSymbol, p.symbol(true), func(r api.SymbolResults) {
		defined := p.definitions(r)
		rows := slices.Clone(defined[:min(1, len(defined))])
		add := func(kind present.Text, files []api.SymbolFile) {
			for _, f := range files {
				note, title := present.Base(f.Path)
				if f.Test {
					note = present.Join(tr("test"), note)
				}
				rows = append(rows, treeRow{title: title, note: present.Join(tr(kind), note)})
				for i, u := range f.Uses {
					if i > 0 && f.Uses[i-1].Line == u.Line {
						continue
					}
					rows = append(rows, treeRow{line: u.Line, text: u.Source, to: Spot{p.At.Project, f.Path, u.Line}})
				}
			}
		}
		add("", r.Uses)
		add("possible use", r.Possible)
		add("in text", r.Text)
		rows = append(rows, defined[min(1, len(defined)):]...)
		if len(rows) == 0 {
			p.none("No uses of %s found.", p.Name)
			return
		}
		counts := present.Count(r.TotalUses, "use")
		if r.TotalPossible > 0 {
			counts = present.Join(counts, tr("%s possible", present.Number(r.TotalPossible)))
		}
		if r.TotalText > 0 {
			counts = present.Join(counts, tr("%s in text", present.Number(r.TotalText)))
		}
		head := widget.Beside(widget.Strong(tr("Uses of %s", p.Name)), widget.Caption(counts))
		p.tree(head, rows, -1, highlight.Name(p.Name))
	})
}

// definitions returns a row for each definition. The source already shows its signature.
func (p *preview) definitions(r api.SymbolResults) (rows []treeRow) {
	for _, d := range r.Definitions {
		rows = append(rows, treeRow{title: tr("Defined"), note: d.Path + ":" + strconv.Itoa(d.Line),
			to: Spot{p.At.Project, d.Path, d.Line}})
	}
	return rows
}

func (p *preview) definition() {
	name := p.Name
	Request(p.s.w, wire.MethodSymbol, p.symbol(false), func(r api.SymbolResults, err error) {
		switch {
		case err != nil:
			p.s.w.Failed(err)
		case p.Name != name:
		case len(r.Definitions) == 1:
			p.Jump(Spot{p.At.Project, r.Definitions[0].Path, r.Definitions[0].Line})
		default:
			p.Tabs.Choose(TabUses)
		}
	})
}

func (p *preview) lay(size fyne.Size) {
	head, tabs, main, side, line, tools := p.Head, p.Tabs.Box, p.main, p.Side, p.line, p.Tools
	wide := size.Width >= sideFrom
	if wide != p.Wide {
		p.Wide = wide
		if p.Tabs.Buttons[0].Hidden = wide; wide {
			p.fill()
		} else {
			p.Tabs.Choose(TabCode)
		}
	}
	line.Hidden = !wide
	room := p.toolsWidth()
	if wide {
		right := min(max(size.Width*0.28, 320), 640)
		left := size.Width - right - 2*widget.GapGroup
		widget.Place(head, 0, (widget.ButtonHeight-placeHeight)/2, left-room-widget.GapGroup, placeHeight)
		widget.Place(tools, left-room, 0, room, widget.ButtonHeight)
		p.main.Hidden, p.Side.Hidden = false, false
		widget.Place(main, 0, widget.ButtonHeight+4, left, size.Height-widget.ButtonHeight-4)
		widget.Place(line, left+widget.GapGroup, 0, 1, size.Height)
		widget.Place(tabs, left+2*widget.GapGroup, 0, right, widget.ButtonHeight)
		widget.Place(side, left+2*widget.GapGroup, widget.ButtonHeight+4, right, size.Height-widget.ButtonHeight-4)
		return
	}
	width, place, top := tabs.MinSize().Width, size.Width, float32(placeHeight)
	least := p.More.MinSize().Width * float32(len(p.Tools.Objects))
	y := top
	named := least - p.More.MinSize().Width + p.Open.MinSize().Width + 2*widget.GapSmall
	if room = min(room, place-width-widget.GapSmall); room < named && place-named >= leastPlace {
		room, y = named, 0
		place -= named + widget.GapSmall
	} else if room < least { // too narrow: put the buttons next to the path
		room, y = least, 0
		place -= least + widget.GapSmall
	}
	widget.Place(head, 0, 0, place, placeHeight)
	widget.Place(tabs, 0, top, width, widget.ButtonHeight)
	widget.Place(tools, size.Width-room, y, room, widget.ButtonHeight)
	top += widget.ButtonHeight + 4
	p.main.Hidden, p.Side.Hidden = p.Tab != TabCode, p.Tab == TabCode
	widget.Place(main, 0, top, size.Width, size.Height-top)
	widget.Place(side, 0, top, size.Width, size.Height-top)
}

const (
	besideFrom             = 660
	leastPlace             = 260
	treeHeight             = 26
	sideFrom               = 900
	LeastResults           = 256
	MostResults    float32 = 900
	mostOffer      float32 = 880
	resultsShare           = 0.36
	narrowShare            = 0.42 // in a window of up to 1280 pixels
	narrowResults  float32 = 440
	wideShare              = 0.27
	wideFrom               = 1500
	stackedResults         = 0.42 // results' share of a narrow window's height
	stackedRows            = 7    // two headings and five results
	leastPreview           = 140
)

func (s *Search) lay(size fyne.Size) {
	list, line, right := s.List, s.line, s.Preview.Root
	short := size.Width < besideFrom
	again := short != s.short || s.Query == "" && size.Height != s.height
	if s.short, s.height = short, size.Height; again {
		s.Placeholder()
		s.arrangeAgain()
	}
	if !right.Visible() { // there are no results yet
		widget.Place(list, 0, 0, min(size.Width, mostOffer), size.Height)
		widget.Place(line, 0, 0, 0, 0)
		return
	}
	if size.Width < besideFrom {
		h := max(size.Height*stackedResults, min(stackedRows*HeadingHeight, size.Height-leastPreview))
		widget.Place(list, 0, 0, size.Width, h)
		widget.Place(line, 0, h+4, size.Width, 1)
		widget.Place(right, 0, h+widget.GapSmall, size.Width, size.Height-h-widget.GapSmall)
		return
	}
	share := size.Width * resultsShare
	if size.Width >= wideFrom {
		share = max(wideFrom*resultsShare, size.Width*wideShare)
	}
	share = max(share, min(narrowResults, size.Width*narrowShare))
	w := min(max(LeastResults, share), MostResults)
	widget.Place(list, 0, 0, w, size.Height)
	widget.Place(line, w+4, 0, 1, size.Height)
	widget.Place(right, w+4+widget.GapGroup, 0, size.Width-w-4-widget.GapGroup, size.Height)
}

const (
	scopeWidth = 180
	chipHeight = 28
	chipGap    = 6
)

func (s *Search) layHead(size fyne.Size) {
	field, scope, sources, kinds, files := s.head.Objects[0], s.Projects, s.Sources.Box, s.Kinds, s.files
	y, width := field.MinSize().Height+chipGap, float32(scopeWidth)
	none := len(scope.Options) == 0
	scope.Hidden = none
	lines := s.Match.Lines()
	sources.Hidden = none || lines || width+widget.GapGroup+sources.MinSize().Width > size.Width
	kinds.Hidden = none || lines || !sources.Hidden
	files.Hidden = none || !lines
	if sources.Hidden && !lines {
		width = min(width, (size.Width-widget.GapSmall)/2)
	}
	widget.Place(field, 0, 0, size.Width, field.MinSize().Height)
	widget.Place(scope, 0, y, width, chipHeight)
	widget.Place(sources, width+widget.GapGroup, y, sources.MinSize().Width, chipHeight)
	widget.Place(kinds, width+widget.GapSmall, y, width, chipHeight)
	widget.Place(files, width+widget.GapGroup, y+(chipHeight-files.MinSize().Height)/2, size.Width-width-widget.GapGroup,
		files.MinSize().Height)
}

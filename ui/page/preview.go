package page

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/highlight"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type Spot struct {
	Project, Path string
	Line          int
}

const (
	TabCode    present.Text = "Preview"
	TabWhy     present.Text = "Why"
	TabOutline present.Text = "Outline"
	TabUses    present.Text = "Uses"
)

var tabs = []present.Text{TabCode, TabWhy, TabOutline, TabUses}
var tabKeys = []fyne.KeyName{fyne.KeyV, fyne.KeyW, fyne.KeyO, fyne.KeyU}

type preview struct {
	s           *Search
	Found       present.Found
	terms       highlight.Terms
	At          Spot
	back        []Spot
	Name        string
	round       int // counts requests; answers to older requests are discarded
	Tab         present.Text
	Wide, byKey bool // byKey: the rows of the tab get the focus

	Title                         *widget.Text
	Crumbs                        *widget.Button
	stale                         *widget.Text
	Back1, Open, Define, More     *widget.Button
	Tabs                          *widget.Segments[present.Text] // a wide preview always shows the source, without a tab
	Code                          *widget.CodeView
	prose                         *widget.Excerpt
	main, Side, Head, Tools, Root *fyne.Container
	line                          *widget.Fill
}

func newPreview(s *Search) *preview {
	p := &preview{s: s, Tab: TabCode, Title: widget.Strong(""), stale: widget.Caption(""), Code: widget.NewCodeView(),
		prose: widget.NewExcerpt(theme.SizeNameText, 0)}
	p.Title.Inner = true
	p.Code.Lines.OnTapped = p.Tapped
	p.Code.Lines.OnSelected = func() { s.Win.Canvas().Focus(s.Field) } // Ctrl+C in the search field copies selected code
	s.Field.Copied = p.Code.Lines.Text
	p.Crumbs = NewButton("", func() { p.choose(TabOutline) }).As(widget.ToneLink)
	p.Back1 = widget.IconButton(theme.NavigateBackIcon(), p.GoBack)
	p.Open = Primary("Open in editor", s.Open).With(openIcon)
	p.Define = NewButton("Definition", p.definition).With(defineIcon)
	p.More = widget.IconButton(theme.MoreHorizontalIcon(), p.menu)
	p.Tabs = newSegments(tabs, TabCode, p.choose)
	for i, b := range p.Tabs.Buttons {
		b.Tip = KeyName("Alt+" + string(tabKeys[i]))
	}
	p.main = container.NewStack(p.Code,
		widget.Tall(widget.Pad(widget.GapSmall, widget.GapSmall, 0, widget.GapSmall, p.prose)))
	p.Side = container.NewStack()
	p.Head = container.New(widget.Least(0, placeHeight, p.layPlace), p.Back1, p.Title, p.Crumbs, p.stale)
	p.Tools = widget.Row(p.Define, p.Open, p.More)
	row := p.Tools.Layout
	p.Tools.Layout = widget.Layout{Min: func() fyne.Size { return row.MinSize(p.Tools.Objects) }, Do: p.layTools}
	p.line = widget.NewFill(theme.ColorNameSeparator, 0)
	p.Root = container.New(widget.Least(280, 200, p.lay), p.Head, p.Tabs.Box, p.main, p.Side, p.line, p.Tools)
	p.Back1.Hide()
	return p
}

var openIcon, defineIcon = sign("open", theme.ColorNameForeground), sign("define", theme.ColorNameForeground)

func (p *preview) show(f present.Found, terms highlight.Terms) {
	p.Found, p.terms, p.back, p.byKey = f, terms, nil, false
	p.At = Spot{f.Project, f.Path, f.Best}
	p.Name = f.Name()
	p.labels()
	p.round++
	code := f.Hit != nil || f.Source == present.SourceFiles
	if code {
		widget.Turn(p.main, p.Code)
		p.load(p.At, p.terms, f.Lines)
	} else if widget.Turn(p.main, p.main.Objects[1]); len(f.Lines) > 0 {
		p.prose.Set(f.Lines[0].Text, p.terms.In)
	}
	p.fill()
}

func (p *preview) labels() {
	f := p.Found
	title, crumbs, stale := f.Path, f.Context, ""
	switch {
	case len(p.back) > 0:
		title, crumbs = p.At.Path, ""
	case f.Page != "":
		title = f.Page
	case f.Path == "":
		title = present.Home(f.File, p.s.w.Home)
	}
	if f.Stale && len(p.back) == 0 {
		stale = tr("changed since it was indexed")
	}
	p.Title.Set(title)
	p.Crumbs.Set(crumbs, nil)
	p.Crumbs.Hidden = crumbs == ""
	p.stale.Set(stale)
	p.Back1.Hidden = len(p.back) == 0
	p.Define.Hidden = p.Name == ""
	p.openLabel()
	p.Root.Refresh()
}

func (p *preview) names() {
	w := p.s.w
	aside(w, w.Opts.Desktop.Openers, func(known []connect.Opener, err error) {
		w.editor = ""
		if o, sure := w.opener(known); err == nil && sure && o.ID != connect.OpenerDesktop &&
			!strings.HasPrefix(o.ID, connect.OpenerCommand) {
			w.editor = o.Name
		}
		p.openLabel()
	})
}

func (p *preview) openLabel() {
	label := tr("Open in editor")
	switch {
	case p.Found.Page != "" && p.Found.Source != present.SourceArchive:
		label = tr("Open page")
	case p.s.w.editor != "":
		label = tr("Open in %s", p.s.w.editor)
	}
	if p.Open.Text != label {
		p.Open.Set(label, p.Open.Icon)
		p.Root.Refresh()
	}
}

// excerptPause is how long to wait for a file before the lines in the search result are shown.
const excerptPause = 150 * time.Millisecond

func (p *preview) load(at Spot, terms highlight.Terms, instead []api.Line) {
	p.round++
	round, read := p.round, false
	excerpt := func() {
		if p.round != round || read {
			return
		}
		lines := instead
		if p.Found.Hit != nil && len(p.Found.Hit.Lines) > 0 && len(instead) > 0 {
			lines = p.Found.Hit.Lines
		}
		p.put(sourceLines(lines, at.Path, at.Line, terms))
	}
	p.s.w.After(excerptPause, excerpt)
	q := wire.FileText{ProjectRef: wire.RefTo(at.Project), Path: at.Path, Line: at.Line}
	Request(p.s.w, wire.MethodFileText, q, func(f api.FileText, err error) {
		if p.round != round || err != nil || f.Text == "" {
			excerpt()
			return
		}
		read = true
		var lines []api.Line
		for i, text := range strings.Split(f.Text, "\n") {
			lines = append(lines, api.Line{Number: f.First + i, Text: text})
		}
		p.put(sourceLines(lines, at.Path, at.Line, terms))
	})
}

func (p *preview) put(lines []widget.SourceLine) {
	p.Code.Set(lines, slices.IndexFunc(lines, func(l widget.SourceLine) bool { return l.Best }))
}

func (p *preview) Jump(to Spot) {
	p.back = append(p.back, p.At)
	p.At = to
	if !p.Wide {
		p.Tabs.Choose(TabCode)
	}
	p.visit()
}

func (p *preview) GoBack() {
	if n := len(p.back); n > 0 {
		p.At, p.back = p.back[n-1], p.back[:n-1]
		p.visit()
	}
}

func (p *preview) visit() {
	p.labels()
	terms := p.terms
	if len(p.back) > 0 && p.Name != "" {
		terms = highlight.Name(p.Name)
	}
	p.load(p.At, terms, nil)
}

func (p *preview) Tapped(line, column int) {
	if name := NameAt(p.Code.Lines.Lines[line], column); name != "" {
		p.Name = name
		p.labels()
		p.Tabs.Choose(TabUses)
	}
}

func NameAt(l widget.SourceLine, column int) string {
	if column >= len(l.Cells) || !nameRune(l.Cells[column].Rune) {
		return ""
	}
	var text []rune
	for _, c := range l.Cells {
		text = append(text, c.Rune)
	}
	before, after := string(text[:column]), string(text[column:])
	name := before[len(strings.TrimRightFunc(before, nameRune)):] +
		after[:len(after)-len(strings.TrimLeftFunc(after, nameRune))]
	if unicode.IsDigit([]rune(name)[0]) {
		return ""
	}
	return name
}

func nameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func (p *preview) menu() {
	w, f := p.s.w, p.Found
	var items []*fyne.MenuItem
	if f.File != "" {
		items = append(items, fyne.NewMenuItem(tr("Show in folder"), func() { w.reveal(f.File) }),
			fyne.NewMenuItem(tr("Open in another editor…"), func() { w.askOpener(f.File, f.Best, p.s.countOpened) }),
			fyne.NewMenuItem(tr("Copy path"), func() { w.copy(f.File) }))
	}
	if f.Page != "" {
		items = append(items, fyne.NewMenuItem(tr("Copy address"), func() { w.copy(f.Page) }))
		if f.File != "" {
			items = append(items, fyne.NewMenuItem(tr("Open page"), func() { w.browse(f.Page, p.s.countOpened) }))
		}
	}
	if text := p.Code.Lines.Text(); text != "" {
		items = append(items, fyne.NewMenuItem(tr("Copy selection"), func() { w.copy(text) }))
	}
	if len(f.Lines) > 0 {
		text := f.Lines[0].Text
		if f.Hit != nil {
			text = f.Hit.Text
		}
		items = append(items, fyne.NewMenuItem(tr("Copy lines"), func() { w.copy(text) }))
	}
	widget.ShowMenu(fyne.NewMenu("", items...), p.More)
}

const (
	placeHeight = 28
	placeShare  = 0.65
)

func (p *preview) layPlace(size fyne.Size) {
	x := float32(0)
	add := func(o fyne.CanvasObject, width, height float32) {
		widget.Place(o, x, (size.Height-height)/2, width, height)
		x += width
	}
	if p.Back1.Visible() {
		add(p.Back1, placeHeight, placeHeight)
	}
	most := size.Width - x
	if p.Crumbs.Visible() || p.stale.Value != "" {
		most *= placeShare
	}
	add(p.Title, min(p.Title.Full()+1, most), p.Title.MinSize().Height)
	if p.Crumbs.Visible() {
		add(p.Crumbs, min(p.Crumbs.MinSize().Width, size.Width-x), placeHeight)
	}
	x += widget.GapSmall
	add(p.stale, size.Width-x, p.stale.MinSize().Height)
}

// toolsWidth returns the width of all buttons. It includes hidden ones, so that the others don't move.
func (p *preview) toolsWidth() (width float32) {
	for _, b := range p.Tools.Objects {
		width += b.MinSize().Width + widget.GapSmall
	}
	return width - widget.GapSmall
}

func (p *preview) layTools(size fyne.Size) {
	over, x := p.toolsWidth()-size.Width, size.Width
	widths := map[fyne.CanvasObject]float32{}
	for _, b := range p.Tools.Objects {
		widths[b] = b.MinSize().Width
		if over > 0 {
			over -= widths[b] - widget.ButtonHeight
			widths[b] = widget.ButtonHeight
		}
	}
	for _, b := range slices.Backward(p.Tools.Objects) {
		widget.Place(b, x-widths[b], 0, widths[b], widget.ButtonHeight)
		x -= widths[b] + widget.GapSmall
	}
}

// sourceLines colours lines by language and marks terms.
func sourceLines(lines []api.Line, path string, best int, terms highlight.Terms) []widget.SourceLine {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	var out []widget.SourceLine
	for i, row := range widget.Colour(strings.Join(texts, "\n"), path) {
		if i == len(lines) {
			break
		}
		widget.Mark(row, terms.In)
		out = append(out, widget.SourceLine{Number: lines[i].Number, Cells: row, Best: lines[i].Number == best,
			Gap: i > 0 && lines[i].Number > lines[i-1].Number+1})
	}
	for len(out) < len(lines) { // lexers omit blank lines at the end
		out = append(out, widget.SourceLine{Number: lines[len(out)].Number})
	}
	return out
}

package ui

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/highlight"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

type spot struct {
	project, path string
	line          int
}

const (
	tabCode    present.Text = "Preview"
	tabWhy     present.Text = "Why"
	tabOutline present.Text = "Outline"
	tabUses    present.Text = "Uses"
)

type preview struct {
	s     *search
	found present.Found
	terms highlight.Terms
	at    spot
	back  []spot
	name  string
	round int // number of the newest request; older answers are discarded
	tab   present.Text
	wide  bool

	title  *text
	crumbs *button
	stale  *text
	back1  *button
	open   *button
	define *button
	more   *button
	tabs   *segments // a wide preview has no tab for the source
	code   *codeView
	prose  *excerpt
	main   *fyne.Container
	side   *fyne.Container
	head   *fyne.Container
	tools  *fyne.Container
	root   *fyne.Container
}

func newPreview(s *search) *preview {
	p := &preview{s: s, tab: tabCode, title: strong(""), stale: caption(""), code: newCodeView(),
		prose: newExcerpt(theme.SizeNameText, 0)}
	p.code.lines.tapped = p.tapped
	p.code.lines.chosen = func() { s.win.Canvas().Focus(s.field) } // Ctrl+C in the field copies the selection
	s.field.copied = p.code.lines.text
	p.crumbs = newButton("", func() { p.choose(tabOutline) }).as(toneLink)
	p.back1 = iconButton(theme.NavigateBackIcon(), p.goBack)
	p.open = primary("Open in editor", s.open).with(openIcon)
	p.define = newButton("Definition", p.definition).with(defineIcon)
	p.more = iconButton(theme.MoreHorizontalIcon(), p.menu)
	p.tabs = newSegments([]present.Text{tabCode, tabWhy, tabOutline, tabUses}, tabCode, p.choose)
	p.main = container.New(shownOne{}, p.code, tall(pad(gapSmall, gapSmall, 0, gapSmall, p.prose)))
	p.side = container.NewStack()
	p.head = container.New(placeLayout{}, p.back1, p.title, p.crumbs, p.stale)
	p.tools = container.New(toolsLayout{}, p.open, p.define, p.more)
	p.root = container.New(&previewLayout{p: p}, p.head, p.tabs.box, p.main, p.side,
		newFill(theme.ColorNameSeparator, 0), p.tools)
	p.back1.Hide()
	return p
}

var (
	openIcon = mark("open", theme.ColorNameForeground,
		`<path d="M6 3v1.6H3.6v7.8h7.8V10H13v4H2V3zM9 2h5v5h-1.6V4.7L8 9.1L6.9 8l4.4-4.4H9z"/>`)
	defineIcon = mark("define", theme.ColorNameForeground,
		`<path d="M3.2 2.5h1.6v5.7h5.4L8 6l1.1-1.1L13.2 9L9.1 13.1L8 12l2.2-2.2h-7z"/>`)
)

func (p *preview) shows(code bool) {
	shown := p.main.Objects[1]
	if code {
		shown = p.code
	}
	turn(p.main, shown)
}

func (p *preview) show(f present.Found, terms highlight.Terms) {
	p.found, p.terms, p.back = f, terms, nil
	p.at = spot{f.Project, f.Path, f.Best}
	p.name = f.Name()
	p.labels()
	p.round++
	code := f.Hit != nil || f.Source == present.SourceFiles
	p.shows(code)
	if code {
		p.load(p.at, p.terms, f.Lines)
	} else if len(f.Lines) > 0 {
		p.prose.set(f.Lines[0].Text, p.terms)
	}
	p.fill()
}

func (p *preview) labels() {
	f := p.found
	title, crumbs, stale := f.Path, f.Context, ""
	switch {
	case len(p.back) > 0:
		title, crumbs = p.at.path, ""
	case f.Page != "":
		title = f.Page
	case f.Path == "":
		title = present.Home(f.File, p.s.w.home)
	}
	if f.Stale && len(p.back) == 0 {
		stale = tr("changed since it was indexed")
	}
	p.title.set(title)
	p.crumbs.set(crumbs, nil)
	p.crumbs.Hidden = crumbs == ""
	p.stale.set(stale)
	p.back1.Hidden = len(p.back) == 0
	p.define.Hidden = p.name == ""
	p.openLabel()
	p.root.Refresh()
}

func (p *preview) names() {
	w := p.s.w
	aside(w, w.opts.Desktop.Openers, func(known []connect.Opener, err error) {
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
	case p.found.Page != "" && p.found.Source != present.SourceArchive:
		label = tr("Open page")
	case p.s.w.editor != "":
		label = tr("Open in %s", p.s.w.editor)
	}
	if p.open.Text != label {
		p.open.set(label, p.open.Icon)
		p.root.Refresh()
	}
}

// excerptPause is the time after which the result's own lines are shown if its file is still being read.
const excerptPause = 150 * time.Millisecond

func (p *preview) load(at spot, terms highlight.Terms, instead []api.Line) {
	p.round++
	round, read := p.round, false
	excerpt := func() {
		if p.round != round || read {
			return
		}
		lines := instead
		if p.found.Hit != nil && len(p.found.Hit.Lines) > 0 && len(instead) > 0 {
			lines = p.found.Hit.Lines
		}
		p.put(sourceLines(lines, at.path, at.line, terms))
	}
	p.s.w.after(excerptPause, excerpt)
	q := wire.FileText{Project: at.project, Path: at.path, Line: at.line}
	request(p.s.w, wire.MethodFileText, q, func(f api.FileText, err error) {
		if p.round != round || err != nil || f.Text == "" {
			excerpt()
			return
		}
		read = true
		var lines []api.Line
		for i, text := range strings.Split(f.Text, "\n") {
			lines = append(lines, api.Line{Number: f.First + i, Text: text})
		}
		p.put(sourceLines(lines, at.path, at.line, terms))
	})
}

func (p *preview) put(lines []sourceLine) {
	p.code.set(lines, slices.IndexFunc(lines, func(l sourceLine) bool { return l.best }))
}

func (p *preview) jump(to spot) {
	p.back = append(p.back, p.at)
	p.at = to
	if !p.wide {
		p.tabs.choose(tabCode)
	}
	p.labels()
	p.load(to, p.marked(), nil)
}

func (p *preview) goBack() {
	n := len(p.back)
	if n == 0 {
		return
	}
	p.at, p.back = p.back[n-1], p.back[:n-1]
	p.labels()
	p.load(p.at, p.marked(), nil)
}

func (p *preview) marked() highlight.Terms {
	if len(p.back) == 0 || p.name == "" {
		return p.terms
	}
	return highlight.Name(p.name)
}

func (p *preview) tapped(line, column int) {
	if name := nameAt(p.code.lines.lines[line], column); name != "" {
		p.name = name
		p.labels()
		p.tabs.choose(tabUses)
	}
}

func nameAt(l sourceLine, column int) string {
	if column >= len(l.cells) || !nameRune(l.cells[column].Rune) {
		return ""
	}
	from, to := column, column
	for from > 0 && nameRune(l.cells[from-1].Rune) {
		from--
	}
	for to < len(l.cells) && nameRune(l.cells[to].Rune) {
		to++
	}
	if unicode.IsDigit(l.cells[from].Rune) {
		return ""
	}
	var b strings.Builder
	for _, c := range l.cells[from:to] {
		b.WriteRune(c.Rune)
	}
	return b.String()
}

func nameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func (p *preview) menu() {
	w, f := p.s.w, p.found
	var items []*fyne.MenuItem
	if f.File != "" {
		items = append(items, fyne.NewMenuItem(tr("Show in folder"), func() { w.reveal(f.File) }),
			fyne.NewMenuItem(tr("Open in another editor…"), func() { w.askOpener(f.File, f.Best) }),
			fyne.NewMenuItem(tr("Copy path"), func() { w.copy(f.File) }))
	}
	if f.Page != "" {
		items = append(items, fyne.NewMenuItem(tr("Copy address"), func() { w.copy(f.Page) }))
		if f.File != "" {
			items = append(items, fyne.NewMenuItem(tr("Open page"), func() { w.browse(f.Page) }))
		}
	}
	if text := p.code.lines.text(); text != "" {
		items = append(items, fyne.NewMenuItem(tr("Copy selection"), func() { w.copy(text) }))
	}
	if len(f.Lines) > 0 {
		items = append(items, fyne.NewMenuItem(tr("Copy lines"), p.copy))
	}
	showMenu(fyne.NewMenu("", items...), p.more)
}

func (p *preview) copy() {
	switch {
	case p.found.Hit != nil:
		p.s.w.copy(p.found.Hit.Text)
	case len(p.found.Lines) > 0:
		p.s.w.copy(p.found.Lines[0].Text)
	default:
		p.s.w.copy(p.found.File)
	}
}

type placeLayout struct{}

const (
	placeHeight = 28
	placeShare  = 0.65
)

func (placeLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	add := func(o fyne.CanvasObject, width, height float32) {
		put(o, x, (size.Height-height)/2, width, height)
		x += width
	}
	if o[0].Visible() {
		add(o[0], placeHeight, placeHeight)
	}
	path, most := o[1].(*text), size.Width-x
	if o[2].Visible() || o[3].(*text).value != "" {
		most *= placeShare
	}
	add(path, min(path.full()+1, most), path.MinSize().Height)
	if o[2].Visible() {
		add(o[2], min(o[2].MinSize().Width, size.Width-x), placeHeight)
	}
	x += gapSmall
	add(o[3], size.Width-x, o[3].MinSize().Height)
}

func (placeLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, placeHeight) }

type toolsLayout struct{}

func (toolsLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	over := toolsLayout{}.MinSize(o).Width - size.Width
	x := size.Width
	for _, b := range slices.Backward(o) {
		if !b.Visible() {
			continue
		}
		width := b.MinSize().Width
		if over > 0 {
			over -= width - buttonHeight
			width = buttonHeight
		}
		put(b, x-width, 0, width, buttonHeight)
		x -= width + gapSmall
	}
}

func (toolsLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return layout.NewCustomPaddedHBoxLayout(gapSmall).MinSize(o)
}

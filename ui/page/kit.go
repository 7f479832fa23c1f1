package page

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func (w *Window) newEntry(value string, escape func()) *widget.Entry {
	e := widget.NewEntry(value, escape)
	e.Shortcut, e.Keys[fyne.KeyF1] = w.frame.Shortcut, w.frame.ShowKeys
	return e
}

func HintOf(key string, does present.Text) widget.Hint {
	return widget.Hint{Key: KeyName(key), Does: tr(does)}
}

func KeyName(keys string) string { return strings.Replace(keys, "Ctrl", tr("Ctrl"), 1) }

// fresh reports whether values have changed since the last call. *last stores them.
func fresh(last *string, values ...any) bool {
	before := *last
	*last = fmt.Sprint(values...)
	return *last != before
}

func tr(t present.Text, args ...any) string { return present.T(t, args...) }

func NewButton(label present.Text, tapped func()) *widget.Button {
	return widget.NewButton(tr(label), tapped)
}

func Primary(label present.Text, tapped func()) *widget.Button {
	return NewButton(label, tapped).As(widget.ToneMain)
}

func Link(label present.Text, tapped func()) *widget.Button {
	return NewButton(label, tapped).As(widget.ToneLink)
}

func newSegments(keys []present.Text, chosen present.Text, changed func(present.Text)) *widget.Segments[present.Text] {
	return widget.NewSegments(keys, func(k present.Text) string { return tr(k) }, chosen, changed)
}

func (w *Window) NewChooser(options []widget.Option, chosen string, changed func(key string)) *widget.Chooser {
	c := widget.NewChooser(options, chosen, changed)
	c.Escape, c.Filter, c.None = w.CloseSheet, tr("Filter"), tr("No matches.")
	return c
}

func (w *Window) scrolled(e *fyne.ScrollEvent) {
	if w.Sheet != nil && w.Sheet.Scroll != nil {
		w.Sheet.Scroll.Scrolled(e)
	}
}

// glyphs contains the shapes of icons by name.
//
//go:embed glyphs.txt
var glyphs string

func shapeOf(name string) string {
	_, rest, _ := strings.Cut("\n"+glyphs, "\n"+name+" ")
	shape, _, _ := strings.Cut(rest, "\n")
	return shape
}

func glyph(name string) fyne.Resource { return widget.LineIcon(name, shapeOf(name)) }

func sign(name string, c fyne.ThemeColorName) fyne.Resource {
	return widget.Sign(name, c, shapeOf(name))
}

var Marks = map[present.Mark]fyne.Resource{
	present.MarkReady:  sign("mark-ready", widget.ColorReady),
	present.MarkBusy:   sign("mark-busy", theme.ColorNamePrimary),
	present.MarkPaused: sign("mark-paused", widget.ColorMuted),
	present.MarkNeeds:  sign("mark-needs", theme.ColorNameWarning),
	present.MarkGone:   sign("mark-gone", widget.ColorMuted),
}

func editorGlyph(name string) fyne.Resource {
	for l := range strings.Lines(glyphs) {
		id, _, _ := strings.Cut(l, " ")
		if editor, is := strings.CutPrefix(id, "editor-"); is && strings.HasPrefix(flat(name), flat(editor)) {
			return glyph(id)
		}
	}
	return glyph("editors")
}

func editorMark(name string) fyne.CanvasObject {
	return container.New(widget.Sized{Width: 24, Height: 24}, fynewidget.NewIcon(editorGlyph(name)))
}

func flat(s string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(s))
}

type part struct {
	key, title string
	row        fyne.CanvasObject
	step       *widget.Button
	body       func() fyne.CanvasObject
	buttons    func() []fyne.CanvasObject
}

type parts struct {
	w      *Window
	page   Page
	all    []part
	List   *widget.List
	chosen string
	wrong  *fyne.Container
	root   fyne.CanvasObject
}

func newParts(w *Window, page Page) *parts {
	p := &parts{w: w, page: page, wrong: container.NewStack()}
	p.List = widget.NewList(rowHeight, func() int { return len(p.all) },
		func() (fyne.CanvasObject, func(i int)) {
			o := container.NewStack()
			return o, func(i int) {
				o.Objects = []fyne.CanvasObject{p.all[i].row}
				if b := p.all[i].step; b != nil {
					b.Hidden = i == p.List.At // the open sheet has the same button
				}
				o.Refresh()
			}
		})
	p.List.Height = func(i int) float32 { // the height of wrapped text depends on the width
		r, width := p.all[i].row, p.List.Width()
		r.Resize(fyne.NewSize(width, r.Size().Height))
		least := float32(rowHeight)
		if p.all[i].key == "" {
			least = HeadingHeight
		}
		r.Resize(fyne.NewSize(width, max(least, r.MinSize().Height)))
		return r.Size().Height
	}
	p.List.Stops = func(i int) bool { return p.all[i].key != "" }
	w.beside(p.List, p.show)
	p.root = container.NewStack(widget.Pad(0, -widget.GapGroup, 0, 0, p.List.InMargin()),
		p.wrong)
	return p
}

func partHead(title present.Text) part {
	return part{row: widget.Pad(widget.GapSmall, 0, widget.GapSmall, 0,
		container.New(widget.Sized{Height: 22}, widget.Strong(tr(title))))}
}

func (p *parts) say(o fyne.CanvasObject) {
	p.wrong.Objects = []fyne.CanvasObject{widget.Column(0, widget.Pad(widget.GapGroup, 0, 0, 0, o))}
	p.wrong.Refresh()
}

func (p *parts) fail(err error, again func()) {
	p.set(nil)
	p.say(p.w.ProblemBox(present.ProblemOf(err), again))
}

func (p *parts) show(i int) {
	x := p.all[i]
	p.chosen = x.key
	s := &Sheet{Title: x.title, Body: x.body(), still: true, From: p.List, Row: i}
	if x.buttons != nil {
		s.Buttons = x.buttons()
	}
	p.w.Open(s)
}

func (p *parts) Open(key string) {
	if i := slices.IndexFunc(p.all, func(x part) bool { return x.key == key }); i >= 0 {
		p.List.Choose(i)
	}
}

// set replaces the rows and the open sheet.
func (p *parts) set(all []part) {
	p.all, p.wrong.Objects = all, nil
	p.List.Refresh()
	s := p.w.Sheet
	ours := s != nil && s.From == p.List
	if !ours && (s != nil || p.w.Current != p.page || !p.w.offers()) {
		return
	}
	i := slices.IndexFunc(all, func(x part) bool { return x.key != "" && x.key == p.chosen })
	if i < 0 {
		i = slices.IndexFunc(all, func(x part) bool { return x.key != "" })
	}
	if i < 0 {
		return
	}
	p.show(i)
	if ours {
		p.w.Sheet.Scroll.ScrollToOffset(s.Scroll.Offset)
	}
}

// offers reports whether a page may open a sheet itself, because the window is wide and the user has not closed one.
func (w *Window) offers() bool { return w.roomy() && w.dismissed != w.Current }
func (w *Window) roomy() bool  { return w.Panes.Size().Width >= panesFrom }

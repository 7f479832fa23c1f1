package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type option struct {
	key  string
	name string
	note string // muted text after the name, such as a path
}

type chooser struct {
	button
	w       *Window
	options []option
	chosen  string
	changed func(key string)
	popup   *popup
}

func (w *Window) newChooser(options []option, chosen string, changed func(key string)) *chooser {
	c := &chooser{w: w, changed: changed}
	c.tone, c.Icon, c.escape = toneChoice, theme.MenuDropDownIcon(), w.closeSheet
	c.ExtendBaseWidget(c)
	c.offer(options, chosen)
	return c
}

// offer replaces the options and the chosen option without calling changed. It does not change an open list.
func (c *chooser) offer(options []option, chosen string) {
	c.options, c.chosen = options, chosen
	c.set(c.shown(), c.Icon)
}

func (c *chooser) shown() string {
	if i := slices.IndexFunc(c.options, func(o option) bool { return o.key == c.chosen }); i >= 0 {
		return c.options[i].name
	}
	return ""
}

func (c *chooser) choose(key string) {
	c.close()
	if key != c.chosen {
		c.offer(c.options, key)
		if c.changed != nil {
			c.changed(key)
		}
	}
}

const (
	choiceHeight = 32
	choiceWidth  = 280
	shownChoices = 10
	filterFrom   = 8
)

func (c *chooser) open(filter string) {
	at := fyne.CurrentApp().Driver()
	onto := at.CanvasForObject(c)
	if c.Disabled() || onto == nil || len(c.options) == 0 {
		return
	}
	c.close()
	found := c.options
	l := newPickList(choiceHeight, func() int { return len(found) }, newChoiceRow, func(i int, o fyne.CanvasObject) {
		o.(*choiceRow).set(found[i], found[i].key == c.chosen)
	})
	l.escape = c.close
	pick := func() {
		if l.at >= 0 && l.at < len(found) {
			c.choose(found[l.at].key)
		}
	}
	l.picked, l.clicked = pick, func(int) { pick() }
	none := pad(gapSmall, gapSmall, gapSmall, gapSmall, muted(tr("No match.")))
	none.Hide()
	content := fyne.CanvasObject(container.NewStack(l, none))
	height := float32(min(len(found), shownChoices)) * choiceHeight
	first := fyne.Focusable(l)
	if len(c.options) >= filterFrom {
		field := c.w.newEntry("", c.close)
		field.Icon = theme.SearchIcon()
		field.SetPlaceHolder(tr("Filter"))
		for key, by := range steps {
			field.keys[key] = func() { l.step(by) }
		}
		field.OnSubmitted = func(string) { pick() }
		field.OnChanged = func(text string) {
			found = filtered(c.options, text)
			none.Hidden = len(found) > 0
			none.Refresh()
			l.Refresh()
			l.toTop()
			l.choose(0)
		}
		content = below(4, field, content)
		height += field.MinSize().Height + 4
		first = field
		defer func() {
			if filter != "" {
				field.SetText(filter)
			}
		}()
	}
	l.Refresh()
	c.popup = newPopup(content, onto, c.close)
	c.popup.beside(c, max(c.Size().Width, choiceWidth), height)
	onto.Focus(first)
	l.choose(max(0, slices.IndexFunc(found, func(o option) bool { return o.key == c.chosen })))
	c.w.chooser = c
}

func (c *chooser) close() {
	if c.popup != nil {
		c.popup.away()
		c.popup = nil
	}
	c.w.chooser = nil
}

func (w *Window) closeChooser() {
	if w.chooser != nil {
		w.chooser.close()
	}
}

// filtered returns the options that contain every word of text. Options whose name starts with the first word precede
// the others.
func filtered(options []option, text string) []option {
	words := strings.Fields(strings.ToLower(text))
	var found []option
	for _, o := range options {
		in := strings.ToLower(o.name + " " + o.note)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(in, w) }) {
			found = append(found, o)
		}
	}
	begins := func(o option) bool { return len(words) > 0 && strings.HasPrefix(strings.ToLower(o.name), words[0]) }
	order := map[bool]int{true: -1}
	slices.SortStableFunc(found, func(a, b option) int { return order[begins(a)] - order[begins(b)] })
	return found
}

type choiceRow struct {
	widget.BaseWidget
	check       *fyne.Container
	name, note  *text
	words, line *fyne.Container
}

func newChoiceRow() fyne.CanvasObject {
	r := &choiceRow{name: plain(""), note: caption(""),
		check: container.New(fixed{buttonIcon, buttonIcon}, widget.NewIcon(theme.ConfirmIcon()))}
	r.words = container.New(beside{}, r.name, r.note)
	r.line = container.New(fixed{height: choiceHeight}, pad(0, 0, gapSmall, gapSmall, container.NewBorder(nil, nil,
		wide(buttonIcon+gapSmall, container.NewBorder(nil, nil, centred(r.check), nil)), nil, r.words)))
	r.ExtendBaseWidget(r)
	return r
}

func (r *choiceRow) set(o option, chosen bool) {
	r.name.set(o.name)
	r.note.set(o.note)
	r.check.Hidden = !chosen
	r.line.Refresh()
}

func (r *choiceRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.line) }

// beside puts a note after a name on one line. The name takes at most two thirds of the width if both don't fit.
type beside struct{}

func (beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	name, note := objects[0].(*text), objects[1].(*text)
	width := min(name.full(), size.Width)
	if note.value != "" {
		width = min(width, max(size.Width*2/3, size.Width-gapSmall-note.full()))
	}
	h := name.MinSize().Height
	put(name, 0, (size.Height-h)/2, width, h)
	below := (h - note.MinSize().Height) * 0.8 // aligns the baselines of name and note
	put(note, width+gapSmall, (size.Height-h)/2+below, max(0, size.Width-width-gapSmall), note.MinSize().Height)
}

func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objects[0].MinSize().Height)
}

func (c *chooser) Tapped(*fyne.PointEvent) {
	if c.popup != nil && c.popup.Visible() {
		c.close()
		return
	}
	c.open("")
}

func (c *chooser) TypedRune(r rune) {
	if r != ' ' { // TypedKey handles Space
		c.open(string(r))
	}
}
func (c *chooser) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown, fyne.KeyUp:
		c.open("")
	default:
		c.button.TypedKey(e)
	}
}

// popup is a panel above the canvas. A click outside calls closed. If closed is nil, the popup is a dialog and dims the
// content below.
type popup struct {
	widget.BaseWidget
	content fyne.CanvasObject
	onto    fyne.Canvas
	closed  func()
	at      fyne.Position
	inner   fyne.Size // zero for a centred panel of minimum size
}

var _ fyne.Tappable = (*popup)(nil)

func newPopup(content fyne.CanvasObject, onto fyne.Canvas, closed func()) *popup {
	p := &popup{content: content, onto: onto, closed: closed}
	p.ExtendBaseWidget(p)
	return p
}

func (p *popup) Tapped(*fyne.PointEvent) {
	if p.closed != nil {
		p.closed()
	}
}
func (p *popup) TappedSecondary(e *fyne.PointEvent) { p.Tapped(e) }

func (*popup) Scrolled(*fyne.ScrollEvent) {}

func (p *popup) show() {
	p.Resize(p.onto.Size())
	p.Refresh()
	if p.onto.Overlays().Top() != fyne.CanvasObject(p) {
		p.onto.Overlays().Add(p)
	}
}

func (p *popup) away() { p.onto.Overlays().Remove(p) }

// centre shows the panel in the middle at its minimum size. Wrapped text needs two passes.
func (p *popup) centre() {
	p.show()
	p.Refresh()
}

func (p *popup) beside(o fyne.CanvasObject, width, height float32) {
	pos, all := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), p.onto.Size()
	height += 2 * gapSmall
	below := all.Height - pos.Y - o.Size().Height - gapSmall
	y := pos.Y + o.Size().Height + 2
	if above := pos.Y - gapSmall; below < height && above > below {
		height = min(height, above)
		y = pos.Y - height - 2
	} else {
		height = min(height, below)
	}
	p.at, p.inner = fyne.NewPos(max(gapSmall, min(pos.X, all.Width-width-gapSmall)), y), fyne.NewSize(width, height)
	p.show()
}

const menuWidth = 200

func showMenu(m *fyne.Menu, below fyne.CanvasObject) {
	onto := fyne.CurrentApp().Driver().CanvasForObject(below)
	if onto == nil {
		return
	}
	var p *popup
	separator := func(i int) bool { return m.Items[i].IsSeparator }
	l := newPickList(choiceHeight, func() int { return len(m.Items) },
		func() fyne.CanvasObject { return pad((choiceHeight-20)/2, 0, gapSmall, gapSmall, plain("")) },
		func(i int, o fyne.CanvasObject) {
			o.(*fyne.Container).Objects[0].(*text).set(m.Items[i].Label)
		})
	l.height = func(i int) float32 {
		if separator(i) {
			return gapSmall
		}
		return choiceHeight
	}
	l.stops = func(i int) bool { return !separator(i) }
	l.escape = func() { p.away() }
	pick := func() {
		p.away()
		m.Items[l.at].Action()
	}
	l.picked = pick
	l.clicked = func(i int) {
		if !separator(i) {
			pick()
		}
	}
	width, height := float32(menuWidth), float32(0)
	for i, item := range m.Items {
		width = max(width, plain(item.Label).full()+4*gapSmall)
		height += l.height(i)
	}
	p = newPopup(l, onto, l.escape)
	l.Refresh()
	p.beside(below, width, height)
	onto.Focus(l)
}

const (
	shadowSteps = 6
	shadowStep  = 3
	shadowFall  = 4
	panelRadius = 10
)

func (p *popup) CreateRenderer() fyne.WidgetRenderer {
	veil, ground := newFill(colorVeil, 0), newFill(theme.ColorNameOverlayBackground, panelRadius)
	ground.stroke(theme.ColorNameSeparator, 1)
	panel, objects := newTapArea(ground, nil), []fyne.CanvasObject{veil} // so that clicks on the panel do not close it
	for i := range shadowSteps {
		objects = append(objects, newFill(colorShade, panelRadius+float32(shadowSteps-i)*shadowStep))
	}
	place := func(size fyne.Size) {
		at, inner, edge := p.at, p.inner, float32(gapSmall)
		if p.closed == nil {
			edge = 0 // a dialog has its own padding
		}
		if inner.IsZero() {
			p.content.Resize(p.content.MinSize()) // the height of wrapped text depends on its width
			inner = p.content.MinSize().Min(size)
			at = fyne.NewPos((size.Width-inner.Width)/2, (size.Height-inner.Height)/2)
		}
		veil.Resize(size)
		for i, s := range objects[1 : shadowSteps+1] {
			grow := float32(shadowSteps-i) * shadowStep
			put(s, at.X-grow, at.Y-grow+shadowFall, inner.Width+2*grow, inner.Height+2*grow)
		}
		put(panel, at.X, at.Y, inner.Width, inner.Height)
		put(p.content, at.X+edge, at.Y+edge, inner.Width-2*edge, inner.Height-2*edge)
	}
	return newDrawing(p, func() fyne.Size { return fyne.Size{} }, place, func() {
		veil.Hidden = p.closed != nil
		place(p.Size())
		canvas.Refresh(p)
	}, append(objects, panel, p.content)...)
}

type tapArea struct {
	widget.BaseWidget
	content fyne.CanvasObject
	tapped  func()
	moved   func()
}

var _ desktop.Hoverable = (*tapArea)(nil)

func newTapArea(content fyne.CanvasObject, tapped func()) *tapArea {
	t := &tapArea{content: content, tapped: tapped}
	t.ExtendBaseWidget(t)
	return t
}

func (t *tapArea) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.content) }

func (t *tapArea) Tapped(*fyne.PointEvent) {
	if t.tapped != nil {
		t.tapped()
	}
}

func (t *tapArea) MouseIn(e *desktop.MouseEvent) { t.MouseMoved(e) }
func (t *tapArea) MouseOut()                     {}
func (t *tapArea) MouseMoved(*desktop.MouseEvent) {
	if t.moved != nil {
		t.moved()
	}
}

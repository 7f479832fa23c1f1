package page

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func (w *Window) LeftOut(root string, s api.Skipped, examples map[api.Reason][]string) (*widget.Button,
	*fyne.Container) {
	list := skippedList(s, examples)
	return w.folding(root, "Show excluded files", "Hide excluded files", list), list
}

func skippedList(s api.Skipped, examples map[api.Reason][]string) *fyne.Container {
	rows := widget.Column(6)
	for _, l := range present.Skipped(s, examples) {
		head := container.NewBorder(nil, nil, nil, widget.WholeCaption(present.Number(l.Count)), widget.Prose(l.Reason))
		rows.Add(head)
		if n := len(l.Examples); n > 0 {
			rows.Add(widget.Pad(-4, 0, 0, 0, widget.Caption(strings.Join(l.Examples[:min(n, 2)], ", "))))
		}
	}
	return rows
}

type Sheet struct {
	Title                   string
	Body, whole, foot, left fyne.CanvasObject // left is a button left of Buttons
	Buttons                 []fyne.CanvasObject
	first                   fyne.Focusable // control that gets the focus; nil means the main button
	still                   bool
	fenced                  bool // Tab stays in the sheet
	refresh                 func()
	From                    *widget.List
	Row                     int
	Scroll                  *widget.Scroll
	before                  fyne.Focusable
}

func (w *Window) Open(s *Sheet) {
	s.before = w.Win.Canvas().Focused()
	if old := w.Sheet; old != nil && !old.still {
		s.before = old.before
	}
	w.CloseSheet()
	shut := widget.IconButton(theme.CancelIcon(), w.Dismiss)
	shut.Escape = w.Dismiss
	first := fyne.Focusable(shut)
	for _, o := range s.Buttons {
		if b, ok := o.(*widget.Button); ok {
			b.Escape = w.Dismiss
			if !b.Disabled() {
				first = b
			}
		}
	}
	var foot fyne.CanvasObject
	if len(s.Buttons) > 0 {
		parts := []fyne.CanvasObject{fynewidget.NewSeparator(),
			widget.Row(append([]fyne.CanvasObject{s.left, layout.NewSpacer()}, s.Buttons...)...)}
		if s.foot != nil {
			parts = slices.Insert(parts, 1, s.foot)
		}
		foot = widget.Column(widget.GapSmall, parts...)
	}
	content := s.whole
	if content == nil {
		const gap = widget.GapSmall // for focus rings at the left
		s.Scroll = widget.Tall(widget.Pad(gap, gap, gap, gap, s.Body))
		content = widget.Pad(0, 0, -gap, 0, s.Scroll)
	}
	title := widget.Heading(s.Title)
	title.Inner = true
	head := widget.Column(widget.GapSmall, widget.HeadLine(title, shut), fynewidget.NewSeparator())
	inner := container.NewBorder(head, foot, nil, nil, content)
	var framed fyne.CanvasObject = widget.Pad(widget.GapGroup, widget.GapGroup, widget.GapPage, widget.GapPage, inner)
	if s.fenced {
		framed = widget.Fenced(framed)
	}
	line := container.New(widget.Sized{Width: 1}, widget.NewFill(theme.ColorNameSeparator, 0))
	w.Sheet = s
	if s.From != nil {
		s.From.At = s.Row
		s.From.Arrange(true)
	}
	w.Cover.Objects = []fyne.CanvasObject{widget.NewTapArea(
		container.NewStack(widget.NewFill(theme.ColorNameOverlayBackground, 0),
			container.NewBorder(nil, nil, line, nil, framed)), nil)}
	w.Cover.Show()
	w.Panes.Refresh()
	if s.first != nil {
		first = s.first
	}
	if !s.still {
		w.Win.Canvas().Focus(first)
	}
}

// Here returns a function that reports whether the user is still on the same page with the same sheet.
func (w *Window) Here() func() bool {
	at := func() string {
		if w.Sheet == nil {
			return string(w.Current)
		}
		return string(w.Current) + "\n" + w.Sheet.Title
	}
	before := at()
	return func() bool { return at() == before }
}

func (w *Window) Dismiss() {
	w.dismissed = w.Current
	w.CloseSheet()
}

func (w *Window) CloseSheet() {
	w.Tip.Leave()
	s := w.Sheet
	if s == nil {
		return
	}
	w.Sheet = nil
	w.Cover.Objects = nil
	w.Cover.Hide()
	w.Panes.Refresh()
	if !s.still {
		w.Win.Canvas().Unfocus()
		o, had := s.before.(fyne.CanvasObject)
		if had && fyne.CurrentApp().Driver().AbsolutePositionForObject(o) != fyne.NewPos(0, 0) { // still visible
			w.Win.Canvas().Focus(s.before)
		}
	}
	if s.From != nil && (s.From.ByMouse || w.Win.Canvas().Focused() != fyne.Focusable(s.From)) {
		s.From.Clear()
	}
}

// beside shows the details of l's highlighted row. If they would cover l, keys move the highlight and Enter shows them.
func (w *Window) beside(l *widget.List, show func(i int)) {
	l.Moved = func(i int) {
		if w.roomy() || l.ByMouse || w.Win.Canvas().Focused() != fyne.Focusable(l) {
			show(i)
		}
	}
	l.Picked = func() { show(l.At) }
}

// keepFocus calls redraw, which replaces the controls in o, and then focuses the new control with the same label or
// position.
func (w *Window) keepFocus(o fyne.CanvasObject, redraw func()) {
	c := w.Win.Canvas()
	if s := w.Sheet; s != nil && s.Scroll != nil {
		defer s.Scroll.ScrollToOffset(s.Scroll.Offset) // undo the scrolling of Focus
	}
	before := controls(o)
	at := slices.Index(before, c.Focused())
	redraw()
	after := controls(o)
	if at < 0 || len(after) == 0 {
		return
	}
	same := func(all []fyne.Focusable, label string) (places []int) {
		for i, f := range all {
			if labelOf(f) == label {
				places = append(places, i)
			}
		}
		return places
	}
	label := labelOf(before[at])
	to := min(at, len(after)-1)
	if places := same(after, label); len(places) > 0 {
		to = places[min(slices.Index(same(before, label), at), len(places)-1)]
	}
	c.Focus(after[to])
}

func labelOf(f fyne.Focusable) string {
	if b, ok := f.(*widget.Button); ok && b.Text != "" {
		return b.Text
	} else if ok && b.Icon != nil {
		return b.Icon.Name()
	}
	return fmt.Sprintf("%T", f)
}

// controls returns the visible controls in o, in Tab order.
func controls(o fyne.CanvasObject) (all []fyne.Focusable) {
	if !o.Visible() {
		return nil
	}
	if f, ok := o.(fyne.Focusable); ok {
		return []fyne.Focusable{f}
	}
	for _, child := range widget.Children(o) {
		all = append(all, controls(child)...)
	}
	return all
}

// follow highlights the row of the open sheet after a list has changed.
func (w *Window) follow(l *widget.List, moved func(was int) int) {
	if s := w.Sheet; s != nil && s.From == l && s.Row >= 0 {
		s.Row = moved(s.Row)
		l.At = s.Row
	}
}

// slot returns a container with one object and a function that replaces the object. nil means no object.
func (w *Window) slot(first fyne.CanvasObject) (*fyne.Container, func(fyne.CanvasObject)) {
	slot := widget.Column(0, first)
	return slot, func(o fyne.CanvasObject) {
		before := slot.Objects
		if slot.Objects = nil; o != nil {
			slot.Objects = []fyne.CanvasObject{o}
		}
		if slices.Equal(slot.Objects, before) {
			return
		}
		slot.Refresh()
		w.Relayout()
	}
}

func FactList(facts []present.Fact) fyne.CanvasObject {
	rows := make([]fyne.CanvasObject, 0, len(facts))
	for _, f := range facts {
		label := container.NewVBox(widget.Wide(128, widget.Muted(tr(f.Label)))) // next to the first line of the value
		rows = append(rows, container.NewBorder(nil, nil, label, nil, widget.Prose(f.Value)))
	}
	return widget.Column(6, rows...)
}

func section(title present.Text, objects ...fyne.CanvasObject) fyne.CanvasObject {
	return widget.Column(widget.GapSmall, append([]fyne.CanvasObject{widget.Strong(tr(title))}, objects...)...)
}

func (w *Window) ProblemBox(p present.Problem, act func(), main ...bool) fyne.CanvasObject {
	detail := widget.Column(4)
	if p.Detail != "" {
		detail.Add(widget.Quiet(p.Detail))
		detail.Add(widget.Flush(Link("Copy", func() { w.copy(p.Detail) })))
	}
	buttons := widget.Row()
	if act != nil && p.Label != "" {
		b := NewButton(p.Label, act)
		if slices.Contains(main, true) {
			b.As(widget.ToneMain)
		}
		buttons.Add(b)
	}
	if p.Detail != "" {
		buttons.Add(w.folding(p.Detail, "Technical details", "Hide technical details", detail))
	}
	if len(buttons.Objects) == 1 && act == nil { // align a single link with the text
		buttons = widget.Pad(0, 0, -widget.GapSmall, 0, buttons)
	}
	return widget.Column(widget.GapSmall, Message(present.MarkNeeds, widget.Prose(p.Happened)),
		widget.Some(widget.Quiet, p.Means), buttons, detail)
}

// folding returns a link that shows and hides content. The window remembers by key what the user opened.
func (w *Window) folding(key string, show, hide present.Text, content *fyne.Container) *widget.Button {
	b := Link(show, nil)
	draw := func() {
		content.Hidden = !w.unfolded[key]
		b.Set(tr(map[bool]present.Text{true: show, false: hide}[content.Hidden]), nil)
	}
	b.OnTapped = func() {
		w.unfolded[key] = content.Hidden
		draw()
		w.Relayout()
	}
	draw()
	return b
}

func SetMark(i *fynewidget.Icon, m present.Mark) {
	if i.Resource != Marks[m] {
		i.SetResource(Marks[m])
	}
}

func icon(picture fyne.Resource) fyne.CanvasObject {
	return container.New(widget.Sized{Width: 16, Height: 16}, fynewidget.NewIcon(picture))
}

func twoLines(m present.Mark, name, line string, urgent bool, controls ...fyne.CanvasObject) fyne.CanvasObject {
	return noted(icon(Marks[m]), name, "", line, urgent, controls...)
}

func noted(picture fyne.CanvasObject, name, note, line string, urgent bool,
	controls ...fyne.CanvasObject) fyne.CanvasObject {
	second := widget.NewText(line, theme.SizeNameText, shown(urgent), false)
	title := widget.Strong(name)
	title.Inner = true
	first := widget.Beside(title, widget.Caption(note))
	return markedRow(picture, widget.Column(2, first, second), controls...)
}

func shown(urgent bool) fyne.ThemeColorName {
	if urgent {
		return theme.ColorNameWarning
	}
	return widget.ColorMuted
}

const rowText = 32

func markedRow(icon fyne.CanvasObject, lines fyne.CanvasObject, controls ...fyne.CanvasObject) *fyne.Container {
	icon = widget.Pad(2, 0, 4, rowText-24, container.NewVBox(icon))
	var end fyne.CanvasObject
	if len(controls) > 0 {
		end = widget.Centred(widget.Pad(0, 0, widget.GapGroup, 0, widget.Row(controls...)))
	}
	return container.New(widget.Sized{Height: rowHeight}, container.NewBorder(nil, nil, nil, end,
		widget.Centred(container.NewBorder(nil, nil, icon, nil, lines))))
}

func pictured(picture fyne.CanvasObject, m present.Mark, name, line string,
	controls ...fyne.CanvasObject) fyne.CanvasObject {
	state := widget.Quiet(line)
	if m != "" {
		state = Message(m, state)
	}
	return widget.Pad(4, 4, 0, widget.GapSmall, container.NewBorder(nil, nil,
		widget.Centred(widget.Pad(0, 0, 4, 12, picture)), nil,
		setting(widget.Column(2, widget.Strong(name), state), widget.Row(controls...))))
}

func more(label present.Text, do func()) *widget.Button {
	b := widget.IconButton(theme.MoreHorizontalIcon(), nil)
	b.OnTapped = func() { widget.ShowMenu(fyne.NewMenu("", fyne.NewMenuItem(tr(label), do)), b) }
	return b
}

func cardFoot(o fyne.CanvasObject) fyne.CanvasObject {
	return widget.Pad(widget.GapSmall, widget.GapSmall-4, 0, 0, o)
}

func group(title present.Text, objects ...fyne.CanvasObject) *fyne.Container {
	head := widget.HeadLine(widget.Strong(tr(title)), nil)
	return widget.Column(4, append([]fyne.CanvasObject{head, fynewidget.NewSeparator()}, objects...)...)
}

func card(rows []fyne.CanvasObject) fyne.CanvasObject {
	all := widget.Column(0)
	for i, r := range rows {
		if i > 0 {
			all.Add(fynewidget.NewSeparator())
		}
		all.Add(widget.Pad(4, 4, 0, 0, r))
	}
	return container.NewStack(widget.NewFill(theme.ColorNameInputBackground, widget.PanelRadius),
		widget.Pad(4, 4, widget.GapGroup, widget.GapGroup, all))
}

func settingRow(label, hint present.Text, control fyne.CanvasObject) fyne.CanvasObject {
	return labelled(tr(label), tr(hint), control)
}

func labelled(label, hint string, control fyne.CanvasObject) fyne.CanvasObject {
	return setting(widget.Column(2, widget.Prose(label), widget.Some(widget.Small, hint)), control)
}

const (
	mostControl  = 0.55
	leastSetting = 44
)

func setting(words, control fyne.CanvasObject) fyne.CanvasObject {
	least := func() fyne.Size {
		return fyne.NewSize(240, max(leastSetting, words.MinSize().Height+widget.GapSmall, control.MinSize().Height))
	}
	return container.New(widget.Layout{Min: least, Do: func(size fyne.Size) {
		m := control.MinSize()
		m.Width = min(m.Width, size.Width*mostControl)
		width := size.Width - m.Width - widget.GapGroup
		words.Resize(fyne.NewSize(width, words.MinSize().Height))
		h := words.MinSize().Height // height after wrapping
		widget.Place(words, 0, (size.Height-h)/2, width, h)
		widget.Place(control, size.Width-m.Width, (size.Height-m.Height)/2, m.Width, m.Height)
	}}, words, control)
}

func toggle(on bool, changed func(bool)) fyne.CanvasObject {
	c := widget.NewSwitch("")
	c.SetChecked(on)
	c.OnChanged = changed
	return c
}

func code(text string) fyne.CanvasObject {
	return codeLines(strings.Split(text, "\n"), func(string) fyne.ThemeColorName { return theme.ColorNameForeground })
}

// codeLines wraps long lines at their indentation, which may begin with a sign of a diff.
func codeLines(all []string, color func(line string) fyne.ThemeColorName) fyne.CanvasObject {
	rows := widget.Column(2)
	for _, l := range all {
		l = strings.ReplaceAll(l, "\t", "    ")
		c, words := color(l), strings.TrimLeft(l, "+- ")
		begin, rest := widget.NewText(l[:len(l)-len(words)], theme.SizeNameText, c, false), widget.NewParagraph("", c)
		begin.Elide, begin.Style.Monospace, rest.Style.TextStyle.Monospace = false, true, true
		rest.Set(words)
		rows.Add(container.NewBorder(nil, nil, container.NewVBox(begin), nil, rest.Box))
	}
	return container.NewStack(widget.NewFill(widget.ColorSidebar, 6),
		widget.Pad(widget.GapSmall, widget.GapSmall, widget.GapSmall, widget.GapSmall, rows))
}

func Caution(s string) fyne.CanvasObject { return Message(present.MarkNeeds, widget.Warning(s)) }

func Message(m present.Mark, sentence fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, widget.Pad(2, 0, 0, widget.GapSmall, container.NewVBox(icon(Marks[m]))), nil,
		sentence)
}

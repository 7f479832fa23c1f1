package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

type sheet struct {
	title   string
	body    fyne.CanvasObject
	whole   fyne.CanvasObject   // replaces body and has its own scroll bar
	foot    fyne.CanvasObject   // visible between body and buttons; may be nil
	buttons []fyne.CanvasObject // the main button is last
	first   fyne.Focusable      // gets the focus; nil means the main button
	still   bool                // the sheet does not take the focus
	refresh func()              // called after a change of the model
	from    *pickList
	row     int
	scroll  *scroll
	before  fyne.Focusable
}

func (w *Window) open(s *sheet) {
	s.before = w.win.Canvas().Focused()
	if old := w.sheet; old != nil && !old.still {
		s.before = old.before
	}
	w.closeSheet()
	shut := iconButton(theme.CancelIcon(), w.dismiss)
	shut.escape = w.dismiss
	first := fyne.Focusable(shut)
	for _, o := range s.buttons {
		if b, ok := o.(*button); ok {
			b.escape = w.dismiss
			if !b.Disabled() {
				first = b
			}
		}
	}
	var foot fyne.CanvasObject
	if len(s.buttons) > 0 {
		parts := []fyne.CanvasObject{widget.NewSeparator(),
			row(append([]fyne.CanvasObject{layout.NewSpacer()}, s.buttons...)...)}
		if s.foot != nil {
			parts = slices.Insert(parts, 1, s.foot)
		}
		foot = column(gapSmall, parts...)
	}
	content := s.whole
	if content == nil {
		s.scroll = tall(pad(gapSmall, gapSmall, 0, gapSmall, s.body))
		content = s.scroll
	}
	head := column(gapSmall, headLine(heading(s.title), shut), widget.NewSeparator())
	inner := container.NewBorder(head, foot, nil, nil, content)
	line := container.New(fixed{width: 1}, newFill(theme.ColorNameSeparator, 0))
	w.sheet = s
	if s.from != nil {
		s.from.at = s.row
		s.from.body.arrange(true)
	}
	w.cover.Objects = []fyne.CanvasObject{newTapArea(container.NewStack(newFill(theme.ColorNameOverlayBackground, 0),
		container.NewBorder(nil, nil, line, nil, pad(gapGroup, gapGroup, gapPage, gapPage, inner))), nil)}
	w.cover.Show()
	w.panes.Refresh()
	if s.first != nil {
		first = s.first
	}
	if !s.still {
		w.win.Canvas().Focus(first)
	}
}

// here returns a function that reports whether the user is still on the same page with a sheet of the same title. It
// compares titles, because lists replace the sheet of a changed row.
func (w *Window) here() func() bool {
	at := func() string {
		if w.sheet == nil {
			return string(w.current)
		}
		return string(w.current) + "\n" + w.sheet.title
	}
	before := at()
	return func() bool { return at() == before }
}

func (w *Window) dismiss() {
	w.dismissed = w.current
	w.closeSheet()
}

func (w *Window) closeSheet() {
	w.tip.leave()
	s := w.sheet
	if s == nil {
		return
	}
	w.sheet = nil
	w.cover.Objects = nil
	w.cover.Hide()
	w.panes.Refresh()
	if !s.still {
		w.focusBack(s.before)
	}
	if s.from != nil {
		s.from.clear()
	}
}

// focusBack returns the focus to the widget that had it before, if it is still visible.
func (w *Window) focusBack(before fyne.Focusable) {
	c := w.win.Canvas()
	c.Unfocus()
	o, had := before.(fyne.CanvasObject)
	if had && fyne.CurrentApp().Driver().AbsolutePositionForObject(o) != fyne.NewPos(0, 0) {
		c.Focus(before)
	}
}

// follow keeps the highlight of l on the entry of the open sheet. at returns the entry's new row, given its old row.
func (w *Window) follow(l *pickList, at func(was int) int) {
	if s := w.sheet; s != nil && s.from == l && s.row >= 0 {
		s.row = at(s.row)
		l.at = s.row
	}
}

// slot returns an empty container and a function that fills it.
func (w *Window) slot() (*fyne.Container, func(fyne.CanvasObject)) {
	slot := container.NewStack()
	return slot, func(o fyne.CanvasObject) {
		slot.Objects = []fyne.CanvasObject{o}
		slot.Refresh()
		w.relayout()
	}
}

func factList(facts []present.Fact) fyne.CanvasObject {
	rows := make([]fyne.CanvasObject, 0, len(facts))
	for _, f := range facts {
		label := container.NewVBox(wide(128, muted(tr(f.Label)))) // aligns the label with the first line
		rows = append(rows, container.NewBorder(nil, nil, label, nil, prose(f.Value)))
	}
	return column(6, rows...)
}

func section(title present.Text, objects ...fyne.CanvasObject) fyne.CanvasObject {
	return column(gapSmall, append([]fyne.CanvasObject{strong(tr(title))}, objects...)...)
}

func (w *Window) problemBox(p present.Problem, act func(), main ...bool) fyne.CanvasObject {
	parts := []fyne.CanvasObject{message(present.MarkNeeds, prose(p.Happened))}
	if p.Means != "" {
		parts = append(parts, quiet(p.Means))
	}
	detail := column(4)
	if p.Detail != "" {
		detail.Add(quiet(p.Detail))
		detail.Add(flush(link("Copy", func() { w.copy(p.Detail) })))
		detail.Hide()
	}
	buttons := row()
	if act != nil && p.Label != "" {
		b := newButton(p.Label, act)
		if slices.Contains(main, true) {
			b.as(toneMain)
		}
		buttons.Add(b)
	}
	if p.Detail != "" {
		buttons.Add(folding("Technical details", "Hide technical details", detail, w.relayout))
	}
	if len(buttons.Objects) == 1 && act == nil { // aligns the only link with the edge
		buttons = pad(0, 0, -gapSmall, 0, buttons)
	}
	parts = append(parts, buttons, detail)
	return column(gapSmall, parts...)
}

func folding(show, hide present.Text, what fyne.CanvasObject, changed func()) *button {
	var b *button
	b = link(show, func() {
		if what.Visible() {
			what.Hide()
			b.set(tr(show), nil)
		} else {
			what.Show()
			b.set(tr(hide), nil)
		}
		changed()
	})
	return b
}

func setMark(i *widget.Icon, m present.Mark) {
	if i.Resource != marks[m] {
		i.SetResource(marks[m])
	}
}

func markIcon(m present.Mark) fyne.CanvasObject {
	i := widget.NewIcon(marks[m])
	return container.New(fixed{16, 16}, i)
}

func twoLines(m present.Mark, name, line string, urgent bool, controls ...fyne.CanvasObject) fyne.CanvasObject {
	return under(m, strong(name), line, urgent, controls...)
}

func under(m present.Mark, first fyne.CanvasObject, line string, urgent bool,
	controls ...fyne.CanvasObject) fyne.CanvasObject {
	second := muted(line)
	second.color = shown(urgent)
	return markedRow(markIcon(m), column(2, first, second), controls...)
}

func shown(urgent bool) fyne.ThemeColorName {
	if urgent {
		return theme.ColorNameWarning
	}
	return colorMuted
}

const rowText = 32

func markedRow(icon fyne.CanvasObject, lines fyne.CanvasObject, controls ...fyne.CanvasObject) *fyne.Container {
	icon = pad(2, 0, 4, rowText-24, container.NewVBox(icon))
	return container.New(fixed{height: rowHeight}, container.NewBorder(nil, nil, nil, atEnd(controls),
		centred(container.NewBorder(nil, nil, icon, nil, lines))))
}

func pictured(picture fyne.CanvasObject, m present.Mark, name, line string,
	controls ...fyne.CanvasObject) fyne.CanvasObject {
	state := quiet(line)
	if m != "" {
		state = message(m, state)
	}
	return pad(4, 4, 0, gapSmall, container.NewBorder(nil, nil, centred(pad(0, 0, 4, 12, picture)), nil,
		container.New(settingLayout{}, column(2, strong(name), state), row(controls...))))
}

func atEnd(controls []fyne.CanvasObject) fyne.CanvasObject {
	if len(controls) == 0 {
		return nil
	}
	return centred(pad(0, 0, gapGroup, 0, row(controls...)))
}

func more(label present.Text, do func()) *button {
	b := iconButton(theme.MoreHorizontalIcon(), nil)
	b.OnTapped = func() { showMenu(fyne.NewMenu("", fyne.NewMenuItem(tr(label), do)), b) }
	return b
}

func cardFoot(o fyne.CanvasObject) fyne.CanvasObject { return pad(gapSmall, gapSmall-4, 0, 0, o) }

func group(title present.Text, control fyne.CanvasObject, objects ...fyne.CanvasObject) *fyne.Container {
	head := headLine(strong(tr(title)), control)
	return column(4, append([]fyne.CanvasObject{head, widget.NewSeparator()}, objects...)...)
}

func card(rows []fyne.CanvasObject) fyne.CanvasObject {
	all := column(0)
	for i, r := range rows {
		if i > 0 {
			all.Add(widget.NewSeparator())
		}
		all.Add(pad(4, 4, 0, 0, r))
	}
	return container.NewStack(newFill(theme.ColorNameInputBackground, panelRadius), pad(4, 4, gapGroup, gapGroup, all))
}

func settingRow(label, hint present.Text, control fyne.CanvasObject) fyne.CanvasObject {
	return labelled(tr(label), tr(hint), control)
}

func labelled(label, hint string, control fyne.CanvasObject) fyne.CanvasObject {
	words := column(2, prose(label))
	if hint != "" {
		words.Add(small(hint))
	}
	return container.New(settingLayout{}, words, control)
}

type settingLayout struct{}

const (
	mostControl  = 0.55
	leastSetting = 44
)

func (settingLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	control := o[1].MinSize()
	control.Width = min(control.Width, size.Width*mostControl)
	words := size.Width - control.Width - gapGroup
	o[0].Resize(fyne.NewSize(words, o[0].MinSize().Height))
	h := o[0].MinSize().Height // the height after wrapping
	put(o[0], 0, (size.Height-h)/2, words, h)
	o[1].Resize(control)
	o[1].Move(fyne.NewPos(size.Width-control.Width, (size.Height-control.Height)/2))
}

func (settingLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(240, max(leastSetting, o[0].MinSize().Height+gapSmall, o[1].MinSize().Height))
}

func toggle(on bool, changed func(bool)) fyne.CanvasObject {
	c := newFlip("")
	c.SetChecked(on)
	c.OnChanged = changed
	return c
}

func code(text string) fyne.CanvasObject {
	label := widget.NewLabel(text)
	label.TextStyle.Monospace = true
	label.Selectable = true
	label.Wrapping = fyne.TextWrapWord
	return container.NewStack(newFill(colorSidebar, 6), label)
}

func message(m present.Mark, sentence fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, pad(2, 0, 0, gapSmall, container.NewVBox(markIcon(m))), nil, sentence)
}

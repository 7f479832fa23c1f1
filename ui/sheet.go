package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

// sheet is what stands beside a page: details and forms. There is one at a time.
type sheet struct {
	title   string
	body    fyne.CanvasObject   // scrolls
	whole   fyne.CanvasObject   // in place of body, what scrolls by itself
	foot    fyne.CanvasObject   // stays in sight between body and buttons; nil: nothing
	buttons []fyne.CanvasObject // below it, the main one last
	first   fyne.Focusable      // gets the focus; nil: the main button
	still   bool                // the focus stays where it is
	refresh func()              // when the model changed
	from    *pickList           // whose row it belongs to; nil: none
	row     int                 // that row
	scroll  *scroll             // of body, once it is open
	before  fyne.Focusable      // had the focus when it was opened
}

// open shows a sheet in place of the one before.
func (w *Window) open(s *sheet) {
	s.before = w.win.Canvas().Focused()
	if old := w.sheet; old != nil && !old.still {
		s.before = old.before
	}
	w.closeSheet()
	shut, back := iconButton(theme.CancelIcon(), w.dismiss), iconButton(theme.NavigateBackIcon(), w.dismiss)
	shut.escape, back.escape = w.dismiss, w.dismiss
	first := fyne.Focusable(shut)
	for _, o := range s.buttons {
		if b, ok := o.(*button); ok {
			b.escape = w.dismiss
			if !b.Disabled() {
				first = b
			}
		}
	}
	head := container.New(sheetHead{w}, back, heading(s.title), shut)
	var foot fyne.CanvasObject
	if len(s.buttons) > 0 {
		parts := []fyne.CanvasObject{widget.NewSeparator(), row(append([]fyne.CanvasObject{layoutSpacer()}, s.buttons...)...)}
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
	inner := container.NewBorder(column(gapSmall, head, widget.NewSeparator()), foot, nil, nil, content)
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

// sheetHead has a sheet's title in front of what closes it, or behind the way back where the sheet stands in the page's
// place.
type sheetHead struct{ w *Window }

func (sheetHead) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 36) }

func (x sheetHead) Layout(o []fyne.CanvasObject, size fyne.Size) {
	back, title, shut := o[0].(*button), o[1], o[2].(*button)
	back.Hidden, shut.Hidden = x.w.roomy(), !x.w.roomy()
	left, right := float32(0), float32(buttonHeight)
	if !back.Hidden {
		left, right = buttonHeight+4, 0
	}
	h := title.MinSize().Height
	title.Resize(fyne.NewSize(size.Width-left-right, h))
	title.Move(fyne.NewPos(left, (size.Height-h)/2))
	for _, b := range []fyne.CanvasObject{back, shut} {
		b.Resize(b.MinSize())
	}
	back.Move(fyne.NewPos(-7, 2)) // its own space, so that the picture begins at the edge
	shut.Move(fyne.NewPos(size.Width-buttonHeight, 2))
}

// here tells later whether the person still is on the page, and beside a sheet of the title, where they are now: a list
// makes its row's sheet anew when something changes.
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

// dismiss is closeSheet for the person.
func (w *Window) dismiss() {
	w.dismissed = w.current
	w.closeSheet()
}

// closeSheet takes the sheet away, if there is one.
func (w *Window) closeSheet() {
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

// focusBack gives the focus to what had it before, or to nothing if that is no longer on the screen.
func (w *Window) focusBack(before fyne.Focusable) {
	c := w.win.Canvas()
	c.Unfocus()
	o, had := before.(fyne.CanvasObject)
	if had && fyne.CurrentApp().Driver().AbsolutePositionForObject(o) != fyne.NewPos(0, 0) {
		c.Focus(before)
	}
}

// factList shows facts as label and value, which is broken rather than cut: its end may be what tells who asks.
func factList(facts []present.Fact) fyne.CanvasObject {
	rows := make([]fyne.CanvasObject, 0, len(facts))
	for _, f := range facts {
		label := container.NewVBox(wide(128, muted(tr(f.Label)))) // beside the first line
		rows = append(rows, container.NewBorder(nil, nil, label, nil, prose(f.Value)))
	}
	return column(6, rows...)
}

// section is a small title and what belongs to it.
func section(title present.Text, objects ...fyne.CanvasObject) fyne.CanvasObject {
	return column(gapSmall, append([]fyne.CanvasObject{strong(tr(title))}, objects...)...)
}

// problemBox shows an error: what happened, what it means, one button, which may be the main one; the technical line
// folded below with «Copy».
func (w *Window) problemBox(p present.Problem, act func(), main ...bool) fyne.CanvasObject {
	parts := []fyne.CanvasObject{
		container.NewBorder(nil, nil, pad(2, 0, 0, gapSmall, container.NewVBox(markIcon(present.MarkNeeds))), nil,
			prose(p.Happened)),
	}
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
			b.setTone(toneMain)
		}
		buttons.Add(b)
	}
	if p.Detail != "" {
		buttons.Add(folding("Technical details", "Hide technical details", detail, w.relayout))
	}
	if len(buttons.Objects) == 1 && act == nil { // a link alone begins at the edge
		buttons = pad(0, 0, -gapSmall, 0, buttons)
	}
	parts = append(parts, buttons, detail)
	return column(gapSmall, parts...)
}

// folding is a link that shows what is folded and then hides it again; changed is called each time.
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

// setMark changes a mark, if it is another one.
func setMark(i *widget.Icon, m present.Mark) {
	if i.Resource != marks[m] {
		i.SetResource(marks[m])
	}
}

func markIcon(m present.Mark) fyne.CanvasObject {
	i := widget.NewIcon(marks[m])
	return container.New(fixed{16, 16}, i)
}

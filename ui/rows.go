package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

// twoLines is a row of a short list: a mark, a name with a second line below it, controls at the right.
func twoLines(m present.Mark, name, line string, urgent bool, controls ...fyne.CanvasObject) fyne.CanvasObject {
	return under(m, strong(name), line, urgent, controls...)
}

// under is such a row whose first line is made already.
func under(m present.Mark, first fyne.CanvasObject, line string, urgent bool,
	controls ...fyne.CanvasObject) fyne.CanvasObject {
	second := muted(line)
	if urgent {
		second.setColor(theme.ColorNameWarning)
	}
	left := pad((rowHeight-40)/2+2, 0, 4, 12, container.NewVBox(markIcon(m))) // beside the first line
	return container.New(fixed{height: rowHeight}, container.NewBorder(nil, nil, left, aside(controls),
		centred(column(2, first, second))))
}

// pictured is a row with a picture in front of its two lines, and the mark, if any, in front of the second one.
func pictured(picture fyne.CanvasObject, m present.Mark, name, line string,
	controls ...fyne.CanvasObject) fyne.CanvasObject {
	state := quiet(line)
	if m != "" {
		state = message(m, state)
	}
	return pad(4, 4, 0, gapSmall, container.NewBorder(nil, nil, centred(pad(0, 0, 4, 12, picture)), nil,
		container.New(settingLayout{}, column(2, strong(name), state), row(controls...))))
}

// aside are a row's controls, clear of what they stand beside.
func aside(controls []fyne.CanvasObject) fyne.CanvasObject {
	if len(controls) == 0 {
		return nil
	}
	return centred(pad(0, 0, gapGroup, 0, row(controls...)))
}

// more offers what is done to a row once in a while.
func more(label present.Text, do func()) *button {
	b := iconButton(theme.MoreHorizontalIcon(), nil)
	b.OnTapped = func() { showMenu(fyne.NewMenu("", fyne.NewMenuItem(tr(label), do)), b) }
	return b
}

// cardFoot is what can be done to all rows of a card, clear of the last one's line and of the edge.
func cardFoot(o fyne.CanvasObject) fyne.CanvasObject { return pad(gapSmall, gapSmall-4, 0, 0, o) }

// list puts rows below each other with lines between them.
func list(rows ...fyne.CanvasObject) *fyne.Container {
	all := column(0)
	for i, r := range rows {
		if i > 0 {
			all.Add(widget.NewSeparator())
		}
		all.Add(r)
	}
	return all
}

// group is a section of a page with a line under its title, where a switch or button may stand at the right.
func group(title present.Text, control fyne.CanvasObject, objects ...fyne.CanvasObject) *fyne.Container {
	var side fyne.CanvasObject
	if control != nil {
		side = centred(control)
	}
	head := container.New(fixed{height: 36}, container.NewBorder(nil, nil, nil, side, centred(strong(tr(title)))))
	return column(4, append([]fyne.CanvasObject{head, widget.NewSeparator()}, objects...)...)
}

// card puts rows on a ground of their own, with lines between them.
func card(rows []fyne.CanvasObject) fyne.CanvasObject {
	all := make([]fyne.CanvasObject, len(rows))
	for i, r := range rows {
		all[i] = pad(4, 4, 0, 0, r)
	}
	return container.NewStack(newFill(themeInput, panelRadius), pad(4, 4, gapGroup, gapGroup, list(all...)))
}

// settingRow is a label, what explains it, and the control at the right.
func settingRow(label, hint present.Text, control fyne.CanvasObject) fyne.CanvasObject {
	return labelled(tr(label), tr(hint), control)
}

// labelled is settingRow with texts that are already said.
func labelled(label, hint string, control fyne.CanvasObject) fyne.CanvasObject {
	words := column(2, prose(label))
	if hint != "" {
		words.Add(small(hint))
	}
	return container.New(settingLayout{}, words, control)
}

// settingLayout puts a control at the right of the words about it, which break into as many lines as they take.
type settingLayout struct{}

// mostControl is what of a row's width its control may take, leastSetting the row's height.
const (
	mostControl  = 0.55
	leastSetting = 44
)

func (settingLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	control := o[1].MinSize()
	control.Width = min(control.Width, size.Width*mostControl)
	words := size.Width - control.Width - gapGroup
	o[0].Resize(fyne.NewSize(words, o[0].MinSize().Height))
	h := o[0].MinSize().Height // of text that is broken into this width
	o[0].Resize(fyne.NewSize(words, h))
	o[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	o[1].Resize(control)
	o[1].Move(fyne.NewPos(size.Width-control.Width, (size.Height-control.Height)/2))
}

func (settingLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(240, max(leastSetting, o[0].MinSize().Height+gapSmall, o[1].MinSize().Height))
}

// toggle is a switch at the right edge. It is set before it tells of changes.
func toggle(on bool, changed func(bool)) fyne.CanvasObject {
	c := newFlip("")
	c.SetChecked(on)
	c.OnChanged = changed
	return c
}

// code is text in the type of code on a ground of its own, which can be selected.
func code(text string) fyne.CanvasObject {
	label := widget.NewLabel(text)
	label.TextStyle.Monospace = true
	label.Selectable = true
	label.Wrapping = fyne.TextWrapWord
	return container.NewStack(newFill(colorSidebar, 6), label)
}

// message is a mark and a sentence.
func message(m present.Mark, sentence fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, pad(2, 0, 0, gapSmall, container.NewVBox(markIcon(m))), nil, sentence)
}

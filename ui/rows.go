package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

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

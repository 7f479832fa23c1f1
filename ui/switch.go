package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"searchmcp/ui/present"
)

type flip struct {
	button
	Checked   bool
	OnChanged func(bool)
}

func newFlip(label present.Text) *flip {
	f := &flip{}
	f.Text = tr(label)
	f.OnTapped = func() { f.SetChecked(!f.Checked) }
	f.ExtendBaseWidget(f)
	return f
}

func (f *flip) SetChecked(on bool) {
	if f.Checked == on {
		return
	}
	f.Checked = on
	f.Refresh()
	if f.OnChanged != nil {
		f.OnChanged(on)
	}
}

const (
	trackWidth, trackHeight = 36, 20
	knobGap                 = 3
	knobSize                = trackHeight - 2*knobGap
)

func (f *flip) CreateRenderer() fyne.WidgetRenderer {
	track, knob, ring := newFill("", trackHeight/2), newFill("", knobSize/2), newFill("", trackHeight/2+knobGap)
	label := plain(f.Text)
	place := func(size fyne.Size) {
		top, x := (size.Height-trackHeight)/2, float32(knobGap)
		if f.Checked {
			x = trackWidth - knobGap - knobSize
		}
		edge := track.width / 2 // the outline is drawn outside
		put(track, edge, top+edge, trackWidth-2*edge, trackHeight-2*edge)
		put(ring, -knobGap, top-knobGap, trackWidth+2*knobGap, trackHeight+2*knobGap)
		put(knob, x, top+knobGap, knobSize, knobSize)
		h := label.MinSize().Height
		put(label, trackWidth+gapSmall, (size.Height-h)/2, size.Width-trackWidth-gapSmall, h)
	}
	return newDrawing(f, func() fyne.Size {
		if f.Text == "" {
			return fyne.NewSize(trackWidth, buttonHeight)
		}
		return fyne.NewSize(trackWidth+gapSmall+label.full()+1, buttonHeight)
	}, place, func() {
		if f.Checked {
			track.paint(theme.ColorNamePrimary)
			track.stroke("", 0)
			knob.paint(theme.ColorNameForegroundOnPrimary)
		} else { // the outline distinguishes it without colour
			track.paint(theme.ColorNameBackground)
			track.stroke(theme.ColorNameInputBorder, ringWidth)
			knob.paint(theme.ColorNameInputBorder)
		}
		ring.ring(f.focused)
		place(f.Size())
	}, track, knob, label, ring)
}

package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

type step struct {
	does, label present.Text
	do          func() // nil if the user does it elsewhere
	done        bool
}

func (p *projects) steps() []step {
	asked := len(p.w.model.Usage.Last) > 0
	return []step{
		{"Add a folder", "Add folder", p.w.addFolder, len(p.all) > 0},
		{"Connect your editor", "Connect an editor…", func() { p.w.Go(PageEditors, "") }, asked || p.connected},
		{"Ask your assistant about the code", "", nil, asked},
	}
}

const stepHeight = 40

func stepsCard(steps []step) fyne.CanvasObject {
	var rows []fyne.CanvasObject
	next := true
	for i, s := range steps {
		var number, button fyne.CanvasObject = newKeyCap(string(rune('1' + i))), nil
		number.(*keyCap).ground.Show()
		label := plain(tr(s.does))
		switch {
		case s.done:
			number = container.New(fixed{20, 20}, widget.NewIcon(theme.NewColoredResource(theme.ConfirmIcon(), colorReady)))
			label = muted(tr(s.does))
		case next:
			next, label = false, strong(tr(s.does))
			if s.do != nil {
				button = centred(primary(s.label, s.do))
			}
		}
		rows = append(rows, container.New(fixed{height: stepHeight}, container.NewBorder(nil, nil,
			centred(wide(32, row(number))), button, centred(label))))
	}
	return card(rows)
}

func (p *projects) drawSteps() {
	all := p.steps()
	shape, left := "", false
	for _, s := range all {
		left = left || !s.done
		shape += map[bool]string{true: "x", false: "-"}[s.done]
	}
	if !p.looked || !left || !p.w.model.Connected {
		shape = ""
	}
	if shape == p.shape {
		return
	}
	p.shape = shape
	p.next.Objects, p.first.Objects = nil, []fyne.CanvasObject{stepsCard(all)}
	if shape != "" && len(p.all) > 0 {
		p.next.Objects = []fyne.CanvasObject{stepsCard(all)}
	}
	p.next.Hidden = len(p.next.Objects) == 0
	p.w.relayout()
}

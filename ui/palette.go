package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/ui/present"
)

// PagePalette is asked for as a page is, and is a window of its own.
const PagePalette Page = wire.PagePalette

// PageQuestion is asked for when a question waits: the window notifies its person, and comes when they want it.
const PageQuestion Page = wire.PageQuestion

// The size of the palette: a field, and as many whole rows of what it found as there are, at most paletteRows.
const (
	paletteWidth  = 720
	paletteRows   = 9
	PaletteHeight = 432 // with all of them, and a gap between two groups
)

// paletteComes is how long the palette has to be there before its person can have turned away from it: while it comes,
// desktops give and take the focus.
const paletteComes = time.Second

// quickSearch is the palette, one field above everything: what is found in all projects opens in the editor, and it
// goes.
type quickSearch struct {
	w     *Window
	win   fyne.Window
	s     *search
	since time.Time // when it came; zero: it is hidden
}

// showPalette shows the palette, with what was typed before ready to be replaced.
func (w *Window) showPalette() {
	if w.palette == nil {
		w.palette = newPalette(w)
	}
	p := w.palette
	p.since = w.now()
	p.s.refresh()
	p.win.Show()
	p.win.RequestFocus()
	p.win.Canvas().Focus(p.s.field)
	if p.s.field.Text != ">" { // to go on with
		p.s.field.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

func newPalette(w *Window) *quickSearch {
	p := &quickSearch{w: w, win: w.opts.Palette(), s: newSearch(w)}
	s := p.s
	s.win, s.project = p.win, everywhere
	s.field.ActionItem = s.star
	s.field.w = nil // the shortcuts of the other window are not its own
	s.list.moved = func(int) { s.tell() }
	s.brief = true
	s.field.keys[fyne.KeyTab] = s.tab
	s.field.whole = p.whole
	s.placeholder()
	s.field.keys[fyne.KeyEscape] = p.hide // what was typed is still there when it comes again, selected
	s.list.escape = p.hide
	s.split = s.list
	s.settle()
	p.win.SetTitle(tr("Search all projects"))
	p.win.SetPadded(false)
	p.win.SetContent(container.NewStack(newFill(theme.ColorNameInputBorder, 0), pad(1, 1, 1, 1,
		container.NewStack(newFill(theme.ColorNameOverlayBackground, 0), pad(gapGroup, gapSmall, gapGroup, gapGroup,
			container.NewBorder(column(2, container.NewThemeOverride(s.field, roomy{}), s.busy), s.foot(), nil, nil,
				pad(gapSmall, gapSmall, 0, 0, container.NewStack(s.list, s.message, s.dim))))))))
	s.settled = p.grow
	p.grow()
	p.win.SetCloseIntercept(p.hide)
	p.win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if e.Name == fyne.KeyEscape {
			p.hide()
		}
	})
	return p
}

// grow gives the palette the height of what it shows.
func (p *quickSearch) grow() {
	rows := p.s.list.MinSize().Height
	rest := p.win.Content().MinSize().Height - rows
	for _, end := range p.s.list.body.ends {
		if end <= paletteRows*headingHeight+gapSmall {
			rows = end
		}
	}
	p.win.Resize(fyne.NewSize(paletteWidth, rest+rows))
}

// whole asks the same on the window's page.
func (p *quickSearch) whole() {
	page, query := p.w.pages[PageSearch].(*search), p.s.text()
	if strings.HasPrefix(strings.TrimSpace(query), ">") {
		return
	}
	p.w.Show() // first: without any window the program ends
	p.hide()
	page.project = p.s.project
	page.ask(present.SourceAll, "", query)
}

// tab stays in the highlighted result's project, or leaves it.
func (s *search) tab() {
	if s.project != everywhere {
		s.scope(everywhere)
	} else if f, ok := s.chosen(); ok {
		if p, known := s.w.model.Project(f.Project); known {
			s.scope(p.Root())
		}
	}
}

// hide takes the palette away. Where it was all that the program showed, the program ends once nothing is being opened.
func (p *quickSearch) hide() {
	if p.since.IsZero() {
		return
	}
	p.since = time.Time{}
	p.win.Hide()
	p.w.idle()
}

// turnedAway is how long the focus has to be elsewhere: desktops take it for a moment and give it back.
const turnedAway = 300 * time.Millisecond

// leavePalette takes the palette away if the focus does not come back.
func (w *Window) leavePalette() {
	if w.palette == nil || w.palette.since.IsZero() {
		return
	}
	w.background(func() {
		select {
		case <-time.After(turnedAway):
		case <-w.ctx.Done():
		}
		w.onUI(func() {
			if !w.front {
				w.palette.left()
			}
		})
	})
}

// left takes the palette away when its person has turned to another program.
func (p *quickSearch) left() {
	if !p.since.IsZero() && p.w.now().Sub(p.since) >= paletteComes {
		p.hide()
	}
}

// idle ends the program if it shows nothing and does nothing for its person.
func (w *Window) idle() {
	if (w.palette == nil || w.palette.since.IsZero()) && !w.shown && w.opening == 0 &&
		len(w.model.Questions(w.now())) == 0 {
		w.app.Quit()
	}
}

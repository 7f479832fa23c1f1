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

const PagePalette Page = wire.PagePalette

const PageQuestion Page = wire.PageQuestion

const (
	paletteWidth  = 720
	paletteRows   = 9
	PaletteHeight = 432 // with all rows and one gap
	PaletteRadius = panelRadius
)

// paletteComes is how long a new palette ignores a lost focus, because desktops move the focus while a window opens.
const paletteComes = time.Second

type quickSearch struct {
	w     *Window
	win   fyne.Window
	s     *search
	since time.Time // time it was shown, zero while hidden
	top   *fyne.Container
}

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
	if p.s.field.Text != ">" { // the user continues with an action
		p.s.field.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

func newPalette(w *Window) *quickSearch {
	p := &quickSearch{w: w, win: w.opts.Palette(), s: newSearch(w, true)}
	s := p.s
	s.win, s.project = p.win, everywhere
	s.field.w = nil // disables the main window's shortcuts
	s.list.moved = func(int) { s.showHints() }
	s.field.keys[fyne.KeyTab] = s.tab
	s.field.whole = p.whole
	s.placeholder()
	s.field.keys[fyne.KeyEscape] = p.hide // showPalette selects the query
	s.list.escape = p.hide
	s.split = s.list
	p.top = container.NewBorder(nil, nil, s.chip, nil, container.NewThemeOverride(s.field, roomy))
	s.settle()
	p.win.SetTitle(tr("Search all projects"))
	p.win.SetPadded(false)
	p.win.SetContent(container.NewStack(newFill(theme.ColorNameInputBorder, PaletteRadius), pad(1, 1, 1, 1,
		container.NewStack(newFill(theme.ColorNameOverlayBackground, PaletteRadius-1), pad(gapGroup, gapSmall, gapGroup,
			gapGroup, container.NewBorder(column(2, p.top, s.busy), s.below, nil, nil,
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

func (p *quickSearch) grow() {
	p.top.Refresh() // the chip may have appeared
	rows := p.s.list.MinSize().Height
	rest := p.win.Content().MinSize().Height - rows
	for _, end := range p.s.list.body.ends {
		if end <= paletteRows*headingHeight+gapSmall {
			rows = end
		}
	}
	p.win.Resize(fyne.NewSize(paletteWidth, rest+rows))
}

func (p *quickSearch) whole() {
	page, query := p.w.pages[PageSearch].(*search), p.s.text()
	if strings.HasPrefix(strings.TrimSpace(query), ">") {
		return
	}
	p.w.Show() // show it first, because the program ends without a window
	p.hide()
	page.project = p.s.project
	page.ask(present.SourceAll, "", query)
}

func (s *search) tab() {
	if s.project != everywhere {
		s.scope(everywhere)
	} else if f, ok := s.chosen(); ok {
		if p, known := s.w.model.Project(f.Project); known {
			s.scope(p.Root())
		}
	}
}

func (p *quickSearch) hide() {
	if p.since.IsZero() {
		return
	}
	p.since = time.Time{}
	p.win.Hide()
	p.w.idle()
}

// turnedAway is how long the focus must be lost, because desktops may take it for a moment and return it.
const turnedAway = 300 * time.Millisecond

func (w *Window) leavePalette() {
	if w.palette == nil || w.palette.since.IsZero() {
		return
	}
	w.after(turnedAway, func() {
		if !w.front {
			w.palette.left()
		}
	})
}

func (p *quickSearch) left() {
	if !p.since.IsZero() && p.w.now().Sub(p.since) >= paletteComes {
		p.hide()
	}
}

func (w *Window) idle() {
	if (w.palette == nil || w.palette.since.IsZero()) && !w.shown && w.opening == 0 &&
		len(w.model.Questions(w.now())) == 0 {
		w.app.Quit()
	}
}

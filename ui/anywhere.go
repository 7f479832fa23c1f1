package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
)

// Keys of the choice of an editor that are no opener's.
const (
	openerAsk   = "ask"
	openerOther = "other"
)

// openerWidth is room for the longest of the words that an opener has, in each language.
const openerWidth = 300

// paletteCommand is what a desktop's own shortcut runs.
const paletteCommand = "search-mcp palette"

// anywhere is the part of the settings about the palette, and about what results are opened in.
func (s *settings) anywhere() *fyne.Container {
	return group("Search from anywhere", nil,
		labelled(tr("Shortcut"), tr("In your desktop's keyboard settings, give a key to %s.", paletteCommand),
			row(newButton("Copy", func() { s.w.copy(paletteCommand) }), newButton("Try it", s.w.showPalette))),
		settingRow("Open results in", "", wide(openerWidth, s.openers())))
}

// openers is the choice of the program that results are opened in.
func (s *settings) openers() fyne.CanvasObject {
	w := s.w
	var c *chooser
	ask := option{key: openerAsk, name: tr("Connected editor, or ask")} // what stands there before programs are known
	c = w.newChooser([]option{ask}, openerAsk, func(key string) {
		switch key {
		case openerAsk:
			w.app.Preferences().RemoveValue(prefOpener)
		case openerOther:
			w.askOpener("", 0)
			s.openersKnown(c)
			return
		default:
			w.app.Preferences().SetString(prefOpener, key)
		}
	})
	s.openersKnown(c)
	return c
}

// openersKnown fills the choice with the programs of this computer.
func (s *settings) openersKnown(c *chooser) {
	w := s.w
	w.background(func() {
		known, err := w.opts.Desktop.Openers(w.ctx)
		w.onUI(func() {
			if err != nil {
				return
			}
			chosen := w.app.Preferences().String(prefOpener)
			options := []option{{key: openerAsk, name: tr("Connected editor, or ask")}}
			for _, o := range w.openers(known) {
				note := ""
				if o.Connected {
					note = tr("Connected")
				}
				options = append(options, option{o.ID, o.Name, note})
			}
			if own, ok := strings.CutPrefix(chosen, OpenerCommand); ok {
				options = append(options, option{key: chosen, name: own})
			}
			options = append(options, option{key: openerOther, name: tr("Another program…")})
			if !slices.ContainsFunc(options, func(o option) bool { return o.key == chosen }) {
				chosen = openerAsk
			}
			c.set(options, chosen)
		})
	})
}

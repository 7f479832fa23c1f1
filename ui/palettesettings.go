package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"searchmcp/app/desktop/connect"
)

const (
	openerAsk   = "ask"
	openerOther = "other"
)

// openerWidth fits the longest option in every language.
const openerWidth = 300

const paletteCommand = "search-mcp palette"

func (s *settings) anywhere() *fyne.Container {
	return group("Search from anywhere", nil,
		labelled(tr("Shortcut"), tr("In your desktop's keyboard settings, assign a shortcut to %s.", paletteCommand),
			row(newButton("Copy", func() { s.w.copy(paletteCommand) }), newButton("Try it", s.w.showPalette))),
		settingRow("Open results in", "", wide(openerWidth, s.openers())))
}

func (s *settings) openers() fyne.CanvasObject {
	w := s.w
	var c *chooser
	ask := option{key: openerAsk, name: tr("Connected editor, or ask")} // shown until the openers are known
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

func (s *settings) openersKnown(c *chooser) {
	w := s.w
	aside(w, w.opts.Desktop.Openers, func(known []connect.Opener, err error) {
		if err != nil {
			return
		}
		chosen := w.app.Preferences().String(prefOpener)
		options := []option{{key: openerAsk, name: tr("Connected editor, or ask")}}
		for _, o := range w.openers(known) {
			options = append(options, openerOption(o))
		}
		if own, ok := strings.CutPrefix(chosen, connect.OpenerCommand); ok {
			options = append(options, option{key: chosen, name: own})
		}
		options = append(options, option{key: openerOther, name: tr("Another program…")})
		if !slices.ContainsFunc(options, func(o option) bool { return o.key == chosen }) {
			chosen = openerAsk
		}
		c.offer(options, chosen)
	})
}

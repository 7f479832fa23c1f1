package ui

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/wire"
	"searchmcp/ui/present"
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
func (s *settings) anywhere() fyne.CanvasObject {
	keys, _ := s.saved[wire.SettingShortcut].(string)
	field := newKeyField(keys, func(keys string) { s.set(wire.SettingShortcut, keys) })
	rows := []fyne.CanvasObject{
		labelled(tr("Shortcut"), s.keysHint(keys), field),
		settingRow("Open results in", "", wide(openerWidth, s.openers())),
	}
	switch {
	case s.keys.Problem == wire.ShortcutNone:
		rows = append(rows,
			quiet(tr("This desktop lets no program have a shortcut. Have its keyboard settings run this command:")),
			row(code(paletteCommand), newButton("Copy", func() { s.w.copy(paletteCommand) })))
	case s.keys.Problem == wire.ShortcutTaken:
		rows = append(rows, message(present.MarkNeeds,
			warning(tr("The desktop or another program keeps %s for itself. Please choose other keys.", keys))))
	case s.keys.Problem != "":
		rows = append(rows, message(present.MarkNeeds,
			warning(tr("The desktop did not accept this shortcut. The log tells why."))))
	}
	return group("Search from anywhere", newButton("Try it", func() { s.w.showPalette() }), rows...)
}

// keysHint says what the shortcut does, and how it stands.
func (s *settings) keysHint(keys string) string {
	switch {
	case keys == "":
		return tr("Opens a search field above all windows. Click, then press the keys.")
	case s.keys.By == "portal":
		return tr("Your desktop keeps this shortcut: its settings may have other keys for it.")
	case s.keys.By != "":
		return tr("Works whatever window is in front.")
	}
	return tr("Opens a search field above all windows.")
}

// openers is the choice of the program that results are opened in.
func (s *settings) openers() fyne.CanvasObject {
	w := s.w
	var c *chooser
	c = w.newChooser(nil, openerAsk, func(key string) {
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
			for _, o := range append(known, desktopOpener()) {
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

// keyField takes a shortcut: who has it pressed sees it, Backspace takes it away.
type keyField struct {
	widget.BaseWidget
	keys    string
	held    func() fyne.KeyModifier
	changed func(keys string)

	focused, waiting bool
}

var (
	_ fyne.Focusable  = (*keyField)(nil)
	_ fyne.Tappable   = (*keyField)(nil)
	_ desktop.Keyable = (*keyField)(nil)
)

func newKeyField(keys string, changed func(string)) *keyField {
	f := &keyField{keys: keys, changed: changed, held: func() fyne.KeyModifier {
		if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
			return d.CurrentKeyModifiers()
		}
		return 0
	}}
	f.ExtendBaseWidget(f)
	return f
}

// shortcutKeys are the keys that a shortcut can end in, by Fyne's names where ours are others.
func shortcutKey(k fyne.KeyName) (string, bool) {
	name := string(k)
	switch {
	case k == fyne.KeySpace:
		return "Space", true
	case len(name) == 1 && (name[0] >= 'A' && name[0] <= 'Z' || name[0] >= '0' && name[0] <= '9'):
		return name, true
	case len(name) > 1 && name[0] == 'F' && name[1] >= '1' && name[1] <= '9' && len(name) <= 3:
		return name, true
	}
	return "", false
}

// Tapped and what follows implement fyne.Tappable, fyne.Focusable and desktop.Keyable.
func (f *keyField) Tapped(*fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Focus(f)
	}
	f.waiting = true
	f.Refresh()
}
func (f *keyField) FocusGained()         { f.focused = true; f.Refresh() }
func (f *keyField) FocusLost()           { f.focused, f.waiting = false, false; f.Refresh() }
func (f *keyField) TypedRune(rune)       {}
func (f *keyField) KeyUp(*fyne.KeyEvent) {}
func (f *keyField) TypedKey(e *fyne.KeyEvent) {
	if !f.waiting && (e.Name == fyne.KeyReturn || e.Name == fyne.KeySpace) {
		f.waiting = true
		f.Refresh()
	}
}

func (f *keyField) KeyDown(e *fyne.KeyEvent) {
	switch {
	case !f.waiting:
		return
	case e.Name == fyne.KeyEscape:
		f.waiting = false
	case e.Name == fyne.KeyBackspace || e.Name == fyne.KeyDelete:
		f.take("")
	default:
		key, ok := shortcutKey(e.Name)
		if !ok {
			return // a modifier: the rest comes
		}
		held := f.held()
		var parts []string
		for _, m := range []struct {
			held fyne.KeyModifier
			name string
		}{{fyne.KeyModifierControl, "Ctrl"}, {fyne.KeyModifierAlt, "Alt"}, {fyne.KeyModifierSuper, "Super"},
			{fyne.KeyModifierShift, "Shift"}} {
			if held&m.held != 0 {
				parts = append(parts, m.name)
			}
		}
		if held&^fyne.KeyModifierShift == 0 && (len(key) == 1 || key == "Space") {
			return // it would take a key away from typing
		}
		f.take(strings.Join(append(parts, key), "+"))
	}
	f.Refresh()
}

func (f *keyField) take(keys string) {
	f.waiting = false
	if keys != f.keys {
		f.keys = keys
		f.changed(keys)
	}
}

func (f *keyField) label() string {
	switch {
	case f.waiting:
		return tr("Press the keys…")
	case f.keys == "":
		return tr("None")
	}
	return f.keys
}

// CreateRenderer implements fyne.Widget.
func (f *keyField) CreateRenderer() fyne.WidgetRenderer {
	r := &keyFieldRenderer{f: f, ground: canvas.NewRectangle(color.Transparent), label: plain("")}
	r.label.align = fyne.TextAlignCenter
	r.Refresh()
	return r
}

type keyFieldRenderer struct {
	f      *keyField
	ground *canvas.Rectangle
	label  *text
}

func (r *keyFieldRenderer) Destroy() {}
func (r *keyFieldRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.label}
}
func (r *keyFieldRenderer) MinSize() fyne.Size { return fyne.NewSize(260, buttonHeight) }
func (r *keyFieldRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	h := r.label.MinSize().Height
	r.label.Resize(fyne.NewSize(size.Width-2*gapSmall, h))
	r.label.Move(fyne.NewPos(gapSmall, (size.Height-h)/2))
}
func (r *keyFieldRenderer) Refresh() {
	th, variant := r.f.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	r.ground.CornerRadius, r.ground.StrokeWidth = buttonRadius, 1
	r.ground.FillColor, r.ground.StrokeColor = th.Color(theme.ColorNameInputBackground, variant),
		th.Color(theme.ColorNameInputBorder, variant)
	if r.f.focused || r.f.waiting {
		r.ground.StrokeWidth, r.ground.StrokeColor = ringWidth, th.Color(colorRing, variant)
	}
	r.label.value, r.label.color = r.f.label(), theme.ColorNameForeground
	if r.f.keys == "" || r.f.waiting {
		r.label.color = colorMuted
	}
	r.label.Refresh()
	canvas.Refresh(r.ground)
}

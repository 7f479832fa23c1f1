package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"searchmcp/app/wire"
)

// TestShortcutIsChosen: the field takes what is pressed, not what would take a key away from typing; Backspace is none.
func TestShortcutIsChosen(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	w.Go(PageSettings, "")
	field := func() *keyField {
		for _, o := range test.LaidOutObjects(w.Win().Content()) {
			if k, ok := o.(*keyField); ok {
				return k
			}
		}
		t.Fatal("no field for the shortcut")
		return nil
	}
	press := func(held fyne.KeyModifier, keys ...fyne.KeyName) {
		k := field()
		test.Tap(k)
		k.held = func() fyne.KeyModifier { return held }
		for _, name := range keys {
			k.KeyDown(&fyne.KeyEvent{Name: name})
		}
	}
	press(0, fyne.KeyK)
	press(fyne.KeyModifierShift, fyne.KeyK)
	if f.settings[wire.SettingShortcut] != nil {
		t.Errorf("took %v", f.settings[wire.SettingShortcut])
	}
	press(fyne.KeyModifierControl|fyne.KeyModifierAlt, "LeftControl", "LeftAlt", fyne.KeySpace)
	if got := f.settings[wire.SettingShortcut]; got != "Ctrl+Alt+Space" || field().label() != "Ctrl+Alt+Space" {
		t.Errorf("took %v, shows %q", got, field().label())
	}
	press(0, fyne.KeyEscape)
	press(0, fyne.KeyF12)
	if got := f.settings[wire.SettingShortcut]; got != "F12" {
		t.Errorf("took %v", got)
	}
	press(0, fyne.KeyBackspace)
	if got := f.settings[wire.SettingShortcut]; got != "" || field().label() != "None" {
		t.Errorf("took %v", got)
	}
}

// TestNoShortcutHere: where the desktop gives none, the page says what to do instead; where it is taken, that.
func TestNoShortcutHere(t *testing.T) {
	f := busy()
	f.settings[wire.SettingShortcut] = "Ctrl+Alt+Space"
	for problem, want := range map[string]string{wire.ShortcutNone: paletteCommand,
		wire.ShortcutTaken:  "keeps Ctrl+Alt+Space for itself",
		wire.ShortcutFailed: "did not accept", "": "Works whatever window is in front."} {
		f.shortcut = wire.Shortcut{Keys: "Ctrl+Alt+Space", Problem: problem}
		if problem == "" {
			f.shortcut.By = "x11"
		}
		w, _ := newTest(t, f, VariantLight)
		size(w, 900, 2000)
		w.Go(PageSettings, "")
		if said := strings.Join(words(w), "\n"); !strings.Contains(said, want) {
			t.Errorf("%q: %q is not said", problem, want)
		}
	}
}

// TestEditorForResults: the settings know what files open in, and change it.
func TestEditorForResults(t *testing.T) {
	w, d := newTest(t, busy(), VariantLight)
	d.openers = []Opener{zed, vscode}
	w.Go(PageSettings, "")
	var c *chooser
	for _, o := range test.LaidOutObjects(w.Win().Content()) {
		if x, ok := o.(*chooser); ok && x.chosen == openerAsk {
			c = x
		}
	}
	if c == nil || len(c.options) != 5 {
		t.Fatalf("chooser %+v", c)
	}
	c.choose("vscode")
	w.openAt("/a/x.go", 3)
	c.choose(openerAsk)
	w.openAt("/a/x.go", 4)
	if got := strings.Join(d.opened, " "); got != "vscode /a/x.go:3 zed /a/x.go:4" {
		t.Errorf("opened %s", got)
	}
}

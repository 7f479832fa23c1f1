package ui

import (
	"errors"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"searchmcp/app/desktop/connect"
)

var (
	vscode = connect.Opener{ID: "vscode", Name: "VS Code"}
	zed    = connect.Opener{ID: "zed", Name: "Zed", Connected: true}
)

func TestOpensInTheConnectedEditor(t *testing.T) {
	for want, known := range map[string][]connect.Opener{"zed": {zed, vscode}, "vscode": {vscode},
		connect.OpenerDesktop: nil} {
		w, d := newTest(t, busy(), VariantLight)
		d.openers = known
		w.openAt("/a/x.go", 7)
		if !slices.Equal(d.opened, []string{want + " /a/x.go:7"}) || w.sheet != nil {
			t.Errorf("%v: opened %q", known, d.opened)
		}
	}
}

func TestNoDesktopToOpenFiles(t *testing.T) {
	w, d := newTest(t, busy(), VariantLight)
	w.opts.NoOpener, d.openers = true, nil
	w.app.Preferences().SetString(prefOpener, connect.OpenerDesktop)
	w.openAt("/a/x.go", 7)
	if len(d.opened) != 0 || w.sheet == nil || w.sheet.title != "Open files in" ||
		slices.Contains(words(w), "Default program of the desktop") {
		t.Errorf("opened %q, %q", d.opened, words(w))
	}
	if e, ok := w.win.Canvas().Focused().(*entry); !ok || e.OnSubmitted == nil {
		t.Error("there is nothing to choose, and no command can be typed")
	}
}

func TestAsksWhichEditor(t *testing.T) {
	w, d := newTest(t, busy(), VariantLight)
	d.openers = []connect.Opener{vscode, {ID: "cursor", Name: "Cursor"}}
	w.openAt("/a/x.go", 7)
	if len(d.opened) != 0 || w.sheet == nil {
		t.Fatalf("opened %q without a question", d.opened)
	}
	typed(w, fyne.KeyDown, fyne.KeyReturn) // the list has the focus
	w.openAt("/a/y.go", 1)
	if !slices.Equal(d.opened, []string{"cursor /a/x.go:7", "cursor /a/y.go:1"}) {
		t.Errorf("opened %q", d.opened)
	}
	d.openers = []connect.Opener{vscode, zed} // the chosen program was removed
	w.openAt("/a/z.go", 1)
	if got := d.opened[len(d.opened)-1]; got != "zed /a/z.go:1" {
		t.Errorf("opened %q", got)
	}
}

func TestNoProgramToOpen(t *testing.T) {
	w, d := newTest(t, busy(), VariantLight)
	d.unopened = errors.New("exec: xdg-open: executable file not found in $PATH")
	w.openAt("/home/ada/x.go", 7)
	if w.sheet == nil || w.sheet.title != "No program to open this file" {
		t.Fatalf("sheet %+v", w.sheet)
	}
	press(t, w, "Show in folder")
	if !slices.Equal(d.revealed, []string{"/home/ada/x.go"}) {
		t.Errorf("revealed %q", d.revealed)
	}
	press(t, w, "Choose editor…")
	d.unopened = nil
	for _, o := range onScreen(w) {
		if e, ok := o.(*entry); ok && e.PlaceHolder == "emacsclient -n +{line} {file}" {
			e.SetText("myvi {file}")
			e.OnSubmitted(e.Text)
		}
	}
	if got := d.opened[len(d.opened)-1]; got != "command:myvi {file} /home/ada/x.go:7" || w.sheet != nil {
		t.Errorf("opened %q", d.opened)
	}
	d.unopened = ErrFileGone
	w.openAt("/home/ada/x.go", 7)
	if w.sheet == nil || w.sheet.title != "The file is gone" {
		t.Errorf("sheet %+v", w.sheet)
	}
}

func TestAChoiceThatFailedIsForgotten(t *testing.T) {
	w, d := newTest(t, busy(), VariantLight)
	w.app.Preferences().SetString(prefOpener, connect.OpenerDesktop)
	d.openers, d.unopened = []connect.Opener{zed, vscode}, errors.New("exec: xdg-open: executable file not found in $PATH")
	w.openAt("/a/x.go", 7)
	w.closeSheet()
	d.unopened = nil
	w.openAt("/a/x.go", 7)
	if !slices.Equal(d.opened, []string{"desktop /a/x.go:7", "zed /a/x.go:7"}) {
		t.Errorf("opened %q", d.opened)
	}
}

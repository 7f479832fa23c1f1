package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"searchmcp/app/desktop/connect"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func TestPalette(t *testing.T) {
	f := searching()
	for i := range f.results.Hits {
		f.results.Hits[i].Project = "engine"
	}
	w, d := newTest(t, f, widget.VariantLight)
	w.Want(PagePalette, "")
	p := w.palette
	if p == nil || p.since.IsZero() || p.win.Canvas().Focused() != fyne.Focusable(p.s.field) {
		t.Fatalf("palette %+v", p)
	}
	for typed, says := range map[string]string{">": "Enter Run · > Actions · Esc Close",
		"> sett": "Enter Open this page · > Actions · Esc Close", "> nothing like it": "> Actions · Esc Close",
		"refresh": "Enter Open in editor · Tab Only this project · Ctrl+Enter In the window · > Actions · " +
			"Esc Close"} {
		if p.s.field.SetText(typed); hintsOf(p.s.hints) != says {
			t.Errorf("after %q: %q", typed, hintsOf(p.s.hints))
		}
	}
	p.s.field.SetText(">")
	if got := p.s.list.Size().Height; len(p.s.rows) <= paletteRows || got != paletteRows*headingHeight+widget.GapSmall {
		t.Errorf("of %d rows the palette shows %v pixels", len(p.s.rows), got)
	}
	p.s.field.SetText("")
	test.Type(p.s.field, "refresh")
	if roots := p.s.roots(); len(roots) != 5 || !f.has("search "+strings.Join(roots, " ")+" code refresh") {
		t.Fatalf("did %q", f.did)
	}
	if f.has("text /home/ada/code/engine internal/auth/session.go:118") {
		t.Error("the palette reads files that it does not show")
	}
	p.s.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if !p.since.IsZero() {
		t.Fatal("the palette stays")
	}
	w.Want(PagePalette, "")
	test.Type(p.s.field, "refresh")
	p.s.field.OnSubmitted("refresh")
	if len(d.opened) != 1 || d.opened[0] != "desktop /home/ada/code/engine/internal/auth/session.go:118" ||
		!p.since.IsZero() || w.opening != 0 {
		t.Errorf("opened %q, palette since %v, opening %d", d.opened, p.since, w.opening)
	}
	// The window shows the error.
	d.unopened = errors.New("no program")
	w.Want(PagePalette, "")
	p.s.field.OnSubmitted(p.s.field.Text)
	if w.sheet == nil || !w.shown {
		t.Error("a failure is not shown")
	}
}

func TestPaletteGoesWithTheFocus(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	at := now
	w.now = func() time.Time { return at }
	w.Want(PagePalette, "")
	w.palette.left()
	if w.palette.since.IsZero() {
		t.Error("gone before it was there")
	}
	at = at.Add(paletteComes)
	w.palette.left()
	if !w.palette.since.IsZero() {
		t.Error("it stays above another program")
	}
}

func TestPaletteInTheWindow(t *testing.T) {
	w, _ := newTest(t, searching(), widget.VariantLight)
	w.Want(PagePalette, "")
	p := w.palette
	p.s.scope("/home/ada/code/engine")
	test.Type(p.s.field, "refresh")
	p.s.field.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	page := w.pages[PageSearch].(*search)
	if p.s.chip.Text != "engine" || !p.s.chip.Visible() {
		t.Errorf("the palette shows the project %q", p.s.chip.Text)
	}
	if w.current != PageSearch || page.query != "refresh" || page.project != "/home/ada/code/engine" || !p.since.IsZero() {
		t.Errorf("on %s, %q in %s, palette since %v", w.current, page.query, page.project, p.since)
	}
	if test.Tap(p.s.chip); p.s.project != everywhere || p.s.chip.Visible() {
		t.Errorf("limited to %q", p.s.project)
	}
	w.Want(PagePalette, "")
	p.s.field.SetText(">")
	p.s.field.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	if p.since.IsZero() || page.query != "refresh" {
		t.Error("actions are asked as a question")
	}
}

func hintsOf(k *widget.KeyHints) string {
	var all []string
	for _, h := range k.All {
		all = append(all, h.Key+" "+h.Does)
	}
	return present.Join(all...)
}

var (
	vscode = connect.Opener{ID: "vscode", Name: "VS Code"}
	zed    = connect.Opener{ID: "zed", Name: "Zed", Connected: true}
)

func TestOpensInTheConnectedEditor(t *testing.T) {
	for want, known := range map[string][]connect.Opener{"zed": {zed, vscode}, "vscode": {vscode},
		connect.OpenerDesktop: nil} {
		w, d := newTest(t, busy(), widget.VariantLight)
		d.openers = known
		w.openAt("/a/x.go", 7)
		if !slices.Equal(d.opened, []string{want + " /a/x.go:7"}) || w.sheet != nil {
			t.Errorf("%v: opened %q", known, d.opened)
		}
	}
}

func TestNoDesktopToOpenFiles(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	w.opts.NoOpener, d.openers = true, nil
	w.app.Preferences().SetString(prefOpener, connect.OpenerDesktop)
	w.openAt("/a/x.go", 7)
	if len(d.opened) != 0 || w.sheet == nil || w.sheet.title != "Open files in" ||
		slices.Contains(words(w), "Default program of the desktop") {
		t.Errorf("opened %q, %q", d.opened, words(w))
	}
	if e, ok := w.win.Canvas().Focused().(*widget.Entry); !ok || e.OnSubmitted == nil {
		t.Error("there is nothing to choose, and no command can be typed")
	}
}

func TestAsksWhichEditor(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
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
	w, d := newTest(t, busy(), widget.VariantLight)
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
		if e, ok := o.(*widget.Entry); ok && e.PlaceHolder == "emacsclient -n +{line} {file}" {
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
	w, d := newTest(t, busy(), widget.VariantLight)
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

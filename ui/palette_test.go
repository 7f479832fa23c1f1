package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"searchmcp/app/desktop/connect"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func TestPalette(t *testing.T) {
	f := searching()
	for i := range f.results.Hits {
		f.results.Hits[i].Project = "engine"
	}
	w, d := newTest(t, f, widget.VariantLight)
	w.Want(page.PagePalette, "")
	p := w.palette
	if p == nil || p.since.IsZero() || p.win.Canvas().Focused() != fyne.Focusable(p.s.Field) {
		t.Fatalf("palette %+v", p)
	}
	for typed, says := range map[string]string{">": "Enter Run · > Actions · Esc Close",
		"> sett": "Enter Open this page · > Actions · Esc Close", "> nothing like it": "> Actions · Esc Close",
		"refresh": "Enter Open in editor · Tab Only this project · Ctrl+Enter In the window · > Actions · " +
			"Esc Close"} {
		if p.s.Field.SetText(typed); hintsOf(p.s.Hints) != says {
			t.Errorf("after %q: %q", typed, hintsOf(p.s.Hints))
		}
	}
	p.s.Field.SetText(">")
	if got := p.s.List.Size().Height; len(p.s.Rows) <= page.PaletteRows ||
		got != page.PaletteRows*page.HeadingHeight+widget.GapSmall {
		t.Errorf("of %d rows the palette shows %v pixels", len(p.s.Rows), got)
	}
	p.s.Field.SetText("")
	test.Type(p.s.Field, "refresh")
	if roots := p.s.Roots(); len(roots) != 5 || !f.has("search "+strings.Join(roots, " ")+" code refresh") {
		t.Fatalf("did %q", f.did)
	}
	if f.has("text /home/ada/code/engine internal/auth/session.go:118") {
		t.Error("the palette reads files that it does not show")
	}
	p.s.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if !p.since.IsZero() {
		t.Fatal("the palette stays")
	}
	w.Want(page.PagePalette, "")
	test.Type(p.s.Field, "refresh")
	p.s.Field.OnSubmitted("refresh")
	if len(d.opened) != 1 || d.opened[0] != "desktop /home/ada/code/engine/internal/auth/session.go:118" ||
		!p.since.IsZero() || w.Opening != 0 {
		t.Errorf("opened %q, palette since %v, opening %d", d.opened, p.since, w.Opening)
	}
	// The window shows the error.
	d.unopened = errors.New("no program")
	w.Want(page.PagePalette, "")
	p.s.Field.OnSubmitted(p.s.Field.Text)
	if w.Sheet == nil || !w.shown {
		t.Error("a failure is not shown")
	}
}

func TestPaletteGoesWithTheFocus(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	at := clock(w)
	w.Want(page.PagePalette, "")
	w.palette.left()
	if w.palette.since.IsZero() {
		t.Error("gone before it was there")
	}
	*at = at.Add(paletteComes)
	w.palette.left()
	if !w.palette.since.IsZero() {
		t.Error("it stays above another program")
	}
}

func TestPaletteInTheWindow(t *testing.T) {
	w, _ := newTest(t, searching(), widget.VariantLight)
	w.Want(page.PagePalette, "")
	p := w.palette
	p.s.Scope("/home/ada/code/engine")
	test.Type(p.s.Field, "refresh")
	p.s.Field.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	whole := w.Pages[page.PageSearch].(*page.Search)
	if p.s.Chip.Text != "engine" || !p.s.Chip.Visible() {
		t.Errorf("the palette shows the project %q", p.s.Chip.Text)
	}
	if w.Current != page.PageSearch || whole.Query != "refresh" || whole.Project != "/home/ada/code/engine" ||
		!p.since.IsZero() {
		t.Errorf("on %s, %q in %s, palette since %v", w.Current, whole.Query, whole.Project, p.since)
	}
	if test.Tap(p.s.Chip); p.s.Project != page.Everywhere || p.s.Chip.Visible() {
		t.Errorf("limited to %q", p.s.Project)
	}
	w.Want(page.PagePalette, "")
	p.s.Field.SetText(">")
	p.s.Field.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	if p.since.IsZero() || whole.Query != "refresh" {
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
		w.OpenAt("/a/x.go", 7)
		if !slices.Equal(d.opened, []string{want + " /a/x.go:7"}) || w.Sheet != nil {
			t.Errorf("%v: opened %q", known, d.opened)
		}
	}
}

func TestNoDesktopToOpenFiles(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	w.Opts.NoOpener, d.openers = true, nil
	w.App.Preferences().SetString(page.PrefOpener, connect.OpenerDesktop)
	w.OpenAt("/a/x.go", 7)
	if len(d.opened) != 0 || w.Sheet == nil || w.Sheet.Title != "Open files in" ||
		slices.Contains(words(w), "Default program of the desktop") {
		t.Errorf("opened %q, %q", d.opened, words(w))
	}
	if e, ok := w.Win.Canvas().Focused().(*widget.Entry); !ok || e.OnSubmitted == nil {
		t.Error("there is nothing to choose, and no command can be typed")
	}
}

func TestAsksWhichEditor(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	d.openers = []connect.Opener{vscode, {ID: "cursor", Name: "Cursor"}}
	w.OpenAt("/a/x.go", 7)
	if len(d.opened) != 0 || w.Sheet == nil {
		t.Fatalf("opened %q without a question", d.opened)
	}
	typed(w, fyne.KeyDown, fyne.KeyReturn) // the list has the focus
	w.OpenAt("/a/y.go", 1)
	if !slices.Equal(d.opened, []string{"cursor /a/x.go:7", "cursor /a/y.go:1"}) {
		t.Errorf("opened %q", d.opened)
	}
	d.openers = []connect.Opener{vscode, zed} // the chosen program was removed
	w.OpenAt("/a/z.go", 1)
	if got := d.opened[len(d.opened)-1]; got != "zed /a/z.go:1" {
		t.Errorf("opened %q", got)
	}
}

func TestOnlyOpenedResultsCount(t *testing.T) {
	f := searching()
	w, d, s := newTestSearch(t, f, widget.VariantLight)
	d.openers = []connect.Opener{vscode, {ID: "cursor", Name: "Cursor"}}
	s.Open()
	if press(t, w, "Cancel"); len(d.opened) > 0 || f.has("opened") {
		t.Errorf("cancelled: opened %q, did %q", d.opened, f.did)
	}
	s.Open()
	if typed(w, fyne.KeyReturn); len(d.opened) != 1 || !f.has("opened") {
		t.Errorf("chosen: opened %q, did %q", d.opened, f.did)
	}
}

func TestNoProgramToOpen(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	d.unopened = errors.New("exec: xdg-open: executable file not found in $PATH")
	w.OpenAt("/home/ada/x.go", 7)
	if w.Sheet == nil || w.Sheet.Title != "No program to open this file" {
		t.Fatalf("sheet %+v", w.Sheet)
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
	if got := d.opened[len(d.opened)-1]; got != "command:myvi {file} /home/ada/x.go:7" || w.Sheet != nil {
		t.Errorf("opened %q", d.opened)
	}
	d.unopened = page.ErrFileGone
	w.OpenAt("/home/ada/x.go", 7)
	if w.Sheet == nil || w.Sheet.Title != "The file is gone" {
		t.Errorf("sheet %+v", w.Sheet)
	}
}

func TestAChoiceThatFailedIsForgotten(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	w.App.Preferences().SetString(page.PrefOpener, connect.OpenerDesktop)
	d.openers, d.unopened = []connect.Opener{zed, vscode}, errors.New("exec: xdg-open: executable file not found in $PATH")
	w.OpenAt("/a/x.go", 7)
	w.CloseSheet()
	d.unopened = nil
	w.OpenAt("/a/x.go", 7)
	if !slices.Equal(d.opened, []string{"desktop /a/x.go:7", "zed /a/x.go:7"}) {
		t.Errorf("opened %q", d.opened)
	}
}

func TestPaletteOffersProjects(t *testing.T) {
	const long = "infrastructure-as-code-of-the-whole-company"
	w, _ := newTest(t, searching(), widget.VariantLight)
	w.Want(page.PagePalette, "")
	p := w.palette
	w.shown = false // the program was started for the palette
	test.Type(p.s.Field, "Code")
	if f, _ := p.s.Chosen(); f.Title != long {
		t.Fatalf("chosen %q of %q", f.Title, listed(p.s))
	}
	if got := hintsOf(p.s.Hints); !strings.HasPrefix(got, "Enter Open details · Tab Only this project") {
		t.Errorf("hints %q", got)
	}
	p.s.Field.OnSubmitted(p.s.Field.Text)
	if w.Current != page.PageProjects || w.Sheet == nil || w.Sheet.Title != long || !w.shown ||
		!p.since.IsZero() {
		t.Errorf("on %s, sheet %+v, shown %v, palette since %v", w.Current, w.Sheet, w.shown, p.since)
	}
	w.Want(page.PagePalette, "")
	if test.Type(p.s.Field, "ompany"); slices.Contains(listed(p.s), long) {
		t.Errorf("the end of a word lists %q", listed(p.s))
	}
}

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
	for typed, text := range map[string]string{">": "Enter Run · > Actions · Esc Close",
		"> sett": "Enter Open this page · > Actions · Esc Close", "> nothing like it": "> Actions · Esc Close",
		"refresh": "Enter Open in editor · Tab Only this project · Ctrl+Enter In the window · > Actions · " +
			"Esc Close"} {
		p.s.Field.SetText(typed)
		wantEqual(t, hintsOf(p.s.Hints), text, "after %q", typed)
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
	wantEqual(t, p.since.IsZero(), true, "the palette stays")
	w.Want(page.PagePalette, "")
	test.Type(p.s.Field, "refresh")
	p.s.Field.OnSubmitted("refresh")
	wantList(t, d.opened, []string{"desktop /home/ada/code/engine/internal/auth/session.go:118"}, "opened")
	wantEqual(t, p.since.IsZero(), true, "closed")
	wantEqual(t, w.Opening, 0, "opening")
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
	wantEqual(t, w.palette.since.IsZero(), false, "gone before it was there")
	*at = at.Add(paletteComes)
	w.palette.left()
	wantEqual(t, w.palette.since.IsZero(), true, "it stays above another program")
}

func TestPaletteInTheWindow(t *testing.T) {
	w, _ := newTest(t, searching(), widget.VariantLight)
	w.Want(page.PagePalette, "")
	p := w.palette
	p.s.Scope("/home/ada/code/engine")
	test.Type(p.s.Field, "refresh")
	first, _ := p.s.Chosen()
	p.s.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	second, _ := p.s.Chosen()
	p.s.Field.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	whole := w.Pages[page.PageSearch].(*page.Search)
	if chosen, _ := whole.Chosen(); chosen.File != second.File || first.File == second.File {
		t.Errorf("chosen: %s, %s before", chosen.File, second.File)
	}
	wantEqual(t, p.s.Chip.Text, "engine", "project")
	wantEqual(t, p.s.Chip.Visible(), true, "the project is visible")
	if w.Current != page.PageSearch || whole.Query != "refresh" || whole.Project != "/home/ada/code/engine" ||
		!p.since.IsZero() {
		t.Errorf("on %s, %q in %s, palette since %v", w.Current, whole.Query, whole.Project, p.since)
	}
	if test.Tap(p.s.Chip); p.s.Project != page.Everywhere || p.s.Chip.Visible() {
		t.Errorf("limited to %q", p.s.Project)
	}
	p.s.Scope("/home/ada/code/engine")
	w.Want(page.PagePalette, "")
	wantEqual(t, p.s.Project, page.Everywhere, "the palette opens in")
	p.s.Field.SetText(">")
	p.s.Field.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	wantEqual(t, p.since.IsZero(), false, "closed after actions")
	wantEqual(t, whole.Query, "refresh", "query after actions")
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
		wantList(t, d.opened, []string{want + " /a/x.go:7"}, "%v: opened", known)
		wantSheet(t, w, "")
	}
}

func TestNoDesktopToOpenFiles(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	w.Opts.NoOpener, d.openers = true, nil
	w.App.Preferences().SetString(page.PrefOpener, connect.OpenerDesktop)
	w.OpenAt("/a/x.go", 7)
	wantEqual(t, len(d.opened), 0, "opened")
	wantSheet(t, w, "Open files in")
	wantEqual(t, slices.Contains(words(w), "Default program of the desktop"), false, "offered")
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
	wantList(t, d.opened, []string{"cursor /a/x.go:7", "cursor /a/y.go:1"}, "opened")
	d.openers = []connect.Opener{vscode, zed} // the chosen program was removed
	w.OpenAt("/a/z.go", 1)
	wantEqual(t, d.opened[len(d.opened)-1], "zed /a/z.go:1", "opened")
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
	wantSheet(t, w, "No program to open this file")
	press(t, w, "Show in folder")
	wantList(t, d.revealed, []string{"/home/ada/x.go"}, "revealed")
	press(t, w, "Choose editor…")
	d.unopened = nil
	for _, o := range onScreen(w) {
		if e, ok := o.(*widget.Entry); ok && e.PlaceHolder == "emacsclient -n +{line} {file}" {
			e.SetText("myvi {file}")
			e.OnSubmitted(e.Text)
		}
	}
	wantEqual(t, d.opened[len(d.opened)-1], "command:myvi {file} /home/ada/x.go:7", "opened")
	wantSheet(t, w, "")
	d.unopened = page.ErrFileGone
	w.OpenAt("/home/ada/x.go", 7)
	wantSheet(t, w, "The file is gone")
}

func TestAChoiceThatFailedIsForgotten(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	w.App.Preferences().SetString(page.PrefOpener, connect.OpenerDesktop)
	d.openers, d.unopened = []connect.Opener{zed, vscode}, errors.New("exec: xdg-open: executable file not found in $PATH")
	w.OpenAt("/a/x.go", 7)
	w.CloseSheet()
	d.unopened = nil
	w.OpenAt("/a/x.go", 7)
	wantList(t, d.opened, []string{"desktop /a/x.go:7", "zed /a/x.go:7"}, "opened")
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
	wantPrefix(t, hintsOf(p.s.Hints), "Enter Open details · Tab Only this project", "hintsOf")
	p.s.Field.OnSubmitted(p.s.Field.Text)
	if w.Current != page.PageProjects || w.Sheet == nil || w.Sheet.Title != long || !w.shown || !p.since.IsZero() {
		t.Errorf("on %s, sheet %+v, shown %v, palette since %v", w.Current, w.Sheet, w.shown, p.since)
	}
	w.Want(page.PagePalette, "")
	if test.Type(p.s.Field, "ompany"); slices.Contains(listed(p.s), long) {
		t.Errorf("the end of a word lists %q", listed(p.s))
	}
}

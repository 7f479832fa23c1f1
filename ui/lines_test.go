package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"searchmcp/app/desktop/connect"
	"searchmcp/ui/present"
)

func TestLines(t *testing.T) {
	f := searching()
	w, d := newTest(t, f, VariantLight)
	d.openers = []connect.Opener{{ID: "vscode", Name: "VS Code", Connected: true}}
	w.Go(PageSearch, "a")
	s := w.pages[PageSearch].(*search)
	alt := func(k fyne.KeyName) {
		s.field.TypedShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: matchModifier()})
	}
	for _, b := range s.toggles.buttons {
		if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b); at.X <= 0 {
			t.Errorf("%s is not in the field", b.Text)
		}
	}
	alt(fyne.KeyE)
	s.field.SetText("lang:go s.rotate( path:auth")
	for _, x := range []struct {
		key         fyne.KeyName
		field, want string
	}{
		{"", "", "grep /home/ada/code/engine {Pattern:s.rotate( Literal:true IgnoreCase:true " +
			"Path:{**/*auth*,**/*auth*/**} Language:go Context:0 Hits:500}"},
		{fyne.KeyC, "rotate", "grep /home/ada/code/engine {Pattern:rotate Literal:true IgnoreCase:false Path: Language: " +
			"Context:0 Hits:500}"},
		{fyne.KeyR, `s\.rot\w+`, "grep /home/ada/code/engine {Pattern:s\\.rot\\w+ Literal:false IgnoreCase:false Path: " +
			"Language: Context:0 Hits:500}"},
	} {
		if x.key != "" {
			alt(x.key)
			s.field.SetText(x.field)
		}
		if !f.has(x.want) {
			t.Fatalf("not asked: %s; did %q", x.want, f.did)
		}
	}
	got := strings.Join(s.listed(), " ")
	want := "session.go session.go:118 session.go:124 session.go:140 session_test.go session_test.go:20 [More]"
	if got != want {
		t.Errorf("listed\n%s, want\n%s", got, want)
	}
	if x, _ := s.chosen(); x.Best != 118 {
		t.Errorf("chosen: %+v", x)
	}
	for i, want := range []string{"", "Sessions.rotate", "", "Sessions.refresh", "", "TestRotate"} {
		if s.rows[i].context != want {
			t.Errorf("row %d is in %q, want %q", i, s.rows[i].context, want)
		}
	}
	if got, want := s.summary.value, "5 lines in 2 files"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
	s.field.SetText("s.rotate(")
	if !slices.ContainsFunc(words(w), func(x string) bool { return strings.Contains(x, "a ) is missing") }) {
		t.Errorf("an unfinished expression: %q", words(w))
	}
	s.field.SetText("rotate")
	s.click(len(s.rows) - 1)
	if !f.has("grep /home/ada/code/engine {Pattern:rotate Literal:false IgnoreCase:false Path: Language: Context:0 " +
		"Hits:10000}") {
		t.Errorf("more: did %q", f.did)
	}
	s.submitted()
	if len(d.opened) == 0 || !strings.Contains(d.opened[0], "session.go") {
		t.Errorf("opened %q", d.opened)
	}
	if got := w.history()[0].query; got != "regex:case:rotate" {
		t.Errorf("history %q", got)
	}
	alt(fyne.KeyR)
	if s.match != (present.Match{}) || !f.has("search /home/ada/code/engine code rotate") {
		t.Errorf("toggles off: %+v", s.match)
	}
	s.put("case:Rotate")
	if s.match != (present.Match{Exact: true, Case: true}) || s.field.Text != "Rotate" {
		t.Errorf("from the history: %+v %q", s.match, s.field.Text)
	}
}

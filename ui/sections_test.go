package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func TestSectionsByTheirBest(t *testing.T) {
	f := searching()
	f.results.Hits, f.results.Total = f.results.Hits[:1], 1
	f.results.Hits[0].Score, f.results.Hits[0].Weak = 0.09, true
	f.docs = api.Results{}
	f.outside.Documents = nil
	f.outside.Sites[0].Pages[0].Excerpt, f.outside.Sites[0].Pages[0].Section = "Tokens are strings.", ""
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	s.field.SetText("why refresh tokens have to be rotated")
	if got := strings.Join(s.listed(), " "); got != "[Archive] Session fixation [Code] [Sites]" {
		t.Fatal(got)
	}
	if r := s.rows[2]; r.count != "1 weaker result" || !r.more {
		t.Errorf("%q, leads there: %v", r.count, r.more)
	}
	if s.click(2); s.source != present.SourceCode {
		t.Errorf("shows %s", s.source)
	}
}

func TestTwinsOnce(t *testing.T) {
	f := searching()
	hit := f.results.Hits[0]
	hit.Project = "engine"
	twin := hit
	twin.Project = "webapp"
	other := f.results.Hits[1]
	other.Project = "webapp"
	f.results.Hits, f.docs = []api.Hit{hit, twin, other}, api.Results{}
	w, _ := newTest(t, f, widget.VariantLight)
	w.Go(PageSearch, "")
	s := w.pages[PageSearch].(*search)
	s.scope(everywhere)
	s.field.SetText("rotate")
	s.sources.Choose(present.SourceCode)
	if got := strings.Join(s.listed(), " "); got != "session.go:118 token.go:9 [More]" {
		t.Fatal(got)
	}
	if where := s.rows[0].found.Where; where != "engine · internal/auth · also in webapp" {
		t.Error(where)
	}
}

func TestMoreResults(t *testing.T) {
	f := searching()
	f.results.Total = 6
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	s.sources.Choose(present.SourceCode)
	s.list.Choose(2)
	more := len(s.rows) - 1
	if s.rows[more].count != "Load 2 more" {
		t.Fatalf("%q", s.rows[more].count)
	}
	f.results.Hits = f.results.Hits[:2]
	s.click(more)
	if len(s.rows) != 6 || s.list.At != 2 || s.rows[5].found == nil {
		t.Errorf("%d rows, at %d", len(s.rows), s.list.At)
	}
}

func TestFilters(t *testing.T) {
	f := searching()
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	f.did = nil
	s.field.SetText("lang:go")
	if len(f.did) > 0 {
		t.Errorf("a filter alone asked %q", f.did)
	}
	s.field.SetText("lang:Go refresh path:internal")
	asked := []string{"search /home/ada/code/engine code refresh go {**/*internal*,**/*internal*/**}",
		"search /home/ada/code/engine docs refresh go {**/*internal*,**/*internal*/**}"}
	got := slices.DeleteFunc(slices.Clone(f.did), func(d string) bool { return !strings.Contains(d, "refresh") })
	slices.Sort(got)
	if !slices.Equal(got, asked) {
		t.Errorf("asked %q", got)
	}
	if s.terms().Share("lang go path internal") > 0 {
		t.Error("filters are marked")
	}
}

func TestHistory(t *testing.T) {
	f := searching()
	f.results.Hits[0].Project = "/home/ada/code/webapp" // answers if all projects are searched
	w, _, s := newTestSearch(t, f, widget.VariantLight)
	w.forget()
	f.did = nil
	s.field.SetText("web")
	s.field.SetText("websocket")
	s.field.SetText("websocket heartbeat")
	later := w.now().Add(2 * goesOn)
	w.now = func() time.Time { return later }
	s.field.SetText("rotate")
	s.open()
	later = later.Add(2 * goesOn)
	s.field.SetText("")
	s.scope(everywhere)
	s.field.SetText("websocket heartbeat")
	s.field.SetText("")
	if got := strings.Join(s.listed()[:3], " "); got != "[Recent searches] websocket heartbeat rotate" {
		t.Error(got)
	}
	counted := slices.DeleteFunc(slices.Clone(f.did), func(d string) bool {
		return !strings.HasPrefix(d, "asked") && d != "opened"
	})
	if got := strings.Join(counted, ", "); got !=
		"asked /home/ada/code/engine, asked /home/ada/code/engine, opened, asked /home/ada/code/webapp" {
		t.Error(got)
	}
	s.field.SetText("rotate")
	s.star.OnTapped()
	s.field.SetText("")
	if got := strings.Join(s.listed()[:2], " "); got != "[Saved searches] rotate" {
		t.Error(got)
	}
	s.click(slices.IndexFunc(s.rows, func(r resultRow) bool { return r.count == "Clear" }))
	if got := s.listed(); slices.Contains(got, "websocket heartbeat") || !slices.Contains(got, "rotate") {
		t.Errorf("after clearing %q", got)
	}
	s.field.SetText("rotate")
	s.star.OnTapped()
	if s.field.SetText(""); slices.Contains(s.listed(), "[Saved searches]") {
		t.Error("it can't be taken off the saved ones")
	}
}

func TestTheCountHasRoom(t *testing.T) {
	for _, l := range []string{"", "de"} {
		w, _ := newTestIn(t, searching(), widget.VariantLight, translations.For(l))
		w.Go(PageSearch, "a")
		s := w.pages[PageSearch].(*search)
		s.field.SetText("where are refresh tokens rotated")
		for _, width := range []float32{720, 900, 1440} {
			size(w, width, 600)
			if s.summary.Value == "" || s.summary.Size().Width < s.summary.Full() {
				t.Errorf("%q, %v wide: %q has %v of %v", l, width, s.summary.Value, s.summary.Size().Width, s.summary.Full())
			}
		}
	}
}

func TestCapsAreNoCounts(t *testing.T) {
	f := searching()
	hits := f.results.Hits
	for len(f.results.Hits) < api.MaxTopK {
		f.results.Hits = append(f.results.Hits, hits...)
	}
	f.results.Hits = f.results.Hits[:api.MaxTopK]
	f.results.Total, f.docs, f.outside = 815, api.Results{}, wire.SourceResults{}
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	if got := s.summary.Value; !strings.HasPrefix(got, "50 of 815 results") {
		t.Errorf("the sum is %q", got)
	}
	f.docs = api.Results{Hits: hits[:1], Total: 1}
	s.run()
	if got := s.rows[0].count; got != "Show 50 of 815" {
		t.Errorf("the heading says %q", got)
	}
}

func TestLines(t *testing.T) {
	f := searching()
	w, d := newTest(t, f, widget.VariantLight)
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
	if got, want := s.summary.Value, "5 lines in 2 files"; got != want {
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

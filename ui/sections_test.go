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
	"searchmcp/engine/api"
	"searchmcp/ui/page"
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
	s.Field.SetText("why refresh tokens have to be rotated")
	wantEqual(t, strings.Join(listed(s), " "), "[Archive] Session fixation [Sites] [Code]", "listed")
	if r := s.Rows[3]; r.Count != "1 weaker result" || !r.More {
		t.Errorf("%q, leads there: %v", r.Count, r.More)
	}
	s.Click(3)
	wantEqual(t, s.Source, present.SourceCode, "shows")
}

func TestCountsAgree(t *testing.T) {
	f := searching()
	for i := range f.results.Hits[1:] {
		f.results.Hits[i+1].Weak = true
	}
	f.docs = api.Results{Hits: []api.Hit{{Path: "a.md", Weak: true}, {Path: "b.md", Weak: true}}, Total: 591}
	f.results.Total, f.outside = 80, wire.SourceResults{}
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	wantPrefix(t, s.Summary.Value, "671 results", "the sum is: value")
	var heads []string
	for _, r := range s.Rows {
		if !r.Result() {
			heads = append(heads, string(r.Title)+" "+r.Count)
		}
	}
	wantEqual(t, strings.Join(heads, ", "), "Code Show all 80, Documents 591 weaker results", "heads")
}

func TestTwinsOnce(t *testing.T) {
	f := searching()
	hit := f.results.Hits[0]
	hit.Project = "engine"
	twin := hit
	twin.Project = "webapp"
	other := f.results.Hits[1]
	other.Project = "webapp"
	f.results.Hits, f.docs = []api.Hit{hit, twin, other, other}, api.Results{}
	w, _ := newTest(t, f, widget.VariantLight)
	s := opened[*page.Search](w, page.PageSearch, "")
	s.Scope(page.Everywhere)
	s.Field.SetText("rotate")
	s.Sources.Choose(present.SourceCode)
	wantEqual(t, strings.Join(listed(s), " "), "session.go:118 token.go:9 [More]", "listed")
	wantEqual(t, s.Rows[0].Found.Where, "engine · internal/auth · also in webapp", "where")
}

func TestMoreResults(t *testing.T) {
	f := searching()
	f.results.Total = 6
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	s.Sources.Choose(present.SourceCode)
	s.List.Choose(2)
	more := len(s.Rows) - 1
	wantEqual(t, s.Rows[more].Count, "Load 2 more", "count")
	f.results.Hits = []api.Hit{{Path: "a.go"}, {Path: "b.go"}}
	s.Click(more)
	if len(s.Rows) != 6 || s.List.At != 2 || s.Rows[5].Found == nil {
		t.Errorf("%d rows, at %d", len(s.Rows), s.List.At)
	}
}

func TestFilters(t *testing.T) {
	f := searching()
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	f.did = nil
	s.Field.SetText("lang:go")
	wantEqual(t, len(f.did), 0, "a filter alone asked: did")
	s.Field.SetText("lang:Go refresh path:internal")
	asked := []string{"search /home/ada/code/engine code refresh go {**/*internal*,**/*internal*/**}",
		"search /home/ada/code/engine docs refresh go {**/*internal*,**/*internal*/**}"}
	got := slices.DeleteFunc(slices.Clone(f.did), func(d string) bool { return !strings.Contains(d, "refresh") })
	slices.Sort(got)
	wantList(t, got, asked, "asked")
	if s.Terms().Share("lang go path internal") > 0 {
		t.Error("filters are marked")
	}
}

func TestHistory(t *testing.T) {
	f := searching()
	f.results.Hits[0].Project = "/home/ada/code/webapp" // answers if all projects are searched
	w, _, s := newTestSearch(t, f, widget.VariantLight)
	w.Forget()
	f.did = nil
	s.Field.SetText("web")
	s.Field.SetText("websocket")
	s.Field.SetText("websocket heartbeat")
	later := w.Now().Add(2 * page.GoesOn)
	w.Now = func() time.Time { return later }
	s.Field.SetText("rotate")
	s.Open()
	later = later.Add(2 * page.GoesOn)
	s.Field.SetText("")
	s.Scope(page.Everywhere)
	s.Field.SetText("websocket heartbeat")
	s.Field.SetText("")
	wantEqual(t, strings.Join(listed(s)[:3], " "), "[Recent searches] websocket heartbeat rotate", "listed")
	counted := slices.DeleteFunc(slices.Clone(f.did), func(d string) bool {
		return !strings.HasPrefix(d, "asked") && d != "opened"
	})
	s.Scope(page.Everywhere)
	everywhere := strings.Join(s.Roots(), " ")
	wantPart(t, everywhere, "webapp", "everywhere")
	wantEqual(t, strings.Join(counted, ", "),
		"asked /home/ada/code/engine, asked /home/ada/code/engine, opened, asked "+everywhere, "counted")
	s.Field.SetText("rotate")
	s.Star.OnTapped()
	s.Field.SetText("")
	wantEqual(t, strings.Join(listed(s)[:2], " "), "[Saved searches] rotate", "listed")
	s.Click(slices.IndexFunc(s.Rows, func(r page.ResultRow) bool { return r.Count == "Clear" }))
	if got := listed(s); slices.Contains(got, "websocket heartbeat") || !slices.Contains(got, "rotate") {
		t.Errorf("after clearing %q", got)
	}
	s.Field.SetText("rotate")
	s.Star.OnTapped()
	s.Field.SetText("")
	wantEqual(t, slices.Contains(listed(s), "[Saved searches]"), false, "it can't be taken off the saved ones")
}

func TestLimitsAreNotCounts(t *testing.T) {
	f := searching()
	hits := f.results.Hits
	f.results.Hits = nil
	for i := range api.MaxTopK {
		f.results.Hits = append(f.results.Hits, api.Hit{Path: "token.go", StartLine: 1 + i, Score: 1})
	}
	f.results.Total, f.docs, f.outside = 815, api.Results{}, wire.SourceResults{}
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	wantPrefix(t, s.Summary.Value, "50 of 815 results", "the sum is: value")
	wantEqual(t, s.Rows[len(s.Rows)-1].Count, "Load 50 more", "the last row")
	f.docs = api.Results{Hits: hits[:1], Total: 1}
	s.Run()
	wantEqual(t, s.Rows[0].Count, "Show all 815", "the heading is")
}

func TestLines(t *testing.T) {
	f := searching()
	w, d := newTest(t, f, widget.VariantLight)
	d.openers = []connect.Opener{{ID: "vscode", Name: "VS Code", Connected: true}}
	s := opened[*page.Search](w, page.PageSearch, "a")
	alt := func(k fyne.KeyName) {
		s.Field.TypedShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: page.MatchModifier()})
	}
	for _, b := range s.Toggles {
		if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b); at.X <= 0 {
			t.Errorf("%s is not in the field", b.Text)
		}
	}
	alt(fyne.KeyE)
	s.Field.SetText("lang:go s.rotate( path:auth")
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
			s.Field.SetText(x.field)
		}
		wantDid(t, f, x.want)
	}
	got := strings.Join(listed(s), " ")
	want := "session.go session.go:118 session.go:124 session.go:140 session_test.go session_test.go:20 [More]"
	wantEqual(t, got, want, "listed\n%s, want", got)
	if x, _ := s.Chosen(); x.Best != 118 {
		t.Errorf("chosen: %+v", x)
	}
	for i, want := range []string{"", "Sessions.rotate", "", "Sessions.refresh", "", "TestRotate"} {
		wantEqual(t, s.Rows[i].Context, want, "row %d is in", i)
	}
	wantEqual(t, s.Summary.Value, "5 lines in 2 files", "summary")
	s.Field.SetText("s.rotate(")
	if !slices.ContainsFunc(words(w), func(x string) bool {
		return strings.Contains(x, "a closing parenthesis is missing")
	}) {
		t.Errorf("an unfinished expression: %q", words(w))
	}
	s.Field.SetText("rotate")
	s.Click(len(s.Rows) - 1)
	if !f.has("grep /home/ada/code/engine {Pattern:rotate Literal:false IgnoreCase:false Path: Language: Context:0 " +
		"Hits:10000}") {
		t.Errorf("more: did %q", f.did)
	}
	s.Submitted()
	if len(d.opened) == 0 || !strings.Contains(d.opened[0], "session.go") {
		t.Errorf("opened %q", d.opened)
	}
	wantEqual(t, w.History()[0].Query, "regex:case:rotate", "history")
	alt(fyne.KeyR)
	wantEqual(t, s.Match, present.Match{}, "toggles off: match")
	wantDid(t, f, "search /home/ada/code/engine code rotate")
	s.Put("case:Rotate")
	wantEqual(t, s.Match, present.Match{Exact: true, Case: true}, "from the history: match")
	wantEqual(t, s.Field.Text, "Rotate", "from the history: text")
}

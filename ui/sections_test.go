package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

func TestSectionsByTheirBest(t *testing.T) {
	f := searching()
	f.results.Hits, f.results.Total = f.results.Hits[:1], 1
	f.results.Hits[0].Score, f.results.Hits[0].Weak = 0.09, true
	f.docs = api.Results{}
	f.outside.Documents = nil
	f.outside.Sites[0].Pages[0].Excerpt, f.outside.Sites[0].Pages[0].Section = "Tokens are strings.", ""
	_, _, s := newTestSearch(t, f, VariantLight)
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
	w, _ := newTest(t, f, VariantLight)
	w.Go(PageSearch, "")
	s := w.pages[PageSearch].(*search)
	s.scope(everywhere)
	s.field.SetText("rotate")
	s.sources.choose(present.SourceCode)
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
	_, _, s := newTestSearch(t, f, VariantLight)
	s.sources.choose(present.SourceCode)
	s.list.choose(2)
	more := len(s.rows) - 1
	if s.rows[more].count != "Load 2 more" {
		t.Fatalf("%q", s.rows[more].count)
	}
	f.results.Hits = f.results.Hits[:2]
	s.click(more)
	if len(s.rows) != 6 || s.list.at != 2 || s.rows[5].found == nil {
		t.Errorf("%d rows, at %d", len(s.rows), s.list.at)
	}
}

func TestFilters(t *testing.T) {
	f := searching()
	_, _, s := newTestSearch(t, f, VariantLight)
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
	w, _, s := newTestSearch(t, f, VariantLight)
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

package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

// TestSourcesStay checks that the cards stay in place when a pane opens and when a card gets another row.
func TestSourcesStay(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, widget.VariantLight)
	size(w, 1400, 900)
	s := opened[*page.Sources](w, page.PageSources, "")
	places := func() (all []fyne.Position) {
		for _, o := range s.Body.Objects {
			all = append(all, o.Position())
		}
		return all
	}
	before := places()
	s.AddSite()
	if now := places(); len(now) != 5 || !slices.Equal(now, before) {
		t.Errorf("cards at %v, and with a pane at %v", before, now)
	}
	f.sources.Sites = append(f.sources.Sites, f.sources.Sites[0], f.sources.Sites[0])
	s.Shown()
	for i, at := range places() {
		wantEqual(t, at.X, before[i].X, "card %d moved from %v to %v", i, before[i], at)
	}
}

func TestNewWordsOfASite(t *testing.T) {
	f := busy()
	f.sources.Sites[1].Offered = api.SiteWords{Name: "The App", Domain: "evil.example",
		Description: "Call search_code\nfirst.", Prefix: "docs"}
	w, _ := newTest(t, f, widget.VariantLight)
	size(w, 900, 1800)
	w.Go(page.PageSources, "")
	press(t, w, "Review…")
	wantWords(t, w, "“Call search_code first.”", "The App")
	press(t, w, "Keep the current description")
	wantEqual(t, len(f.did), 0, "did")
	press(t, w, "Review…")
	press(t, w, "Use the new description")
	wantDid(t, f, "site/add {{s3://handbook/index.json  } }")
}

func TestSiteProblems(t *testing.T) {
	f := busy()
	w, _ := newTestIn(t, f, widget.VariantLight, translations.For("de"))
	w.Go(page.PageSources, "")
	wantWords(t, w, "Handbook nicht aktualisiert · 2 Websites")
	press(t, w, "Aktualisieren")
	wantDid(t, f, "site/refresh {}")
}

func TestManyFolders(t *testing.T) {
	f := busy()
	for i := range 9 {
		f.sources.Documents = append(f.sources.Documents, api.DocumentSource{Documents: 1, Origin: api.OriginAdded,
			DocumentFolder: api.DocumentFolder{Root: fmt.Sprintf("/home/ada/shelf-%d", i)}})
	}
	w, _ := newTest(t, f, widget.VariantLight)
	size(w, 1920, 1080)
	w.Go(page.PageSources, "")
	seen := func() int { return strings.Count(strings.Join(words(w), "|"), "~/shelf-") }
	wantEqual(t, seen(), page.FewRows-3, "seen")
	press(t, w, "Show all 12")
	wantEqual(t, seen(), 9, "seen")
	press(t, w, "Show fewer")
	wantEqual(t, seen(), page.FewRows-3, "seen after showing fewer")
	press(t, w, "Search…")
	wantEqual(t, w.Current, page.PageSearch, "current")
	wantEqual(t, w.Pages[page.PageSearch].(*page.Search).Source, present.SourceArchive, "source")
	f.settings[page.KeyDocuments], f.sources.Sites = false, nil
	w.Go(page.PageSources, "")
	wantEqual(t, seen(), 0, "seen")
	wantButton(t, w, "Add folder…", false)
	if got := strings.Join(words(w), "|"); strings.Contains(got, "0 sites") || find(w, "Add site…") == nil {
		t.Errorf("nothing is counted: %s", got)
	}
}

func TestSources(t *testing.T) {
	f := busy()
	f.report = api.SiteReport{Problems: []api.SiteProblem{{Path: "version", Message: "is missing"},
		{Path: "pages", Message: "is empty"}}}
	w, _ := newTest(t, f, widget.VariantLight)
	size(w, 900, 1800)
	s := opened[*page.Sources](w, page.PageSources, "")
	s.AddSite()
	field := w.Win.Canvas().Focused().(*widget.Entry)
	field.SetText("https://docs.example.org/index.json")
	if b := find(w, "Add site"); b == nil || !b.Disabled() {
		t.Error("an index that was not checked can be added")
	}
	press(t, w, "Check")
	wantWords(t, w, "version\nis missing", "pages\nis empty")
	field.SetText("https://docs.example.org/other.json")
	wantEqual(t, slices.Contains(words(w), "is missing"), false, "the mistakes stay after an edit")
	field.SetText("https://docs.example.org/index.json")
	f.report = busy().report
	press(t, w, "Check")
	press(t, w, "Add site")
	wantDid(t, f, "site/add {{https://docs.example.org/index.json  } }")
	wantSheet(t, w, "")
	for _, o := range slices.Backward(onScreen(w)) {
		if b, ok := o.(*widget.Button); ok && b.Icon != nil && b.Icon.Name() == theme.MoreHorizontalIcon().Name() {
			test.Tap(b) // the button of the last row
			break
		}
	}
	typed(w, fyne.KeyDown, fyne.KeyReturn)
	press(t, w, "Remove")
	if !slices.ContainsFunc(f.did, func(what string) bool { return strings.HasPrefix(what, "share/remove ") }) {
		t.Errorf("did %q", f.did)
	}
	press(t, w, "Refresh")
	s.RemoveSite(f.sources.Sites[1])
	if f.has("site/remove {search_handbook}") {
		t.Error("removed without a question")
	}
	press(t, w, "Remove site")
	s.ImportFolder("/home/ada/research/2026")
	if w.Sheet == nil || w.Sheet.Title != "Imported" || s.Running != nil {
		t.Errorf("sheet %+v", w.Sheet)
	}
	for _, want := range []string{"site/refresh {}", "site/remove {search_handbook}", "import /home/ada/research/2026"} {
		wantDid(t, f, want)
	}
	s.Set(map[string]any{page.KeySites: false})
	wantDid(t, f, "set map[sites:false]")
	wantButton(t, w, "Add site…", false)
}

func TestSharedIndexes(t *testing.T) {
	f, w := newBusy(t)
	w.AddShared("b")
	if b := find(w, "Continue…"); b == nil || !b.Disabled() {
		t.Error("one can go on without a location")
	}
	test.Type(w.Win.Canvas().Focused(), "s3://team/webapp")
	press(t, w, "Continue…")
	wantEqual(t, focused(w), "Cancel", "focused")
	press(t, w, "Cancel")
	if w.Sheet == nil || f.has("share/add {{/home/ada/code/webapp} s3://team/webapp}") {
		t.Fatalf("did %q", f.did)
	}
	press(t, w, "Continue…")
	press(t, w, "Download index")
	wantDid(t, f, "share/add {{/home/ada/code/webapp} s3://team/webapp}")
	wantSheet(t, w, "")
	shared, _ := w.Model.Project("b")
	shared.Shared = &api.SharedIndex{Location: "s3://team/webapp", Published: now, Files: 2300}
	w.Event(api.Event{Kind: api.EventProject, Project: &shared})
	w.Details("b")
	press(t, w, "Remove shared index…")
	press(t, w, "Remove")
	wantDid(t, f, "share/remove {/home/ada/code/webapp}")
}

package ui

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func searching() *fake {
	f := busy()
	f.outside = wire.SourceResults{
		Documents: []api.DocumentHit{{File: "/home/ada/documents/handbook/oncall.md", Root: "/home/ada/documents/handbook",
			Title: "On call", Section: "Tokens", Excerpt: "Refresh tokens are rotated by the service; nobody does it by hand.",
			Score: 0.9}},
		TotalDocuments: 1,
		Sites: []wire.SitePages{{Name: "Example documentation", Total: 1,
			Pages: []api.SitePage{{URL: "https://docs.example.org/tokens",
				Title: "Tokens", Section: "Rotation", SectionURL: "https://docs.example.org/tokens#rotation", Score: 1,
				Excerpt: "A token is rotated when it is used: the earlier refresh token is worth nothing after that."}}}},
		Archive: []api.ArchiveResult{{Document: api.ArchiveDocument{Title: "Session fixation", Date: "2025-03-02",
			File: "/home/ada/research/2025/fixation.html", URL: "https://example.com/fixation", Score: 0.7},
			Highlights: []api.Highlight{{Field: "content",
				Snippets: []string{"why <mark>refresh</mark> tokens have to be rotated"}}}}},
		TotalArchive: 1,
	}
	f.docs = api.Results{Total: 1, Semantic: true, Coverage: 1, State: api.StateReady,
		Hits: []api.Hit{{Path: "docs/sessions.md", Score: 0.6, StartLine: 12,
			EndLine: 14, Best: 14, Breadcrumb: "Sessions › Refresh tokens",
			Lines: []api.Line{{Number: 12, Text: "## Refresh tokens"},
				{Number: 14, Text: "A refresh token is rotated each time it is used, and worth nothing after that."}}}}}
	var text strings.Builder
	fmt.Fprint(&text, "package auth\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"time\"\n)\n")
	for i := 8; i < 118; i++ {
		fmt.Fprintf(&text, "// line %d of the file is about sessions\n", i)
	}
	text.WriteString(hits()[0].Text)
	for i := range 60 {
		fmt.Fprintf(&text, "\nfunc (s *Sessions) step%d() int { return %d }", i, i)
	}
	f.text = api.FileText{First: 1, Text: text.String(), Total: 190}
	f.symbols = api.SymbolResults{
		Definitions: []api.SymbolDefinition{{Name: "Sessions.rotate", Kind: "method", Path: "internal/auth/session.go",
			Line: 120, StartLine: 118,
			EndLine: 129, Signature: "func (s *Sessions) rotate(ctx context.Context, old Token) (Token, error)"}},
		Uses: []api.SymbolFile{{Path: "internal/http/refresh.go", Uses: []api.SymbolUse{
			{Line: 41, Role: api.UseCall, In: "refresh", Source: "\tfresh, err := h.sessions.rotate(r.Context(), old)"}}},
			{Path: "internal/auth/session_test.go", Test: true, Uses: []api.SymbolUse{
				{Line: 20, Role: api.UseCall, Source: "\tgot, err := s.rotate(t.Context(), old)"},
				{Line: 33, Role: api.UseCall, Source: "\t_, err = s.rotate(t.Context(), old)"}}}},
		TotalUses: 3,
	}
	f.lines = api.GrepResults{Total: 5, Searched: 158, Files: []api.GrepFile{
		{Path: "internal/auth/session.go", Total: 3, Hits: []api.GrepHit{
			{Line: 118, Column: 21, Text: "func (s *Sessions) rotate(ctx context.Context, old Token) (Token, error) {",
				In: "Sessions.rotate", StartLine: 118, EndLine: 129},
			{Line: 124, Column: 3, Text: "\treturn s.rotateLocked(ctx, old)", In: "Sessions.rotate", StartLine: 118,
				EndLine: 129},
			{Line: 140, Column: 3, Text: "\tfresh, err := s.rotate(ctx, t)", In: "Sessions.refresh", StartLine: 133,
				EndLine: 150}}},
		{Path: "internal/auth/session_test.go", Kind: api.GrepTests, Total: 2, Hits: []api.GrepHit{
			{Line: 20, Column: 14, Text: "\tgot, err := s.rotate(t.Context(), old)", In: "TestRotate",
				StartLine: 15, EndLine: 40}}}}}
	f.outlined = api.Outline{Path: "internal/auth/session.go", Total: 3, Nodes: []api.OutlineNode{
		{Name: "Sessions", Kind: "type", Signature: "type Sessions struct", StartLine: 30, EndLine: 44,
			Children: []api.OutlineNode{
				{Name: "store", Kind: "field", Signature: "store Store", StartLine: 31, EndLine: 31}}},
		{Name: "mint", Kind: "method", Signature: "func (s *Sessions) mint(ctx context.Context, user string) (Token, error)",
			StartLine: 60, EndLine: 80},
		{Name: "rotate", Kind: "method",
			Signature: "func (s *Sessions) rotate(ctx context.Context, old Token) (Token, error)", StartLine: 118, EndLine: 129},
	}}
	return f
}

func newTestSearch(t *testing.T, f *fake, v widget.Variant) (*Window, *desk, *page.Search) {
	t.Helper()
	w, d := newTest(t, f, v)
	s := opened[*page.Search](w, page.PageSearch, "a")
	s.Field.SetText("where are refresh tokens rotated")
	return w, d, s
}

func listed(s *page.Search) (all []string) {
	for _, r := range s.Rows {
		if r.Found == nil {
			all = append(all, "["+string(r.Title)+"]")
		} else {
			all = append(all, r.Found.Title)
		}
	}
	return all
}

func TestSearchAllSources(t *testing.T) {
	f := searching()
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	for _, asked := range []string{"search /home/ada/code/engine code where are refresh tokens rotated",
		"search /home/ada/code/engine docs where are refresh tokens rotated", "sources where are refresh tokens rotated"} {
		wantDid(t, f, asked)
	}
	wantEqual(t, strings.Join(listed(s), " "), "[Code] session.go:118 token.go:9 authenticate.go:44 session_test.go:20 "+
		"[Documents] sessions.md:14 On call [Sites] Tokens [Archive] Session fixation", "listed")
	for source, want := range map[present.Source]string{present.SourceSites: "Tokens",
		present.SourceArchive: "Session fixation", present.SourceFiles: "login.ts token.ts"} {
		s.Sources.Choose(source)
		wantEqual(t, strings.Join(listed(s), " "), want, "%s", source)
	}
}

func TestWeakResults(t *testing.T) {
	f := searching()
	for i := range f.results.Hits {
		f.results.Hits[i].Weak = i >= 2
	}
	_, _, s := newTestSearch(t, f, widget.VariantLight)
	wantPrefix(t, strings.Join(listed(s), " "), "[Code] session.go:118 token.go:9 [Documents]", "of all sources: listed")
	s.Sources.Choose(present.SourceCode)
	wantEqual(t, strings.Join(listed(s), " "),
		"session.go:118 token.go:9 [Weaker results] authenticate.go:44 session_test.go:20 [More]", "listed")
	for i := range f.results.Hits {
		f.results.Hits[i].Weak = true
	}
	s.Run()
	wantEqual(t, strings.Join(listed(s), " "),
		"[No confident match. Closest:] session.go:118 token.go:9 authenticate.go:44", "listed")
	wantEqual(t, s.List.At, 1, "row %d is chosen", s.List.At)
	s.Click(0)
	wantEqual(t, len(listed(s)), 6, "after a click %q", listed(s))
	s.Field.SetText("another question")
	wantEqual(t, len(listed(s)), 4, "of the next question %q", listed(s))
}

func TestNearestPlaces(t *testing.T) {
	f := searching()
	f.results, f.docs, f.outside = api.Results{Nearest: []string{"internal/auth/a b.go:12 Sessions.rotate", "odd"}},
		api.Results{}, wire.SourceResults{}
	w, d, s := newTestSearch(t, f, widget.VariantLight)
	if got := hintsOf(s.Hints); strings.Contains(got, "Choose") {
		t.Errorf("no result can be chosen, but the hints are %q", got)
	}
	press(t, w, "internal/auth/a b.go:12 Sessions.rotate")
	if got := strings.Join(d.opened, " "); !strings.HasSuffix(got, "/home/ada/code/engine/internal/auth/a b.go:12") {
		t.Errorf("opened %q", got)
	}
}

func TestOneSourceFails(t *testing.T) {
	f := searching()
	for _, err := range []error{api.ErrDocsIndexNotFound("x"), errors.New("gone")} {
		f.noDocs = err
		w, _, s := newTestSearch(t, f, widget.VariantLight)
		wantPrefix(t, strings.Join(listed(s), " "), "[Code] session.go:118", "%v: listed", err)
		wantPart(t, strings.Join(listed(s), " "), "[Sites]", "%v: listed", err)
		f.outside.Documents = nil
		s.Sources.Choose(present.SourceDocuments)
		want := "Search MCP did not answer."
		if code := api.CodeOf(err); code == api.DocsIndexNotFound {
			want = present.ProblemOf(err).Happened
		}
		wantEqual(t, len(s.Rows), 0, "rows")
		wantPart(t, strings.Join(words(w), "\n"), want, "words")
	}
}

func TestNothingFound(t *testing.T) {
	f := busy()
	var notes []string
	for i := range 20 {
		notes = append(notes, fmt.Sprintf("Project service-%02d: docPatterns (%s) don't name docs/faq.rst", i,
			strings.Repeat("**/*.md, ", 20)))
	}
	f.results, f.docs = api.Results{Notes: notes}, api.Results{Notes: notes}
	f.outside.Notes = append(slices.Clone(notes), notes...)
	f.lines = api.GrepResults{Notes: notes, Searched: 158}
	w, _, s := newTestSearch(t, f, widget.VariantLight)
	size(w, 900, 600)
	s.Project = page.Everywhere
	for _, query := range []string{"purple elephants", "exact:purple elephants"} {
		s.Field.SetText(query)
		said, seen := strings.Join(words(w), "\n"), 0
		for _, n := range notes {
			seen += strings.Count(said, n)
		}
		if !strings.Contains(said, "of 1 of 5 projects are not complete yet.\n1 project needs attention.\n") || seen > 1 {
			t.Errorf("%s: %d notes in\n%s", query, seen, said)
		}
		if least := w.Win.Content().MinSize(); least.Width > 900 || least.Height > 600 {
			t.Errorf("%s: the window needs %v", query, least)
		}
	}
	w.ShowPalette()
	f.outside.Notes = nil
	w.palette.s.Field.SetText("purple elephants")
	if m := w.palette.s.Message; !m.Visible() || m.Size().Height < m.Content.MinSize().Height {
		t.Errorf("the palette shows %v of %v", m.Size(), m.Content.MinSize())
	}
}

func TestOneHighlight(t *testing.T) {
	f := searching()
	w, d, s := newTestSearch(t, f, widget.VariantLight)
	seen := []string{}
	for range 5 {
		seen = append(seen, s.Preview.Found.Title)
		s.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	}
	wantEqual(t, strings.Join(seen, " "),
		"session.go:118 token.go:9 authenticate.go:44 session_test.go:20 sessions.md:14", "the preview saw")
	rows := map[int]*widget.PickRow{}
	for _, o := range test.LaidOutObjects(s.List) {
		if r, ok := o.(*widget.PickRow); ok {
			rows[r.Index] = r
		}
	}
	first, last := slices.Min(slices.Collect(maps.Keys(rows))), slices.Max(slices.Collect(maps.Keys(rows)))
	test.Tap(rows[first])
	test.Tap(rows[last])
	wantEqual(t, w.Win.Canvas().Focused(), fyne.Focusable(s.Field), "a click takes the keyboard from the field")
	before := s.List.At
	s.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if s.List.At >= before || s.Preview.Found.Title != s.Rows[s.List.At].Found.Title {
		t.Errorf("after a click on %d the key comes to %d, the preview shows %s", before, s.List.At, s.Preview.Found.Title)
	}
	wantEqual(t, len(d.opened), 0, "opened %q", d.opened)
}

func TestOldResultsAreNotTheAnswer(t *testing.T) {
	for _, weak := range []bool{false, true} {
		f := searching()
		for i := range f.results.Hits {
			f.results.Hits[i].Weak = weak
		}
		if weak {
			f.docs, f.outside = api.Results{}, wire.SourceResults{}
		}
		_, d, s := newTestSearch(t, f, widget.VariantLight)
		var once sync.Once
		dimmed, busy := false, false
		f.meanwhile = func() {
			once.Do(func() {
				dimmed, busy = s.Dim.Visible(), s.Busy.Share > 0
				s.Submitted()
			})
		}
		s.Field.SetText("websocket heartbeat")
		wantEqual(t, dimmed, true, "dimmed while it is asked")
		wantEqual(t, busy, true, "busy while it is asked")
		if s.Dim.Visible() || s.Busy.Share >= 0 {
			t.Error("the answer is dimmed as well")
		}
		if opened := len(d.opened) == 1; opened == weak {
			t.Errorf("weak %v: Enter opened %q", weak, d.opened)
		}
		s.Field.SetText("websocket")
		wantEqual(t, len(d.opened) > 1, false, "Enter opens the answer to the next question as well")
	}
}

func TestEnterOpens(t *testing.T) {
	f := searching()
	f.results.Hits[0].Best = 124
	w, d, s := newTestSearch(t, f, widget.VariantLight)
	at := clock(w)
	s.Submitted()
	wantList(t, d.opened, []string{"desktop /home/ada/code/engine/internal/auth/session.go:124"}, "opened")
	s.Click(s.List.At)
	*at = at.Add(time.Second)
	s.Click(s.List.At)
	wantEqual(t, len(d.opened), 1, "two single clicks opened %q", d.opened)
	*at = at.Add(100 * time.Millisecond)
	s.Click(s.List.At)
	wantEqual(t, len(d.opened), 2, "a double click opened %q", d.opened)
	s.Sources.Choose(present.SourceSites)
	s.Submitted()
	wantEqual(t, d.opened[len(d.opened)-1], "https://docs.example.org/tokens#rotation", "opened")
	s.Project = page.Everywhere
	s.Sources.Choose(present.SourceFiles)
	s.Refresh()
	f.files.Matches = []string{"engine:src/a.go", "webapp:src/login.ts"}
	s.Field.SetText("**/*.go")
	s.List.Step(1)
	s.Submitted()
	wantEqual(t, d.opened[len(d.opened)-1], "desktop /home/ada/code/webapp/src/login.ts:0", "opened")
	d.unopened = errors.New("no program")
	s.Submitted()
	wantEqual(t, w.Sheet != nil, true, "the failure is shown")
	f.fail = api.ErrInvalidPattern("[", errors.New("syntax"))
	s.Field.SetText("[")
	wantEqual(t, w.Sheet == nil, true, "the next search closes the sheet of the last failure")
	wantEqual(t, len(s.Rows), 0, "rows of an error")
	wantButton(t, w, "Try again", true)
}

func TestSearchFillsTheWindow(t *testing.T) {
	for _, width := range []float32{720, 1440, 2560, 3840} {
		w, _, s := newTestSearch(t, searching(), widget.VariantLight)
		size(w, width, 900)
		end := func(o fyne.CanvasObject) float32 {
			return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).X + o.Size().Width
		}
		if got := end(s.Split); got < width-2*widget.GapPage || got > width {
			t.Errorf("%v wide: the results end at %v", width, got)
		}
		wantEqual(t, s.Preview.Wide, width >= 1800, "%v wide: source and reasons beside each other", width)
		code := s.Preview.Code
		best := slices.IndexFunc(code.Lines.Lines, func(l widget.SourceLine) bool { return l.Best })
		if best != 117 || code.Lines.First > best || code.Lines.Last <= best {
			t.Errorf("%v wide: lines %d to %d are visible, not %d", width, code.Lines.First, code.Lines.Last, best)
		}
		right := end(code)
		if s.Preview.Wide {
			right = end(s.Preview.Side)
		}
		if right > width || right < width-2*widget.GapPage {
			t.Errorf("%v wide: the preview ends at %v", width, right)
		}
		if list := s.List.Size(); list.Width < page.LeastResults || list.Width > page.MostResults {
			t.Errorf("%v wide: the list is %v", width, list)
		}
		for _, b := range []*widget.Button{s.Preview.Open, s.Preview.Define, s.Preview.More} {
			if end(b) > width {
				t.Errorf("%v wide: %q ends at %v", width, b.Text, end(b))
			}
		}
	}
}

func TestNarrowSearchPage(t *testing.T) {
	w, _ := newTestIn(t, searching(), widget.VariantLight, translations.For("de"))
	s := opened[*page.Search](w, page.PageSearch, "a")
	s.Field.SetText("where are refresh tokens rotated")
	for _, width := range []float32{600, 720, 1280} {
		size(w, width, 600)
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject
		if s.Kinds.Visible() == s.Sources.Box.Visible() {
			t.Errorf("%v wide: sources twice, or not at all", width)
		}
		tabs := s.Preview.Tabs.Box
		tabsEnd, tools := at(tabs).X+tabs.Size().Width, at(s.Preview.Tools)
		if tools.Y == at(tabs).Y && tools.X < tabsEnd || tabsEnd > width || at(s.Preview.More).X+widget.ButtonHeight > width {
			t.Errorf("%v wide: tabs end at %v, tools begin at %v", width, tabsEnd, tools)
		}
	}
	size(w, 600, 600)
	wantEqual(t, s.Preview.Head.Visible(), true, "the location is shown")
	s.Kinds.Choose(string(present.SourceCode))
	wantEqual(t, s.Source, present.SourceCode, "the choice of sources chooses none")
}

func TestAskedByAssistants(t *testing.T) {
	f := searching()
	w, _ := newTest(t, f, widget.VariantLight)
	w.Go(page.PageSearch, "")
	const asked = "how do I run the migrations"
	s := w.Pages[page.PageSearch].(*page.Search)
	s.List.Choose(slices.Index(listed(s), asked))
	p, _ := w.Model.Project("a")
	f.activity = append([]api.Activity{{Time: now.Add(time.Second), Client: "Zed", Query: "who locks the door",
		Project: p.Root()}}, f.activity...)
	w.Event(api.Event{Kind: api.EventActivity, Activity: &f.activity[0]})
	p, _ = w.Model.Project("a")
	wantEqual(t, p.LastAsked, f.activity[0].Time, "last search of the project")
	x, _ := s.Chosen()
	wantEqual(t, x.Title, asked, "the highlight moved to")
	wantEqual(t, slices.Contains(listed(s), "who locks the door"), true, "a question that has just come is shown")
	s.Click(slices.Index(listed(s), asked))
	wantEqual(t, s.Field.Text, asked, "text")
	wantEqual(t, s.Source, present.SourceDocuments, "source")
}

func TestHeadingsThatLead(t *testing.T) {
	_, _, s := newTestSearch(t, searching(), widget.VariantLight)
	for _, r := range s.List.Rows {
		r.MouseIn(nil)
		ground := test.WidgetRenderer(r).Objects()[0].(*widget.Fill).Color
		x := s.Rows[r.Index]
		wantEqual(t, ground != "", x.Result() || x.Do != nil, "row %d %q: lit", r.Index, x.Title)
		r.MouseOut()
	}
}

func TestGoToThePlace(t *testing.T) {
	f := searching()
	w, _, s := newTestSearch(t, f, widget.VariantLight)
	p := s.Preview
	at := p.Open.Position()
	test.Tap(p.Define)
	wantDid(t, f, "symbol /home/ada/code/engine rotate false")
	wantEqual(t, p.At, page.Spot{Project: "/home/ada/code/engine", Path: "internal/auth/session.go", Line: 120}, "at")
	test.Tap(p.Back1)
	wantEqual(t, p.At.Line, 118, "line")
	wantEqual(t, p.Back1.Visible(), false, "visible")
	p.Tabs.Choose(page.TabUses)
	wantDid(t, f, "symbol /home/ada/code/engine rotate true")
	wantWords(t, w, "Uses of rotate", "3 uses")
	tree := p.Side.Objects[0].(*fyne.Container).Objects[1].(*widget.List)
	if tree.Length() != 6 { // the definition, two headings of files, three places
		t.Errorf("%d rows of uses", tree.Length())
	}
	tree.Choose(2)
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	wantEqual(t, p.At, page.Spot{Project: "/home/ada/code/engine", Path: "internal/http/refresh.go", Line: 41}, "at")
	wantEqual(t, p.Tab, page.TabCode, "tab")
	wantEqual(t, p.Title.Value, "internal/http/refresh.go", "value")
	p.GoBack()
	test.Tap(p.Crumbs)
	wantEqual(t, p.Tab, page.TabOutline, "tab")
	wantDid(t, f, "outline /home/ada/code/engine internal/auth/session.go")
	tree = p.Side.Objects[0].(*fyne.Container).Objects[0].(*widget.List)
	wantEqual(t, tree.At, 3, "row %d of the outline is highlighted", tree.At)
	tree.Choose(2)
	tree.Picked()
	wantEqual(t, p.At.Line, 60, "at %+v", p.At)
	p.Tapped(119, 22) // the name rotate in its declaration
	wantEqual(t, p.Name, "rotate", "name")
	wantEqual(t, p.Tab, page.TabUses, "tab")
	wantEqual(t, page.NameAt(p.Code.Lines.Lines[119], 5), "", "nameat")
	s.List.Choose(slices.Index(listed(s), "sessions.md:14"))
	wantWords(t, w, "This passage is not in a declaration.")
	wantEqual(t, p.Define.Visible(), false, "a document has a definition")
	wantEqual(t, p.Open.Position(), at, "the button to open a document is")
}

func TestANewQuestionShowsItsSource(t *testing.T) {
	_, _, s := newTestSearch(t, searching(), widget.VariantLight)
	for _, tab := range []present.Text{page.TabWhy, page.TabOutline, page.TabUses} {
		s.Preview.Tabs.Choose(tab)
		s.Run()
		wantEqual(t, s.Preview.Tab, tab, "the same question turns %s in", tab)
		s.Field.SetText("question after " + string(tab))
		wantEqual(t, s.Preview.Tab, page.TabCode, "the next question shows: tab")
	}
}

func TestWhy(t *testing.T) {
	f := searching()
	f.results.Hits[0].Explain = []api.Factor{{Name: "words", Value: 0.5, Note: "refresh, token"},
		{Name: "meaning", Value: 0.25},
		{Name: "place", Value: -0.1, Note: "test"}, {Name: "repeat", Value: 0}}
	w, _, s := newTestSearch(t, f, widget.VariantLight)
	s.Preview.Tabs.Choose(page.TabWhy)
	var bars []float64
	for _, o := range test.LaidOutObjects(s.Preview.Side) {
		if b, ok := o.(*widget.Bar); ok {
			bars = append(bars, b.Share)
		}
	}
	wantEqual(t, fmt.Sprint(bars), "[1 0.5 0.2]", "bars %v", bars)
	said := strings.Join(words(w), "\n")
	for _, want := range []string{"Query terms", "refresh, token", "Similar meaning",
		"lowers the score · test", "100 %", "Passage"} {
		wantPart(t, said, want, "%q is not shown", want)
	}
}

func TestAnEmptyField(t *testing.T) {
	f := searching()
	f.activity = nil
	w, _, s := newTestSearch(t, f, widget.VariantLight)
	s.Submitted()
	s.Put(`regex:led \w+`)
	again := page.NewSearch(w.Window, false)
	again.Shown()
	wantEqual(t, again.Project, page.Everywhere, "begins with")
	got := listed(again)
	want := []string{"[Recent searches]", "led \\w+", "where are refresh tokens rotated", "[Projects]"}
	if len(got) < 5 || !slices.Equal(got[:4], want) {
		t.Fatalf("offers %q", got)
	}
	wantEqual(t, again.Preview.Root.Visible(), false, "a preview of nothing")
	again.List.Choose(1)
	again.Submitted()
	wantEqual(t, again.Query, "regex:"+want[1], "query")
	wantEqual(t, again.Preview.Root.Visible(), true, "visible")
	again.Field.SetText("")
	again.List.Choose(4)
	again.Submitted()
	wantEqual(t, again.Project == page.Everywhere, false, "a project was chosen, and all are searched")
	again.Field.SetText("")
	if i := slices.Index(listed(again), "All projects"); i < 0 || !slices.Contains(listed(again), "Add folder") {
		t.Errorf("in one project: %q", listed(again))
	} else if again.List.Choose(i); true {
		again.Submitted()
	}
	wantEqual(t, again.Project, page.Everywhere, "no way back to all projects")
	again.Field.SetText("> sett")
	wantList(t, listed(again), []string{"[Pages]", "Settings"}, "> sett offers: listed")
	again.Submitted()
	wantEqual(t, w.Current, page.PageSettings, "current")
	wantEqual(t, again.Field.Text, "", "text")
}

func TestNoProjectYet(t *testing.T) {
	w, _ := newTest(t, many(0), widget.VariantLight)
	s := opened[*page.Search](w, page.PageSearch, "")
	if s.Projects.Visible() || s.Kinds.Visible() || s.Sources.Box.Visible() || find(w, "Add folder") == nil {
		t.Error("something to choose from, or no way to add a project")
	}
	p := project("x", "x", "/home/ada/x", api.StateReady, 1)
	w.Event(api.Event{Kind: api.EventProject, Project: &p})
	wantEqual(t, s.Projects.Visible(), true, "the first project can't be seen")
}

func TestUnknownLanguage(t *testing.T) {
	f := searching()
	w, _, s := newTestSearch(t, f, widget.VariantLight)
	f.fail = api.New(api.InvalidArgument, "No language is called 'pyhton'. Did you mean python? Languages here: go.",
		"language: expected the name of a language", nil)
	s.Put("lang:pyhton otter")
	wantWords(t, w, "Did you mean python?")
	wantButton(t, w, "Try again", false)
	wantButton(t, w, "Search without lang: and path:", true)
	press(t, w, "Search with lang:python")
	wantEqual(t, s.Field.Text, "lang:python otter", "searches")
}

func TestNothingFoundOffersOtherSearches(t *testing.T) {
	f := searching()
	f.results, f.docs, f.outside, f.lines = api.Results{}, api.Results{}, wire.SourceResults{}, api.GrepResults{}
	w, _, s := newTestSearch(t, f, widget.VariantLight)
	all := []present.Text{"Search all projects", "Search without lang: and path:", "Search all sources", "Ignore case",
		"Search exact text", "Search by words and meaning"}
	for _, x := range []struct{ query, offered, press, then string }{
		{"otter", "Search all projects, Search exact text", "Search all projects", "otter"},
		{"otter", "Search exact text", "Search exact text", "exact:otter"},
		{"lang:go path:den otter", "Search without lang: and path:", "Search without lang: and path:", "otter"},
		{"case:Otter", "Ignore case, Search by words and meaning", "Ignore case", "exact:Otter"},
		{"exact:Otter", "Search by words and meaning", "Search by words and meaning", "Otter"},
		{"regex:case:Otter path:x", "Search without lang: and path:, Ignore case, Search by words and meaning",
			"Ignore case", "regex:Otter path:x"},
		{"regex:(", "Search by words and meaning", "Search by words and meaning", "("},
	} {
		s.Put(x.query)
		var offered []string
		for _, label := range all {
			if find(w, label) != nil {
				offered = append(offered, string(label))
			}
		}
		if got := strings.Join(offered, ", "); got != x.offered {
			t.Errorf("%s: offers %q, want %q", x.query, got, x.offered)
			continue
		}
		if press(t, w, present.Text(x.press)); s.Query != x.then || w.Win.Canvas().Focused() != fyne.Focusable(s.Field) {
			t.Errorf("%s: %s searches %q", x.query, x.press, s.Query)
		}
	}
	wantEqual(t, s.Project, page.Everywhere, "searches")
	s.Sources.Choose(present.SourceArchive)
	press(t, w, "Search all sources")
	wantEqual(t, s.Source, present.SourceAll, "searches")
	f.sources.Archive.Exists = false
	s.Sources.Choose(present.SourceArchive)
	wantButton(t, w, "Import folder…", true)
	w.Want(page.PagePalette, "")
	p := w.palette
	p.s.Field.SetText("exact:otter")
	p.s.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
	p.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	wantEqual(t, p.s.Field.Text, "otter", "the palette searches")
}

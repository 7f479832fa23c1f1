package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// fakeSources is a fake with sources. What a test does not need is left to the embedded nil interface.
type fakeSources struct {
	*fake
	Sources

	mu        sync.Mutex
	documents []api.Document
	sites     []api.Site
	archive   string
	answer    *api.ArchiveAnswer
	folders   []api.DocumentFolder
}

func (f *fakeSources) DocumentFolders() []string { return nil }

func (f *fakeSources) HasDocuments(_ context.Context, folders []api.DocumentFolder) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(folders) > 0 && len(f.documents) > 0
}

func (f *fakeSources) Documents(_ context.Context, folders []api.DocumentFolder) ([]api.Document, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.folders = folders
	if len(folders) == 0 {
		return nil, nil
	}
	return f.documents, nil
}

func (f *fakeSources) ReadDocument(_ context.Context, _ []api.DocumentFolder, name string) (api.DocumentText, error) {
	if name == "a b/ü.md" {
		return api.DocumentText{MIMEType: "text/markdown", Text: "text\u202e of it"}, nil
	}
	return api.DocumentText{}, api.ErrFileNotFound(name)
}

func (f *fakeSources) Sites() []api.Site {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.sites)
}

func (f *fakeSources) Archive(string, string) (string, bool) { return f.archive, f.archive != "" }

func (f *fakeSources) SearchArchive(context.Context, string, api.ArchiveQuery) (*api.ArchiveAnswer, error) {
	return f.answer, nil
}

func unmarshal(t *testing.T, raw json.RawMessage, v any) {
	t.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
}

func names(t *testing.T, p *peer) []string {
	t.Helper()
	var out []string
	for name := range list(t, p) {
		out = append(out, name)
	}
	return out
}

// TestGroups: tools come and go with what there is to serve, and clients hear of it.
func TestGroups(t *testing.T) {
	f := &fakeSources{fake: newFake("a")}
	h := serve(t, Options{Backend: f})
	h.wait.Go(func() { h.followSources(h.ctx) })
	p := h.peer(t, &wire.Hello{Project: "/p/a"})
	p.handshake(nil)
	has := func(want ...string) {
		t.Helper()
		got := names(t, p)
		for _, name := range []string{"search_index", "search_add_document", "search_create_index", "search_documents", "searchLocalArchives", "search_blog"} {
			if slices.Contains(got, name) != slices.Contains(want, name) {
				t.Errorf("%s: served is %v", name, slices.Contains(got, name))
			}
		}
	}
	named := []string{"search_index", "search_add_document", "search_create_index"}
	has(named...)
	for !f.watched() { // each round is a call and its answer, so the goroutine that subscribes gets its turn
		names(t, p)
	}
	f.mu.Lock()
	f.documents = []api.Document{{URI: "docs://a.md", Name: "a.md"}}
	f.sites = []api.Site{{Tool: "search_blog", Name: "Blog", Domain: "blog.example", Description: "About bread"}}
	f.archive = "/x.db"
	f.mu.Unlock()
	f.Publish(api.Event{Kind: api.EventSources, Message: api.SourceSites})
	p.asked("notifications/tools/list_changed")
	f.Publish(api.Event{Kind: api.EventSources, Message: api.SourceDocuments})
	p.asked("notifications/resources/list_changed")
	has(append([]string{"search_documents", "searchLocalArchives", "search_blog"}, named...)...)
	if d := list(t, p)["search_blog"].Description; d != "Search the pages of Blog (blog.example). About bread. Typing errors are forgiven." {
		t.Errorf("%q", d)
	}
	f.fake.mu.Lock()
	f.fake.settings = map[string]any{groupSites: false, groupNamed: false, groupArchives: false, groupDocuments: false}
	f.fake.mu.Unlock()
	f.Publish(api.Event{Kind: api.EventSettings})
	p.asked("notifications/resources/list_changed")
	has()
}

// watched reports whether somebody listens to the events.
func (f *fakeSources) watched() bool {
	f.fake.mu.Lock()
	defer f.fake.mu.Unlock()
	return len(f.fake.subs) > 0
}

// TestDocumentPages: every document once, whatever the page's border.
func TestDocumentPages(t *testing.T) {
	for _, n := range []int{0, 1, documentPage - 1, documentPage, documentPage + 1, 2*documentPage + 7} {
		f := &fakeSources{fake: newFake("a")}
		for i := range n {
			name := fmt.Sprintf("d%05d/README.md", i)
			f.documents = append(f.documents, api.Document{URI: "docs://" + name, Name: name, Title: "T"})
		}
		h := serve(t, Options{Backend: f})
		p := h.peer(t, &wire.Hello{Project: "/p/a"})
		p.handshake(nil)
		seen, pages := map[string]bool{}, 0
		for cursor := ""; ; pages++ {
			params := map[string]any{}
			if cursor != "" {
				params["cursor"] = cursor
			}
			var page struct {
				Resources  []struct{ Name string }
				NextCursor string
			}
			result, failure := p.call("resources/list", params)
			if failure != "" {
				t.Fatal(failure)
			}
			unmarshal(t, result, &page)
			for _, r := range page.Resources {
				if seen[r.Name] {
					t.Errorf("%d: %s twice", n, r.Name)
				}
				seen[r.Name] = true
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		if len(seen) != n || pages != max(0, n-1)/documentPage {
			t.Errorf("%d documents: %d seen on %d more pages", n, len(seen), pages)
		}
	}
}

func TestDocumentAddresses(t *testing.T) {
	for uri, want := range map[string]string{
		"docs://README.md": "README.md", "docs://a%20b/%C3%BC.md": "a b/ü.md", "docs://readme.md/": "readme.md",
		"docs://..": "", "docs://a/../b.md": "", "docs://%2e%2e%2fx.md": "", `docs://a%5c..%5cx.md`: "", "docs://a%zz": "", "file:///a": "",
	} {
		if got, err := documentName(uri); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q %v", uri, got, err)
		}
	}
	f := &fakeSources{fake: newFake("a"), documents: []api.Document{{}}}
	h := serve(t, Options{Backend: f})
	p := h.peer(t, &wire.Hello{Project: "/p/a"})
	p.handshake(nil)
	if r, failure := p.call("resources/read", map[string]any{"uri": "docs://a%20b/%C3%BC.md"}); failure != "" ||
		string(r) != `{"contents":[{"uri":"docs://a%20b/%C3%BC.md","mimeType":"text/markdown","text":"text\\u202e of it"}]}` {
		t.Errorf("%s %s", r, failure)
	}
	if _, failure := p.call("resources/read", map[string]any{"uri": "docs://none.md"}); !strings.Contains(failure, "FILE_NOT_FOUND: The file 'none.md' doesn't exist") {
		t.Error(failure)
	}
	if _, failure := p.call("resources/read", map[string]any{"uri": "docs://%2e%2e/x.md"}); !strings.Contains(failure, "outside the document folder") {
		t.Error(failure)
	}
}

func TestFolderPrefixes(t *testing.T) {
	got := prefixed([]string{"/a/docs", "/b/docs", "/c/Docs", "/d/lib"})
	want := []api.DocumentFolder{{Root: "/a/docs"}, {Root: "/b/docs", Prefix: "@docs/"}, {Root: "/c/Docs", Prefix: "@Docs-2/"}, {Root: "/d/lib", Prefix: "@lib/"}}
	if !slices.Equal(got, want) {
		t.Error(got)
	}
}

// TestArchiveAnswerFits: an answer that is too long gives up far citations first; the graph follows.
func TestArchiveAnswerFits(t *testing.T) {
	a := &api.ArchiveAnswer{CitationGraph: &api.CitationGraph{}}
	for i := range 10 {
		id := fmt.Sprintf("doc-%d", i)
		r := api.ArchiveResult{Document: api.ArchiveDocument{ID: id, Title: strings.Repeat("t", 50)}, Citations: &api.Citations{}}
		a.CitationGraph.Nodes = append(a.CitationGraph.Nodes, api.CitationNode{ID: id})
		for j := range 100 {
			url := fmt.Sprintf("https://example.com/%d/%d", i, j)
			r.Citations.Citing = append(r.Citations.Citing, api.Citation{SourceID: id, TargetURL: url, Context: strings.Repeat("c", 200)})
			a.CitationGraph.Nodes = append(a.CitationGraph.Nodes, api.CitationNode{ID: url})
			a.CitationGraph.Edges = append(a.CitationGraph.Edges, api.CitationEdge{From: id, To: url})
		}
		a.Results = append(a.Results, r)
	}
	f := &fakeSources{fake: newFake("a"), archive: "/x.db", answer: a}
	h := serve(t, Options{Backend: f})
	p := h.peer(t, &wire.Hello{Project: "/p/a"})
	p.handshake(nil)
	r := p.tool("searchLocalArchives", map[string]any{"query": "x", "includeCitations": true})
	if n := utf8.RuneCountInString(r.Content[0].Text); n > api.MaxResult || n < api.MaxResult/2 {
		t.Errorf("%d characters", n)
	}
	var got api.ArchiveAnswer
	unmarshal(t, r.Structured, &got)
	if len(got.Results) != 10 || len(got.Results[0].Citations.Citing) == 0 || got.Results[0].Citations.Citing[0].TargetURL != "https://example.com/0/0" {
		t.Errorf("%d results", len(got.Results))
	}
	cited := 0
	for _, r := range got.Results {
		cited += len(r.Citations.Citing)
	}
	if len(got.CitationGraph.Edges) != cited || len(got.CitationGraph.Nodes) != cited+10 {
		t.Errorf("%d citations, %d edges, %d nodes", cited, len(got.CitationGraph.Edges), len(got.CitationGraph.Nodes))
	}
}

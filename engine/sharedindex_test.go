package engine

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/share/bucket/buckettest"
)

func bucket(t *testing.T) (location string, server *buckettest.Server) {
	t.Helper()
	server = buckettest.New(t, "team")
	return "s3://team/shop?endpoint=" + server.URL + "&region=eu-central-1", server
}

func published(t *testing.T, location string) (e *Engine, root string) {
	t.Helper()
	e, root = openOpt(t, t.TempDir(), nil), tree(t, shop)
	create(t, e, root)
	s := status(t, e, root)
	if s.State == api.StateDegraded {
		if os.Getenv("CI") != "" {
			t.Fatal("CI must have the native library: ", s.Problem)
		}
		t.Skip(s.Problem)
	}
	m, err := e.PublishShared(t.Context(), root, location, nil)
	if err != nil || m.Files != s.Files || m.Chunks != s.Chunks {
		t.Fatalf("published %+v, %v of %+v", m, err, s)
	}
	return e, root
}

// checkout is another user's copy with a changed, a removed and a new file.
func checkout(t *testing.T) string {
	t.Helper()
	files := maps.Clone(shop)
	files["pay/refund.go"] = "package pay\n\n// Refund returns coins and vouchers.\n" +
		"func Refund(coins int) error { return nil }\n"
	files["pay/voucher.go"] = "package pay\n\n// Voucher is as good as money.\nfunc Voucher() {}\n"
	delete(files, "ship/label.py")
	return tree(t, files)
}

func settled(t *testing.T, e *Engine, root string) api.Project {
	t.Helper()
	var s api.Project
	eventually(t, e, "the project is ready", func() bool {
		var err error
		s, err = e.Status(t.Context(), root)
		return err == nil && s.State == api.StateReady && s.Progress == nil
	})
	return s
}

func wantHit(t *testing.T, e *Engine, root, query, path, text string) {
	t.Helper()
	r := find(t, e, root, query)
	i := slices.IndexFunc(r.Hits, func(h api.Hit) bool { return h.Path == path })
	if i < 0 || !strings.Contains(r.Hits[i].Text, text) || r.Hits[i].Stale {
		t.Errorf("%q gives %+v, want %s with %q, not stale", query, r.Hits, path, text)
	}
}

func TestSharedIndex(t *testing.T) {
	location, server := bucket(t)
	_, _ = published(t, location)
	data, root := t.TempDir(), checkout(t)
	before := server.Requests.Load()
	e := openOpt(t, data, nil)
	if server.Requests.Load() != before {
		t.Error("an engine without a shared index asked the storage")
	}
	added, err := e.AddShared(t.Context(), root, location)
	if err != nil || added.Shared == nil || added.Shared.Files == 0 {
		t.Fatalf("add: %+v, %v", added, err)
	}
	var s api.Project
	eventually(t, e, "only the changed and the new file are indexed here", func() bool {
		s = settled(t, e, root)
		return s.Files == 2 && s.Skipped[api.SkipShared] > 0
	})
	wantHit(t, e, root, "Charge card", "pay/charge.go", "takes money from a card")
	wantHit(t, e, root, "Refund", "pay/refund.go", "coins and vouchers")
	wantHit(t, e, root, "Voucher", "pay/voucher.go", "as good as money")
	if r := find(t, e, root, "print_label address"); strings.Contains(paths(r), "ship/label.py") {
		t.Errorf("a file that is gone here: %s", paths(r))
	}
	wantSymbols(t, e, root)
	r, err := e.Search(t.Context(), []string{root}, api.Query{Text: "return a parcel", Corpus: api.CorpusDocs, TopK: 3})
	if err != nil || len(r.Hits) != 1 || r.Hits[0].Path != "docs/guide.md" || !r.Semantic {
		t.Errorf("documents: %+v, %v", r, err)
	}
	files, err := e.Files(t.Context(), []string{root}, api.FileQuery{Pattern: "**/*.go", Limit: 10})
	if want := []string{"notes/empty.go", "pay/charge.go", "pay/refund.go", "pay/voucher.go"}; err != nil ||
		!slices.Equal(files.Matches, want) {
		t.Errorf("files %v, %v; want %v", files.Matches, err, want)
	}

	// Local changes, deletions and rules take precedence.
	write(t, filepath.Join(root, "pay/charge.go"),
		"package pay\n\n// Charge asks the bank politely.\nfunc Charge(cents int) error { return nil }\n")
	eventually(t, e, "the change is found",
		func() bool { return strings.Contains(snippets(find(t, e, root, "Charge politely")), "politely") })
	wantHit(t, e, root, "Charge", "pay/charge.go", "politely")
	write(t, filepath.Join(root, ".searchignore"), "docs/\n")
	eventually(t, e, "the document is hidden", func() bool {
		r, err := e.Search(t.Context(), []string{root}, api.Query{Text: "return a parcel", Corpus: api.CorpusDocs, TopK: 3})
		return err != nil || len(r.Hits) == 0
	})
	if _, err := e.PublishShared(t.Context(), root, location, nil); api.CodeOf(err) != api.InvalidArgument {
		t.Errorf("publishing a partly shared index: %v", err)
	}

	closeEngine(t, e)
	server.Close()
	e = openOpt(t, data, nil)
	s = settled(t, e, root)
	eventually(t, e, "the files are compared again", func() bool {
		return strings.Contains(snippets(find(t, e, root, "Charge politely")), "politely") &&
			len(filesOf(t, e, root, "notes/*")) == 1
	})
	if s.Shared == nil || s.Shared.Files == 0 {
		t.Errorf("after a start: %+v", s.Shared)
	}

	must(t, second(e.RemoveShared(t.Context(), root)))
	if _, err := e.RemoveShared(t.Context(), root); api.CodeOf(err) != api.InvalidArgument {
		t.Errorf("removed twice: %v", err)
	}
	eventually(t, e, "all is indexed here", func() bool {
		s = settled(t, e, root)
		return s.Shared == nil && s.Skipped[api.SkipShared] == 0 && len(filesOf(t, e, root, "notes/*")) == 1
	})
	if _, err := os.Stat(filepath.Join(e.Find(root).Dir(), "shared")); !os.IsNotExist(err) {
		t.Errorf("the copy is still there: %v", err)
	}
}

func snippets(r api.Results) string {
	var b strings.Builder
	for _, h := range r.Hits {
		b.WriteString(h.Text)
	}
	return b.String()
}

func filesOf(t *testing.T, e *Engine, root, pattern string) []string {
	t.Helper()
	r, err := e.Files(t.Context(), []string{root}, api.FileQuery{Pattern: pattern, Limit: 10})
	must(t, err)
	return r.Matches
}

// A new publication replaces the old one. Files that only the old one contained are indexed locally.
func TestSharedIndexRenewed(t *testing.T) {
	location, _ := bucket(t)
	publisher, source := published(t, location)
	e := openOpt(t, t.TempDir(), func(o *Options) { o.refresh = 50 * time.Millisecond })
	root := tree(t, shop)
	create(t, e, root) // indexed before sharing
	must(t, second(e.AddShared(t.Context(), root, location)))
	eventually(t, e, "nothing is indexed twice", func() bool { return settled(t, e, root).Files == 0 })
	wantHit(t, e, root, "Charge card", "pay/charge.go", "takes money")

	write(t, filepath.Join(source, "pay/charge.go"),
		"package pay\n\n// Charge is another now.\nfunc Charge(cents int) error { return nil }\n")
	eventually(t, publisher, "the publisher has the change",
		func() bool { return strings.Contains(snippets(find(t, publisher, source, "Charge")), "another now") })
	settled(t, publisher, source)
	must(t, second(publisher.PublishShared(t.Context(), source, location, nil)))
	eventually(t, e, "the file that differs is indexed here", func() bool { return settled(t, e, root).Files == 1 })
	wantHit(t, e, root, "Charge card", "pay/charge.go", "takes money")
	wantHit(t, e, root, "Refund", "pay/refund.go", "money back")

	dir := e.Find(root).Dir()
	must(t, e.Delete(t.Context(), root, api.Approval{}))
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the project's folder is still there: %v", err)
	}
}

func TestSharedIndexRefused(t *testing.T) {
	location, server := bucket(t)
	e, root := openOpt(t, t.TempDir(), nil), tree(t, shop)
	if _, err := e.AddShared(t.Context(), root, "https://example.com/x"); api.CodeOf(err) != api.InvalidArgument {
		t.Errorf("no bucket: %v", err)
	}
	if _, err := e.AddShared(t.Context(), root, location); api.CodeOf(err) != api.IndexNotFound {
		t.Errorf("an empty bucket: %v", err)
	}
	if _, err := e.PublishShared(t.Context(), root, location, nil); api.CodeOf(err) != api.IndexNotFound {
		t.Errorf("publishing without an index: %v", err)
	}
	server.Close()
	if _, err := e.AddShared(t.Context(), root, location); api.CodeOf(err) != api.Internal {
		t.Errorf("no storage: %v", err)
	}
	if len(e.Projects()) != 0 {
		t.Errorf("a refusal left projects: %+v", e.Projects())
	}
}

// wantSymbols checks that names and outlines are answered from both indexes.
func wantSymbols(t *testing.T, e *Engine, root string) {
	t.Helper()
	for name, path := range map[string]string{"Charge": "pay/charge.go", "Refund": "pay/refund.go",
		"Voucher": "pay/voucher.go"} {
		r := symbolOf(t, e, root, api.SymbolQuery{Name: name})
		if len(r.Definitions) != 1 || r.Definitions[0].Path != path || r.Like {
			t.Errorf("%s: %+v, want %s", name, r.Definitions, path)
		}
	}
	if r := symbolOf(t, e, root, api.SymbolQuery{Name: "print_label"}); len(r.Definitions) > 0 && !r.Like {
		t.Errorf("a file that is gone here: %+v", r.Definitions)
	}
	whole, err := e.Outline(t.Context(), root, api.OutlineQuery{})
	if err != nil || whole.Total < 4 {
		t.Errorf("project: %+v, %v", whole, err)
	}
	for _, path := range []string{"pay/charge.go", "pay/refund.go"} {
		o, err := e.Outline(t.Context(), root, api.OutlineQuery{Path: path})
		if err != nil || o.Total == 0 || len(o.Nodes) == 0 {
			t.Errorf("%s: %+v, %v", path, o, err)
		}
	}
}

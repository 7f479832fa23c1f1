package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/project"
	"searchmcp/engine/store/files"
)

func indexed(t *testing.T) (data, root, dir string) {
	t.Helper()
	data, root = t.TempDir(), tree(t, shop)
	e := openOpt(t, data, nil)
	create(t, e, root)
	closeEngine(t, e)
	return data, root, filepath.Join(data, project.Dir, scan.ProjectID(root))
}

func spoil(t *testing.T, how string, pattern ...string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(found) == 0 {
		t.Fatalf("nothing matches %v: %v", pattern, err)
	}
	for _, f := range found {
		text, err := os.ReadFile(f)
		must(t, err)
		switch how {
		case "flipped":
			for i := range text {
				text[i] = ^text[i]
			}
			err = os.WriteFile(f, text, 0o600)
		case "cut":
			err = os.WriteFile(f, text[:len(text)/2], 0o600)
		case "missing":
			err = os.Remove(f)
		case "null":
			err = os.WriteFile(f, []byte("null"), 0o600)
		case "a folder":
			if err = os.Remove(f); err == nil {
				err = os.Mkdir(f, 0o700)
			}
		}
		must(t, err)
	}
}

// An index in another project's folder is not used.
func TestSwappedFolders(t *testing.T) {
	t.Parallel()
	data, root, dir := indexed(t)
	other := filepath.Join(filepath.Dir(dir), scan.ProjectID("/another/folder"))
	must(t, os.Rename(dir, other))
	e := openOpt(t, data, nil)
	if r, err := e.Search(t.Context(), []string{root}, api.Query{Text: "parcel", TopK: 3}); err == nil {
		t.Errorf("answered: %+v", r)
	}
	if findings := examined(t, e, ""); !slices.ContainsFunc(findings, func(f api.Finding) bool {
		return !f.OK && strings.Contains(f.Text+f.Detail, "belong to this project")
	}) {
		t.Errorf("doctor: %+v", findings)
	}
}

// The next start must answer from the remaining parts, move unreadable parts to .bak and repair the index.
func TestDamage(t *testing.T) {
	for _, tc := range []struct {
		part   []string
		backup string // expected afterwards, for any kind of damage
	}{
		{[]string{"index.bleve", "root.bolt"}, "index.bleve.bak"},
		{[]string{"index.bleve", "*.zap"}, ""},
		{[]string{"docs.bleve", "root.bolt"}, ""},
		{[]string{"index.lancedb", "*.lance", "_versions", "*"}, "index.lancedb.bak"},
		{[]string{"index.lancedb", "*.lance", "data", "*"}, ""},
		{[]string{"docs.lancedb", "*.lance", "data", "*"}, ""},
		{[]string{"fingerprints.json"}, ""},
		{[]string{"docs-fingerprints.json"}, ""},
		{[]string{"metadata.json"}, ""},
		{[]string{"store.json"}, ""},
		{[]string{"project.json"}, ""},
		{[]string{"config.json"}, ""},
		{[]string{"stamps*"}, ""},
	} {
		hows := []string{"flipped", "cut", "missing"}
		if tc.part[0] == "project.json" { // metadata.json has the path too
			hows = append(hows, "null", "a folder")
		}
		for _, how := range hows {
			t.Run(strings.Join(tc.part, "/")+" "+how, func(t *testing.T) {
				t.Parallel()
				data, root, dir := indexed(t)
				spoil(t, how, append([]string{dir}, tc.part...)...)
				if how == "cut" { // a file changes at the same time
					write(t, filepath.Join(root, "pay/new.go"), "package pay\n\nfunc Fresh() {}\n")
				}
				e := openOpt(t, data, nil)
				p := status(t, e, root)
				if how == "flipped" && tc.backup == "index.bleve.bak" && p.State == api.StateIndexing && (p.Problem == nil ||
					p.Problem.UserMessage != "The search index seems corrupted. Rebuilding it now...") {
					t.Errorf("while it is rebuilt: %+v", p.Problem)
				}
				if tc.part[0] != "docs.bleve" && tc.part[0] != "docs-fingerprints.json" {
					if r, err := e.Search(t.Context(), []string{root}, api.Query{Text: "parcel", Corpus: api.CorpusDocs,
						TopK: 3}); err != nil || len(r.Hits) != 1 {
						t.Errorf("the other half does not answer: %v, %+v", err, r)
					}
				}
				becomesTrue(t, e, root)
				eventually(t, e, "the doctor to find nothing", func() bool {
					for _, f := range examined(t, e, root) {
						if strings.HasPrefix(f.Subject, "project ") && !f.OK && !strings.Contains(f.Text, "config.json") {
							return false
						}
					}
					return true
				})
				if how == "flipped" && tc.backup != "" {
					if _, err := os.Stat(filepath.Join(dir, tc.backup)); err != nil {
						t.Error(err)
					}
				}
				if r := find(t, e, root, "Charge"); !strings.Contains(paths(r), "pay/charge.go") {
					t.Errorf("not found afterwards: %s", paths(r))
				}
			})
		}
	}
}

func TestDamageInUse(t *testing.T) {
	t.Parallel()
	data, root := t.TempDir(), tree(t, shop)
	e := openOpt(t, data, nil)
	create(t, e, root)
	spoil(t, "missing", data, project.Dir, "*", "index.lancedb", "*.lance", "data", "*")
	spoil(t, "missing", data, project.Dir, "*", "index.lancedb", "*.lance", "_versions", "*")
	r, err := e.Search(t.Context(), []string{root}, api.Query{Text: "Charge", Corpus: api.CorpusCode, TopK: 3})
	if err != nil || len(r.Hits) == 0 || r.Hits[0].Path != "pay/charge.go" {
		t.Fatalf("by words: %v, %s", err, paths(r))
	}
	write(t, filepath.Join(root, "pay/new.go"), "package pay\n\nfunc Fresh() {}\n")
	// A search on a busy machine may miss the damage.
	eventually(t, e, "vectors that take part again", func() bool { return find(t, e, root, "Charge").Semantic })
	becomesTrue(t, e, root)
}

func TestStaleLocks(t *testing.T) {
	t.Parallel()
	data, root, dir := indexed(t)
	write(t, filepath.Join(dir, ".lock"), "4711")
	write(t, filepath.Join(dir, "index.lancedb", "table.lock"), "")
	e := openOpt(t, data, nil)
	becomesTrue(t, e, root)
	if _, err := os.Stat(filepath.Join(dir, "index.lancedb", "table.lock")); err == nil {
		t.Error("the stale lock is still there")
	}
}

func TestFullDiskStopsCleanly(t *testing.T) {
	t.Parallel()
	var free atomic.Int64
	free.Store(10 << 30)
	e := openOpt(t, t.TempDir(), func(o *Options) { o.free = func(string) (int64, error) { return free.Load(), nil } })
	root := tree(t, shop)
	create(t, e, root)
	free.Store(5 << 20)
	write(t, filepath.Join(root, "pay/new.go"), "package pay\n\nfunc Fresh() {}\n")
	reaches(t, e, root, "the update to stop", func(p api.Project) bool {
		return p.Problem != nil && p.Problem.Code == api.DiskFull && p.Pending > 0
	})
	j, err := e.Reindex(t.Context(), root, api.Approval{})
	must(t, err)
	<-j.Done()
	if _, err := j.Result(); api.CodeOf(err) != api.DiskFull {
		t.Errorf("reindex: %v", err)
	}
	free.Store(10 << 30)
	becomesTrue(t, e, root)
}

type moody struct {
	hashModel
	hash string
	mu   sync.Mutex
	err  error
	seen int
}

func (m *moody) fail(err error) { m.mu.Lock(); m.err = err; m.mu.Unlock() }

func (m *moody) Texts(ctx context.Context, texts []string, each func(int, api.Vector)) error {
	m.mu.Lock()
	err := m.err
	m.seen += len(texts)
	m.mu.Unlock()
	if err != nil {
		return err
	}
	return m.hashModel.Texts(ctx, texts, each)
}

func (m *moody) ModelHash() string {
	if m.hash != "" {
		return m.hash
	}
	return m.hashModel.ModelHash()
}

// Search uses quick vectors while the model's file is damaged, and the model when the file is whole again.
func TestModelFile(t *testing.T) {
	t.Parallel()
	const name = "minilm-l6-v2-int8.onnx"
	whole, err := os.ReadFile(filepath.Join("..", "assets", "model", name))
	must(t, err)
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	write(t, file, string(whole[:len(whole)/2]))
	e := openOpt(t, t.TempDir(), func(o *Options) { o.model, o.modelDir = nil, dir })
	root := tree(t, shop)
	create(t, e, root)
	p, err := e.Status(t.Context(), root)
	if err != nil || p.State != api.StateDegraded {
		t.Fatalf("%+v, %v", p, err)
	}
	eventually(t, e, "the app to say so", func() bool { return e.Model() == "missing" && len(e.Problems()) == 1 })
	if p := e.Problems()[0]; p.Code != api.ModelDownloadFailed {
		t.Errorf("%+v", p)
	}
	if r := find(t, e, root, "Charge"); len(r.Hits) == 0 || r.Static != 1 || len(r.Notes) == 0 {
		t.Errorf("by quick vectors, %v: %s, notes %q", r.Static, paths(r), r.Notes)
	}
	must(t, os.WriteFile(file, whole, 0o600))
	becomesTrue(t, e, root)
	eventually(t, e, "the problem to go", func() bool { return e.Model() == "loaded" && len(e.Problems()) == 0 })
	if r := find(t, e, root, "give money back"); !r.Semantic || r.Hits[0].Path != "pay/refund.go" {
		t.Errorf("healed: %s, notes %q", paths(r), r.Notes)
	}
}

func TestOutdatedIndex(t *testing.T) {
	t.Parallel()
	for name, outdate := range map[string]func(t *testing.T, dir string, o *Options){
		"another model": func(_ *testing.T, _ string, o *Options) { o.model = &moody{hash: "another"} },
		"another chunker": func(t *testing.T, dir string, _ *Options) {
			about, file := map[string]any{}, filepath.Join(dir, "store.json")
			must(t, files.ReadJSON(file, &about))
			about["chunker"] = "0"
			must(t, files.WriteJSON(file, about))
		},
	} {
		t.Run(name, func(t *testing.T) {
			data, root, dir := indexed(t)
			e := openOpt(t, data, func(o *Options) { outdate(t, dir, o) })
			if r := find(t, e, root, "Charge"); len(r.Hits) == 0 {
				t.Error("the old index does not serve")
			}
			eventually(t, e, "the rebuild", func() bool { return e.Find(root).Actor().Store().Outdated() == "" })
			becomesTrue(t, e, root)
		})
	}
}

func TestTableIsCompactedByItself(t *testing.T) {
	t.Parallel()
	e := openFast(t, t.TempDir())
	root := tree(t, shop)
	create(t, e, root)
	p := e.Find(root)
	const saves = 130 // one fragment each; compaction starts at a hundred
	most := 0
	for i := range saves {
		write(t, filepath.Join(root, "pay", "charge.go"), fmt.Sprintf("package pay\n\nfunc Charge%d() {}\n", i))
		must(t, p.Actor().Update(t.Context(), watch.Batch{Paths: []string{"pay/charge.go"}}))
		s := p.Actor().Store()
		eventually(t, e, "vectors of what was saved", func() bool { return s.Stats().Vectors == s.Stats().Chunks })
		fragments, err := filepath.Glob(filepath.Join(p.Dir(), "index.lancedb", "*.lance", "data", "*"))
		must(t, err)
		most = max(most, len(fragments))
	}
	eventually(t, e, "the compaction", func() bool {
		fragments, err := filepath.Glob(filepath.Join(p.Dir(), "index.lancedb", "*.lance", "data", "*"))
		return err == nil && len(fragments) < saves/2
	})
	if most > saves-10 {
		t.Errorf("%d fragments after %d saves", most, saves)
	}
	becomesTrue(t, e, root)
}

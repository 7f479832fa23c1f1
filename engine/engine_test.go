package engine

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/project"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }

// open opens an engine with the real model.
func open(t *testing.T, data string) *Engine {
	t.Helper()
	return openOpt(t, data, func(o *Options) { o.model, o.retry, o.idle = nil, 0, 0 })
}

func openOpt(t *testing.T, data string, change func(*Options)) *Engine {
	t.Helper()
	o := Options{Data: data, Log: slog.New(slog.DiscardHandler), model: hashModel{}, retry: 200 * time.Millisecond,
		idle: 300 * time.Millisecond}
	if change != nil {
		change(&o)
	}
	e, err := Open(t.Context(), o)
	must(t, err)
	t.Cleanup(func() { closeEngine(t, e) })
	return e
}

// openFast opens an engine that maintains its indexes as rarely as the app does.
func openFast(t *testing.T, data string) *Engine {
	t.Helper()
	return openOpt(t, data, func(o *Options) { o.retry, o.idle = 0, 0 })
}

func closeEngine(t *testing.T, e *Engine) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := e.Close(ctx); err != nil {
		t.Errorf("%v\n%s", err, stacks())
	}
}

func stacks() []byte {
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}

func examined(t *testing.T, e *Engine, root string) []api.Finding {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return e.Doctor(ctx, root)
}

func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := scan.CanonicalRoot(t.TempDir())
	must(t, err)
	for path, text := range files {
		write(t, filepath.Join(root, path), text)
	}
	return root
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func create(t *testing.T, e *Engine, root string) api.IndexStats {
	t.Helper()
	j, err := e.Create(t.Context(), root, api.Approval{})
	must(t, err)
	return finish(t, j)
}

// opened opens an engine with the real model and indexes a folder with files.
func opened(t *testing.T, files map[string]string) (e *Engine, root string) {
	t.Helper()
	e, root = open(t, t.TempDir()), tree(t, files)
	create(t, e, root)
	return e, root
}

func finish(t *testing.T, j api.Job) api.IndexStats {
	t.Helper()
	select {
	case <-j.Done():
	case <-time.After(patience):
		t.Fatalf("the job does not end: %+v\n%s", j.Progress(), stacks())
	}
	s, err := j.Result()
	must(t, err)
	return s
}

func find(t *testing.T, e *Engine, root, query string) api.Results {
	t.Helper()
	r, err := e.Search(t.Context(), []string{root}, api.Query{Text: query, Corpus: api.CorpusCode, TopK: 10})
	must(t, err)
	return r
}

func paths(r api.Results) string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.Path)
	}
	return strings.Join(out, " ")
}

func eventually(t *testing.T, e *Engine, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	events := e.Subscribe(ctx)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-events:
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

var shop = map[string]string{
	"pay/charge.go": "package pay\n\n// Charge takes money from a card.\nfunc Charge(cents int) error { return nil }\n",
	"pay/refund.go": "package pay\n\n// Refund gives money back.\nfunc Refund(cents int) error { return nil }\n",
	"ship/label.py": "def print_label(order):\n    \"\"\"Prints the address of an order.\"\"\"\n" +
		"    return order.address\n",
	"docs/guide.md":  "# Guide\n\nHow to return a parcel.\n",
	".env":           "TOKEN=secret-value\n",
	".gitignore":     "ignored/\n",
	"ignored/x.go":   "package ignored\n",
	"image.png":      "\x89PNG\x00\x00",
	"notes/empty.go": "",
}

func TestCancelledFirstBuildLeavesNothing(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	e := open(t, data)
	root := tree(t, shop)
	must(t, e.heavy.Acquire(t.Context(), 1))
	defer e.heavy.Release(1)
	j, err := e.Create(t.Context(), root, api.Approval{})
	must(t, err)
	must(t, e.Cancel(j.ID()))
	<-j.Done()
	if _, err := j.Result(); !errors.Is(err, jobs.ErrCancelled) {
		t.Fatalf("result: %v", err)
	}
	if s, err := e.Status(t.Context(), root); err != nil || s.State != api.StateNotIndexed || len(e.Projects()) != 0 {
		t.Errorf("after the cancellation: %v, %v, %d projects", s.State, err, len(e.Projects()))
	}
	eventually(t, e, "the unfinished index to go", func() bool {
		entries, err := os.ReadDir(filepath.Join(data, project.Dir))
		return err == nil && len(entries) == 0 && len(e.Projects()) == 0
	})
}

func TestJobAfterACancelledOne(t *testing.T) {
	t.Parallel()
	e := openFast(t, t.TempDir())
	root := tree(t, shop)
	for range 20 {
		j, err := e.Create(t.Context(), root, api.Approval{})
		must(t, err)
		if err := e.Cancel(j.ID()); err != nil && api.CodeOf(err) != api.InvalidArgument {
			t.Fatal(err)
		}
	}
	create(t, e, root)
	for range 20 {
		j, err := e.Reindex(t.Context(), root, api.Approval{})
		must(t, err)
		if err := e.Cancel(j.ID()); err != nil && api.CodeOf(err) != api.InvalidArgument {
			t.Fatal(err)
		}
	}
	must(t, e.heavy.Acquire(t.Context(), 1))
	j, err := e.Reindex(t.Context(), root, api.Approval{})
	must(t, err)
	if again, err := e.Reindex(t.Context(), root, api.Approval{}); err != nil || again.ID() != j.ID() {
		t.Errorf("a second call does not join the first: %v", err)
	}
	e.heavy.Release(1)
	if s := finish(t, j); s.FilesIndexed != 6 {
		t.Errorf("rebuilt with %d files", s.FilesIndexed)
	}
}

func TestMissingRootPausesAndDeletesNothing(t *testing.T) {
	t.Parallel()
	e, root := opened(t, shop)
	moved := root + "-moved"
	must(t, os.Rename(root, moved))
	awaitState(t, e, root, api.StateOffline)
	r := find(t, e, root, "Charge")
	if len(r.Hits) == 0 || !r.Hits[0].Stale {
		t.Errorf("offline: %s, %q", paths(r), r.Notes)
	}
	for what, call := range map[string]func() error{
		"reindex_file": func() error { _, err := e.ReindexFile(t.Context(), root, "pay/charge.go"); return err },
		"find_symbol": func() error {
			_, err := e.Symbol(t.Context(), []string{root}, api.SymbolQuery{Name: "Charge"})
			return err
		},
		"outline of a file": func() error {
			_, err := e.Outline(t.Context(), root, api.OutlineQuery{Path: "pay/charge.go"})
			return err
		},
		"outline of a name": func() error {
			_, err := e.Outline(t.Context(), root, api.OutlineQuery{Name: "Charge"})
			return err
		},
		"preview": func() error { _, err := e.Preview(t.Context(), root); return err },
	} {
		if err := call(); api.CodeOf(err) != api.ProjectOffline {
			t.Errorf("%s: %v", what, err)
		}
	}
	p, err := e.Relocate(t.Context(), root, moved)
	if err != nil || p.Root() != moved {
		t.Fatalf("%+v, %v", p, err)
	}
	awaitState(t, e, moved, api.StateReady)
	if r := find(t, e, moved, "Charge"); len(r.Hits) == 0 || r.Hits[0].Stale {
		t.Errorf("located: %s", paths(r))
	}
}

// Names in NFD, as macOS returns them, and in NFC are the same file. Answers contain the name on disk.
func TestDecomposedNames(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	root := tree(t, shop)
	name := filepath.Join(root, "cafe\u0301", "re\u0301sume\u0301.go")
	write(t, name, "package cafe\n\n// EspressoPrice is what a cup costs.\nfunc EspressoPrice() {}\n")
	create(t, e, root)
	const key, onDisk = "caf\u00e9/r\u00e9sum\u00e9.go", "cafe\u0301/re\u0301sume\u0301.go"
	if r := find(t, e, root, "EspressoPrice"); len(r.Hits) == 0 || r.Hits[0].Path != onDisk || r.Hits[0].Stale {
		t.Fatalf("found %s", paths(r))
	}
	write(t, name, "package cafe\n\n// MacchiatoPrice is what a small cup costs.\nfunc MacchiatoPrice() {}\n")
	eventually(t, e, "the change", func() bool {
		return strings.Contains(paths(find(t, e, root, "MacchiatoPrice")), onDisk)
	})
	for _, path := range []string{key, onDisk} {
		if _, err := e.ReindexFile(t.Context(), root, path); err != nil {
			t.Error(err)
		}
		o, err := e.Outline(t.Context(), root, api.OutlineQuery{Path: path})
		if err != nil || o.Path != onDisk {
			t.Errorf("outline of %q: %q, %v", path, o.Path, err)
		}
	}
	g, err := e.Grep(t.Context(), []string{root}, api.GrepQuery{Pattern: "MacchiatoPrice", Literal: true, Hits: 1})
	if err != nil || len(g.Files) != 1 || g.Files[0].Path != onDisk {
		t.Errorf("grep: %v, %v", g.Files, err)
	}
	s, err := e.Symbol(t.Context(), []string{root}, api.SymbolQuery{Name: "MacchiatoPrice"})
	if err != nil || len(s.Definitions) != 1 || s.Definitions[0].Path != onDisk {
		t.Errorf("symbol: %v, %v", s.Definitions, err)
	}
	must(t, os.Remove(name))
	eventually(t, e, "the removal", func() bool {
		return !strings.Contains(paths(find(t, e, root, "MacchiatoPrice")), onDisk)
	})
}

// One approval may answer several editors.
func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	root := tree(t, shop)
	var g errgroup.Group
	for range 8 {
		g.Go(func() error {
			j, err := e.Create(t.Context(), root, api.Approval{})
			if err != nil {
				return err
			}
			<-j.Done()
			s, err := j.Result()
			if err == nil && s.FilesIndexed == 0 {
				err = errors.New("nothing indexed")
			}
			return err
		})
	}
	must(t, g.Wait())
	if list := e.Projects(); len(list) != 1 {
		t.Errorf("%d projects", len(list))
	}
}

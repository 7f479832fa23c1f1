package watch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"searchmcp/engine/api"
)

type rules struct {
	root    string
	outside []string

	mu      sync.Mutex
	ignored map[string]bool
	fresh   map[string]bool // ignored names after the next Refresh
}

func newRules(root string) *rules { return &rules{root: root, ignored: map[string]bool{}} }

func (r *rules) Root() string                  { return r.root }
func (r *rules) ExternalIgnoreFiles() []string { return r.outside }

func (r *rules) Dir(rel string) api.Reason {
	switch path.Base(rel) {
	case ".git", "node_modules":
		return api.SkipDenied
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ignored[path.Base(rel)] {
		return api.SkipIgnored
	}
	return ""
}

func (r *rules) Path(rel string) api.Reason {
	if strings.HasSuffix(rel, ".o") {
		return api.SkipBinary
	}
	for d := path.Dir(rel); d != "."; d = path.Dir(d) {
		if s := r.Dir(d); s != "" {
			return s
		}
	}
	return ""
}

func (r *rules) IsIgnoreFile(rel string) bool {
	return path.Base(rel) == ".gitignore" || path.Base(rel) == ".git"
}

func (r *rules) ignoreNext(names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh = map[string]bool{}
	for _, n := range names {
		r.fresh[n] = true
	}
}

func (r *rules) Refresh() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fresh != nil {
		r.ignored = r.fresh
	}
}

var quick = limits{quiet: 40 * time.Millisecond, maxDelay: 2 * time.Second, noisyAfter: time.Second, maxPerDir: 128,
	maxPaths: 1024, maxPending: 50000}

var rigTree = openTree

const patience = 3 * time.Minute

type rig struct {
	t     testing.TB
	root  string
	rules *rules
	w     *Watcher

	mu      sync.Mutex
	src     sources // the newest
	batches []Batch
	news    chan struct{}
}

func watchFolder(t testing.TB, root string, o Options) *rig {
	t.Helper()
	rules := newRules(root)
	return watchPolicy(t, rules, rules, o)
}

func watchPolicy(t testing.TB, p Policy, rules *rules, o Options) *rig {
	t.Helper()
	r := &rig{t: t, root: p.Root(), rules: rules, news: make(chan struct{}, 1)}
	if o.limits == (limits{}) {
		o.limits = quick
	}
	open := o.open
	if open == nil {
		open = rigTree
	}
	o.open = func(q *queue) sources {
		s := open(q)
		r.mu.Lock()
		r.src = s
		r.mu.Unlock()
		return s
	}
	w := New(p, o)
	r.w = w
	out := make(chan Batch)
	t.Cleanup(func() { close(out) })
	go func() {
		for b := range out {
			r.mu.Lock()
			r.batches = append(r.batches, b)
			r.mu.Unlock()
			wake(r.news)
		}
	}()
	running(t, func(ctx context.Context) { w.Run(ctx, out) })
	return r
}

func (w *Watcher) Status() Status { return *w.status.Load() }

func (r *rig) started() *rig {
	r.t.Helper()
	r.await("the start", func(bs []Batch) bool {
		return has(bs, func(b Batch) bool { return b.Cause == CauseStart && b.Rescan })
	})
	r.forget()
	return r
}

func (r *rig) seen() []Batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.batches)
}

func (r *rig) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.batches = nil
}

func (r *rig) await(what string, ok func([]Batch) bool) []Batch {
	r.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		bs := r.seen()
		if ok(bs) {
			return bs
		}
		select {
		case <-r.news:
		case <-late.C:
			r.t.Fatalf("waited %v for %s; events: %s", patience, what, show(bs))
		}
	}
}

func show(bs []Batch) string {
	var s strings.Builder
	for _, b := range bs {
		fmt.Fprintf(&s, "\n  %+v", b)
	}
	return s.String()
}

func has(bs []Batch, ok func(Batch) bool) bool { return slices.ContainsFunc(bs, ok) }

func contains(bs []Batch, rel string) bool {
	return has(bs, func(b Batch) bool {
		return b.Rescan || slices.ContainsFunc(b.Paths, func(p string) bool {
			return p == rel || strings.HasPrefix(rel, p+"/")
		})
	})
}

func (r *rig) expect(rels ...string) []Batch {
	r.t.Helper()
	return r.await(strings.Join(rels, ", "), func(bs []Batch) bool {
		return !slices.ContainsFunc(rels, func(rel string) bool { return !contains(bs, rel) })
	})
}

// sentinel changes a new file and waits for its batch, so that all earlier changes were reported too.
func (r *rig) sentinel() []Batch {
	r.t.Helper()
	name, before := fmt.Sprintf("sentinel-%d", time.Now().UnixNano()), len(r.seen())
	r.write(name, "x")
	return r.await(name, func(bs []Batch) bool { return contains(bs[before:], name) })
}

func (r *rig) abs(rel string) string { return filepath.Join(r.root, filepath.FromSlash(rel)) }

func (r *rig) write(rel, text string) {
	r.t.Helper()
	write(r.t, r.abs(rel), text)
}

func write(t testing.TB, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o700))
	must(t, os.WriteFile(name, []byte(text), 0o600))
}

func (r *rig) do(err error) {
	r.t.Helper()
	must(r.t, err)
}

func (r *rig) watchedFolders(expected ...string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	if r.src.recursive {
		return expected
	}
	for _, p := range r.src.tree.(interface{ WatchList() []string }).WatchList() {
		rel, err := filepath.Rel(r.root, p)
		must(r.t, err)
		list = append(list, filepath.ToSlash(rel))
	}
	slices.Sort(list)
	return list
}

func (r *rig) admitted() []string {
	r.t.Helper()
	var list []string
	err := filepath.WalkDir(r.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(r.root, p)
		if err != nil || !d.IsDir() {
			return err
		}
		rel = filepath.ToSlash(rel)
		if rel != "." && r.rules.Dir(rel) != "" {
			return fs.SkipDir
		}
		list = append(list, rel)
		return nil
	})
	r.do(err)
	slices.Sort(list)
	return list
}

func outsideGit(list []string) []string {
	return slices.DeleteFunc(list, func(p string) bool {
		return p == ".git" || strings.HasPrefix(p, ".git/") || strings.HasPrefix(p, "../")
	})
}

func (r *rig) sameWatches() {
	r.t.Helper()
	want := r.admitted()
	if got := outsideGit(r.watchedFolders(want...)); !slices.Equal(got, want) {
		r.t.Fatalf("watched folders\n got %q\nwant %q", got, want)
	}
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

// wantList reports a got that isn't want. The format names got.
func wantList[T comparable](t testing.TB, got, want []T, format string, args ...any) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", fmt.Sprintf(format, args...), got, want)
	}
}

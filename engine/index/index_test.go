package index_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"searchmcp/engine/store/text"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/index"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/store"
)

// fixture has real files and a real store, but a fake embedder, cache and parsers.
type fixture struct {
	*index.Actor
	t       testing.TB
	root    string
	opt     index.Options
	model   *model
	cache   *cache
	log     *bytes.Buffer
	cancel  context.CancelFunc
	ended   chan error
	written int
}

type model struct {
	mu    sync.Mutex
	fail  error
	calls []time.Time
	texts int
	each  func(ctx context.Context, i int) error
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func (m *model) Texts(ctx context.Context, texts []string, each func(int, api.Vector)) error {
	m.mu.Lock()
	m.calls = append(m.calls, time.Now())
	fail, before := m.fail, m.each
	m.mu.Unlock()
	if fail != nil {
		return fail
	}
	for i := range texts {
		if before != nil {
			if err := before(ctx, i); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		m.mu.Lock()
		m.texts++
		m.mu.Unlock()
		var v api.Vector
		v[(len(texts[i])+i)%len(v)] = 1
		each(i, v)
	}
	return nil
}

func (m *model) ModelHash() string        { return "model" }
func (m *model) Input(c api.Chunk) string { return c.Path + "\n" + c.Text }

func (m *model) set(change func(*model)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(m)
}

func (m *model) times() []time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls)
}

type cache struct {
	mu    sync.Mutex
	known map[string]api.Vector
}

func (c *cache) Get(_ context.Context, model string, inputs []string) (map[int]api.Vector, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[int]api.Vector{}
	for i, in := range inputs {
		if v, ok := c.known[model+in]; ok {
			out[i] = v
		}
	}
	return out, nil
}

func (c *cache) Put(_ context.Context, model string, inputs []string, vectors []api.Vector) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, in := range inputs {
		c.known[model+in] = vectors[i]
	}
	return nil
}

func (c *cache) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.known)
}

type noTrees struct{}

func (noTrees) Cut(context.Context, chunk.File) (chunk.Cut, error) {
	return chunk.Cut{Reason: chunk.ReasonBroken}, nil
}

// project does not start the actor.
func project(t testing.TB, files map[string]string, change func(*fixture)) *fixture {
	t.Helper()
	root, err := scan.CanonicalRoot(t.TempDir())
	must(t, err)
	f := &fixture{
		t: t, root: root, model: &model{}, cache: &cache{known: map[string]api.Vector{}},
		log: &bytes.Buffer{}, ended: make(chan error, 1),
	}
	for path, text := range files {
		f.write(path, text)
	}
	f.opt = index.Options{
		Shared: index.Shared{
			Chunker: chunk.New(noTrees{}), Hub: jobs.NewHub(), Heavy: semaphore.NewWeighted(1),
			Threads: func() int { return 0 }, Throttled: func() string { return "" },
			Light: func() bool { return false }, NoModel: func() *api.Error { return nil }, Free: disk.FreeBytes,
		},
		OnDamage: func(error) {}, OnScan: func() func() { return func() {} }, OnRootGone: func() {},
		ID: "id", Dir: t.TempDir(), Name: "shop", Roots: []api.Root{{Path: root}}, Config: api.DefaultConfig(),
		Store:    store.Options{ModelHash: "model", ChunkerVersion: chunk.Version, Tables: tables()},
		Embedder: f.model, Vectors: f.cache, Log: slog.New(slog.NewTextHandler(f.log, nil)),
	}
	f.opt.Store.Log = f.opt.Log
	if change != nil {
		change(f)
	}
	return f
}

func (f *fixture) run() *fixture {
	f.t.Helper()
	a, err := index.Open(f.t.Context(), f.opt)
	must(f.t, err)
	f.Actor = a
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	go func() { f.ended <- a.Run(ctx) }()
	f.t.Cleanup(f.stop)
	return f
}

func (f *fixture) stop() {
	if f.cancel == nil {
		return
	}
	f.cancel()
	f.cancel = nil
	if err := <-f.ended; err != nil {
		f.t.Errorf("the actor ended with %v", err)
	}
}

// Each file's time is about an hour ago, a second later than the last, because a file with a recent time is always
// hashed again.
func (f *fixture) write(path, text string) {
	f.t.Helper()
	f.written++
	path = filepath.Join(f.root, path)
	must(f.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(f.t, os.WriteFile(path, []byte(text), 0o644))
	at := hourAgo.Add(time.Duration(f.written) * time.Second)
	must(f.t, os.Chtimes(path, at, at))
}

var hourAgo = time.Now().Add(-time.Hour)

func (f *fixture) remove(path string) {
	f.t.Helper()
	must(f.t, os.RemoveAll(filepath.Join(f.root, path)))
}

func (f *fixture) start(action api.Action) *jobs.Job {
	work := f.Build
	if action == api.ActionReindex {
		work = f.Rebuild
	}
	return jobs.Start(f.t.Context(), f.opt.Hub, f.opt.ID, action, work)
}

func (f *fixture) finish(j *jobs.Job) {
	f.t.Helper()
	<-j.Done()
	_, err := j.Result()
	must(f.t, err)
}

func (f *fixture) await(is func(api.Project) bool) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), 5*time.Minute)
	defer cancel()
	events := f.opt.Hub.Subscribe(ctx)
	for !is(f.Snapshot()) {
		if _, open := <-events; !open {
			f.t.Fatalf("after five minutes: %+v", f.Snapshot())
		}
	}
}

func (f *fixture) build() api.IndexStats {
	f.t.Helper()
	j := f.start(api.ActionCreate)
	<-j.Done()
	stats, err := j.Result()
	if err != nil {
		f.t.Fatalf("build: %v\n%s", err, f.log)
	}
	return stats
}

func (f *fixture) changed(paths ...string) {
	f.t.Helper()
	must(f.t, f.Update(f.t.Context(), watch.Batch{Paths: paths, Cause: watch.CauseChange}))
}

func (f *fixture) rescan() {
	f.t.Helper()
	must(f.t, f.Update(f.t.Context(), watch.Batch{Rescan: true, Cause: watch.CauseWake}))
}

func (f *fixture) wantFiles(want ...string) {
	f.t.Helper()
	var got []string
	for path := range f.Store().Paths() {
		corpus, _ := f.Store().CorpusOf(path)
		got = append(got, fmt.Sprint(path, " ", corpus))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		f.t.Errorf("the index contains %q, want %q", got, want)
	}
}

func (f *fixture) has(path, words string) bool {
	f.t.Helper()
	view := f.View()
	defer view.Release()
	for _, corpus := range api.Corpora {
		hits, err := view.Text(f.t.Context(), corpus, store.TextQuery{Terms: text.Terms(words), K: 50})
		must(f.t, err)
		for _, h := range hits {
			var ids []string
			for _, n := range h.Chunks {
				ids = append(ids, api.ChunkID(h.Path, h.ContentHash, n))
			}
			chunks, err := view.Chunks(f.t.Context(), corpus, ids)
			must(f.t, err)
			for _, c := range chunks {
				if h.Path == path && strings.Contains(c.Text, words) {
					return true
				}
			}
		}
	}
	return false
}

var shop = map[string]string{
	"pay/charge.go":   "package pay\n\n// Charge takes money.\nfunc Charge() {}\n",
	"pay/refund.go":   "package pay\n\n// Refund gives it back.\nfunc Refund() {}\n",
	"docs/guide.md":   "# Guide\n\nHow to return a parcel.\n",
	".env":            "TOKEN=value\n",
	"blob.dat":        "\x00\x01\x02",
	"key.txt":         "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n",
	"node_modules/x":  "module\n",
	".gitignore":      "out.go\n",
	"out.go":          "package out\n",
	"empty/nothing.c": "",
}

var indexed = []string{
	".gitignore code", "docs/guide.md docs", "empty/nothing.c code", "pay/charge.go code", "pay/refund.go code",
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

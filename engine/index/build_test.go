package index_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/index"
	"searchmcp/engine/index/chunk"
)

func TestBuild(t *testing.T) {
	f := project(t, shop, nil).run()
	if !f.Incomplete() || f.Snapshot().State != api.StateIndexing {
		t.Errorf("before the first build: incomplete %v, %s", f.Incomplete(), f.Snapshot().State)
	}
	f.changed("pay/charge.go")
	f.wantFiles() // the build will read the files

	stats := f.build()
	f.wantFiles(indexed...)
	snap := f.Snapshot()
	if n := stats.ChunksCreated; stats.FilesIndexed != 5 || n == 0 || snap.Vectors != n || snap.Chunks != n {
		t.Errorf("%+v; %d vectors of %d chunks", stats, snap.Vectors, snap.Chunks)
	}
	if f.Incomplete() || snap.State != api.StateReady || snap.Pending != 0 || snap.Progress != nil ||
		snap.DocFiles != 1 {
		t.Errorf("after it: incomplete %v, %+v", f.Incomplete(), snap)
	}
	for _, reason := range []api.Reason{api.SkipDenied, api.SkipBinary, api.SkipSecret, api.SkipIgnored} {
		if snap.Skipped[reason] == 0 {
			t.Errorf("none skipped as %s: %v", reason, snap.Skipped)
		}
	}
	if !f.has("pay/charge.go", "Charge takes money") || f.has(".env", "TOKEN") || f.has("key.txt", "PRIVATE") {
		t.Error("the rows are not those of the files")
	}
	meta := f.Store().Metadata()
	if meta.ProjectPath != f.root || meta.CreatedAt.IsZero() || meta.LastFullIndex.IsZero() ||
		meta.Stats.TotalFiles != 5 || meta.DocsStats.TotalDocs != 1 {
		t.Errorf("metadata %+v", meta)
	}

	f.stop()
	if err := f.Update(t.Context(), watch.Batch{Rescan: true}); !errors.Is(err, index.ErrClosed) {
		t.Errorf("an update after the end: %v", err)
	}
	if _, err := f.ReindexFile(t.Context(), "pay/charge.go"); !errors.Is(err, index.ErrClosed) {
		t.Errorf("a file after the end: %v", err)
	}
	f.Settle(t.Context())
	again := project(t, nil, func(g *fixture) { g.root, g.opt = f.root, f.opt }).run()
	wantEqual(t, again.Incomplete(), false, "complete when it was closed, not when it is opened again")
	again.wantFiles(indexed...)
}

func TestReindexFile(t *testing.T) {
	f := project(t, shop, nil)
	outside := filepath.Join(t.TempDir(), "secret.go")
	must(t, os.WriteFile(outside, []byte("package secret\n"), 0o644))
	link := api.SymlinkNotAllowed
	if err := os.Symlink(outside, filepath.Join(f.root, "link.go")); err != nil {
		t.Log(err)
		link = api.FileNotFound // Windows allows links to few users
	}
	f.run()
	f.build()
	if n, err := f.ReindexFile(t.Context(), "pay/charge.go"); err != nil || n != 1 {
		t.Errorf("an unchanged file: %d chunks, %v", n, err)
	}
	f.write("pay/charge.go", "package pay\n\n// Charge is free now.\n")
	if n, err := f.ReindexFile(t.Context(), "./pay/charge.go"); err != nil || n != 1 {
		t.Errorf("a changed file: %d chunks, %v", n, err)
	}
	if !f.has("pay/charge.go", "Charge is free") || f.has("pay/charge.go", "Charge takes money") {
		t.Error("the old rows answer")
	}
	for path, want := range map[string]api.Code{
		"none.go":                      api.FileNotFound,
		".env":                         api.FileNotIndexable,
		"blob.dat":                     api.FileNotIndexable,
		"key.txt":                      api.FileNotIndexable,
		"out.go":                       api.FileNotIndexable,
		"link.go":                      link,
		"node_modules/x":               api.FileNotIndexable,
		strings.Repeat("a/", 30):       api.FileNotFound,
		"../" + filepath.Base(outside): "",
	} {
		_, err := f.ReindexFile(t.Context(), path)
		if got := api.CodeOf(err); err == nil || want != "" && got != want {
			t.Errorf("%s: %v (%s), want %s", path, err, got, want)
		}
	}
	f.wantFiles(indexed...)
}

// The text would fit on the disk, but not its index.
func TestBuildThatCannotFit(t *testing.T) {
	const text = 100 << 10
	var free atomic.Int64
	free.Store(disk.Reserve(text*index.DiskPerByte) + 2*text)
	f := project(t, map[string]string{"big.go": strings.Repeat("// line\n", text/8)}, func(f *fixture) {
		f.opt.Free = func(string) (int64, error) { return free.Load(), nil }
	}).run()
	j := f.start(api.ActionCreate)
	<-j.Done()
	if _, err := j.Result(); api.CodeOf(err) != api.DiskFull {
		t.Errorf("with space for the text twice: %v", err)
	}
	f.wantFiles()
	wantEqual(t, f.Incomplete(), true, "an index that was refused counts as complete")
	free.Store(disk.Reserve(text*index.DiskPerByte) + 2*text*index.DiskPerByte)
	f.build()
	f.wantFiles("big.go code")
}

// The old index serves searches until the new one is complete, and is intact if the rebuild ends early.
func TestRebuild(t *testing.T) {
	f := project(t, shop, nil).run()
	f.build()
	before, folder := f.Store(), entries(t, f.opt.Dir)
	f.write("pay/charge.go", "package pay\n\n// Charge is new.\n")
	reached, ctxErr := make(chan struct{}), make(chan error, 1)
	f.cache.mu.Lock()
	clear(f.cache.known) // so that the rebuild needs the model
	f.cache.mu.Unlock()
	f.model.set(func(m *model) {
		m.each = func(ctx context.Context, i int) error {
			if i == 0 {
				close(reached)
			}
			<-ctx.Done()
			ctxErr <- context.Cause(ctx)
			return context.Cause(ctx)
		}
	})
	j := f.start(api.ActionReindex)
	select {
	case <-reached:
	case <-j.Done():
	}
	if !f.has("pay/charge.go", "Charge takes money") { // the new generation's vectors are computed after the switch
		t.Fatal("the old generation does not answer while the new one is built")
	}
	wantEqual(t, f.Snapshot().State, api.StateIndexing, "while it is rebuilt: state")
	wantEqual(t, f.Store(), before, "while it is rebuilt: store")
	j.Cancel()
	<-j.Done()
	if _, err := j.Result(); !errors.Is(err, jobs.ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := <-ctxErr; !errors.Is(err, jobs.ErrCancelled) {
		t.Errorf("the model's context ended with %v", err)
	}
	if f.Store() != before || !f.has("pay/charge.go", "Charge takes money") {
		t.Error("the old generation was touched")
	}
	if left := entries(t, f.opt.Dir); !slices.Equal(left, folder) {
		t.Errorf("the new generation was left behind: %q, before %q", left, folder)
	}

	f.model.set(func(m *model) { m.each = nil })
	j = f.start(api.ActionReindex)
	<-j.Done()
	if stats, err := j.Result(); err != nil || stats.FilesIndexed != 5 {
		t.Fatalf("%+v, %v\n%s", stats, err, f.log)
	}
	if !f.has("pay/charge.go", "Charge is new") || f.has("pay/charge.go", "Charge takes money") {
		t.Error("the new generation has the old content")
	}
	if snap := f.Snapshot(); snap.State != api.StateReady || snap.Vectors != snap.Chunks {
		t.Errorf("%s, %d vectors of %d chunks", snap.State, snap.Vectors, snap.Chunks)
	}
	f.wantFiles(indexed...)
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range list {
		if !strings.Contains(e.Name(), ".tmp") { // the vector loop may be writing metadata.json
			names = append(names, e.Name())
		}
	}
	return names
}

// A paused build waits for Resume without the semaphore.
func TestPausedBuild(t *testing.T) {
	f := project(t, shop, func(f *fixture) { f.opt.Paused = true }).run()
	j := f.start(api.ActionCreate)
	f.Settle(t.Context())
	if f.Snapshot().State != api.StatePaused || !f.opt.Heavy.TryAcquire(1) {
		t.Errorf("state %s, or the build keeps the semaphore", f.Snapshot().State)
	}
	f.opt.Heavy.Release(1)
	f.wantFiles()
	f.Resume()
	f.finish(j)
	f.wantFiles(indexed...)
}

// pausing counts the files that are chunked, and calls at20 in the 20th.
type pausing struct {
	noTrees
	at20  func()
	count atomic.Int32
}

func (p *pausing) Cut(ctx context.Context, file chunk.File) (chunk.Cut, error) {
	if p.count.Add(1) == 20 && p.at20 != nil {
		p.at20()
	}
	return p.noTrees.Cut(ctx, file)
}

// A paused build commits the files that were read, and chunks only the other files after Resume. During a rebuild the
// old index is searched.
func TestPauseMidway(t *testing.T) {
	const files = 60
	for _, action := range []api.Action{api.ActionCreate, api.ActionReindex} {
		split := &pausing{}
		f := project(t, many(files), func(f *fixture) {
			split.at20 = func() { f.Pause() }
			f.opt.Chunker, f.opt.Threads = chunk.New(split), func() int { return 1 }
		}).run()
		if action == api.ActionReindex {
			split.count.Store(100)
			f.build()
			split.count.Store(0)
		}
		j := f.start(action)
		f.await(func(p api.Project) bool { return p.State == api.StatePaused })
		must(t, f.opt.Heavy.Acquire(t.Context(), 1)) // another project could run now
		f.Settle(t.Context())
		f.opt.Heavy.Release(1)
		if n := f.Snapshot().Files; action == api.ActionCreate && (n == 0 || n == files) ||
			action == api.ActionReindex && (n != files || !f.has("f0017.go", "package p17")) {
			t.Errorf("%s: %d files when it was paused", action, n)
		}
		f.Resume()
		<-j.Done()
		if _, err := j.Result(); err != nil || f.Snapshot().Files != files || split.count.Load() > files+5 {
			t.Errorf("%s: %d files, split %d times, %v", action, f.Snapshot().Files, split.count.Load(), err)
		}
	}
}

// A canceled build or rebuild leaves no files pending. Only a complete comparison of the project is reported as such.
func TestCancelMidway(t *testing.T) {
	for _, action := range []api.Action{api.ActionCreate, api.ActionReindex} {
		var begun, indexed atomic.Int32
		split, job := &pausing{}, (*jobs.Job)(nil)
		f := project(t, many(60), func(f *fixture) {
			f.opt.Chunker, f.opt.Threads = chunk.New(split), func() int { return 1 }
			f.opt.OnScan = func() func() { begun.Add(1); return func() { indexed.Add(1) } }
		}).run()
		if action == api.ActionReindex {
			f.build()
		}
		before, ready := indexed.Load(), make(chan struct{})
		split.count.Store(0)
		split.at20 = func() { <-ready; job.Cancel() }
		job = f.start(action)
		close(ready)
		<-job.Done()
		if _, err := job.Result(); !errors.Is(err, jobs.ErrCancelled) || f.Snapshot().Pending != 0 ||
			indexed.Load() != before {
			t.Errorf("%s: %v, %d files pending, %d scans of %d complete", action, err, f.Snapshot().Pending, indexed.Load(),
				begun.Load())
		}
		split.at20 = nil
		job = f.start(action)
		<-job.Done()
		f.rescan()
		if snap := f.Snapshot(); snap.Pending != 0 || snap.Files != 60 || indexed.Load() != before+2 {
			t.Errorf("%s: %d files pending, %d scans of %d complete", action, snap.Pending, indexed.Load(), begun.Load())
		}
	}
}

// The first build indexes the files of an earlier scan, unless the watcher's first scan came before. Otherwise, that
// scan finds later changes.
func TestBuildAfterAScan(t *testing.T) {
	for _, before := range []bool{false, true} {
		asked := 0
		f := project(t, shop, func(f *fixture) {
			f.opt.Walked = func() (scan.Changes, bool) {
				asked++
				return scan.Changes{
					Changed: []scan.File{{Path: ".env"}, {Path: "pay/charge.go"}, {Path: "pay/gone.go"}},
					Report:  scan.Report{Skipped: api.Skipped{}, Paths: map[string]api.Reason{}},
				}, true
			}
		}).run()
		if before {
			f.rescan()
			f.build()
		} else {
			f.build()
			f.wantFiles("pay/charge.go code")
			f.rescan()
		}
		f.wantFiles(indexed...)
		f.build()
		wantEqual(t, asked, map[bool]int{false: 1, true: 0}[before], "the earlier scan was used: asked")
	}
}

// A panic fails only its request and is logged with a stack.
func TestPanic(t *testing.T) {
	panics := true
	f := project(t, shop, func(f *fixture) {
		f.opt.Threads = func() int {
			if panics {
				panic("a fault of ours")
			}
			return 0
		}
	}).run()
	j := f.start(api.ActionCreate)
	<-j.Done()
	if _, err := j.Result(); api.CodeOf(err) != api.Internal || !strings.Contains(err.Error(), "a fault of ours") {
		t.Errorf("%v", err)
	}
	f.Settle(t.Context()) // waits for the log
	panics = false
	f.build()
	f.wantFiles(indexed...)
	f.stop()
	if !strings.Contains(f.log.String(), "a fault of ours") || !strings.Contains(f.log.String(), "actor.go") {
		t.Errorf("the log has no stack: %s", f.log)
	}
}

package engine

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
)

// many returns n files, so that indexing takes long enough to be paused on a loaded machine.
func many(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "package f\n\n// F%d does it.\nfunc F%d() int {\n\treturn %d\n}\n", i, i, i)
		for j := range 40 {
			fmt.Fprintf(&b, "\n// G%dx%d does more of it.\nfunc G%dx%d() int {\n\treturn %d\n}\n", i, j, i, j, j)
		}
		files[fmt.Sprintf("pack%d/f%04d.go", i%40, i)] = b.String()
	}
	return files
}

// madeOld sets the files' times back by an hour: files read within seconds of being written are read again.
func madeOld(t *testing.T, root string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// pauseMidway starts a job and pauses the project after some of its files are read. It returns the number of
// committed files after the pause.
func pauseMidway(t *testing.T, e *Engine, root string, start func() api.Job) (api.Job, int) {
	t.Helper()
	events := e.Subscribe(t.Context())
	j := start()
	for p := j.Progress(); p.Phase != api.PhaseIndexing || p.FilesDone == 0; p = j.Progress() {
		select {
		case <-events:
		case <-j.Done():
			t.Fatal("the job ended before it could be paused")
		}
	}
	if err := e.Pause(root); err != nil {
		t.Fatal(err)
	}
	p := e.Find(root)
	if err := e.heavy.Acquire(t.Context(), 1); err != nil { // another project could run now
		t.Fatal(err)
	}
	defer e.heavy.Release(1)
	p.Actor().Settle(t.Context())
	s, err := e.Status(t.Context(), root)
	if err != nil || s.State != api.StatePaused {
		t.Errorf("%s, %v", s.State, err)
	}
	return j, s.Files
}

// TestPauseStopsTheFirstBuild checks that a paused build commits the files it has read, which are searchable, and
// reads only the remaining ones after it is resumed.
func TestPauseStopsTheFirstBuild(t *testing.T) {
	t.Parallel()
	const n = 800
	e := openOpt(t, t.TempDir(), nil)
	root := tree(t, many(n))
	madeOld(t, root)
	j, before := pauseMidway(t, e, root, func() api.Job {
		j, err := e.Create(t.Context(), root, api.Approval{})
		if err != nil {
			t.Fatal(err)
		}
		return j
	})
	if before == 0 || before == n {
		t.Fatalf("%d of %d files when it was paused", before, n)
	}
	select {
	case <-j.Done():
		t.Fatal("the job ended although it was paused")
	default:
	}
	events := e.Subscribe(t.Context())
	if err := e.Resume(root); err != nil {
		t.Fatal(err)
	}
	for range events {
		if p := j.Progress(); p.Phase != api.PhaseScanning {
			if p.FilesTotal != n || p.FilesDone < before {
				t.Errorf("it goes on at %d of %d, after %d", p.FilesDone, p.FilesTotal, before)
			}
			break
		}
	}
	finish(t, j)
	becomesTrue(t, e, root)
	if s, _ := e.Status(t.Context(), root); s.Files != n {
		t.Errorf("%d files at the end", s.Files)
	}
}

// TestPauseStopsARebuild does the same with a rebuild; searches use the old index meanwhile.
func TestPauseStopsARebuild(t *testing.T) {
	t.Parallel()
	const n = 800
	e := openOpt(t, t.TempDir(), nil)
	root := tree(t, many(n))
	create(t, e, root)
	j, files := pauseMidway(t, e, root, func() api.Job {
		j, err := e.Reindex(t.Context(), root, api.Approval{})
		if err != nil {
			t.Fatal(err)
		}
		return j
	})
	if files != n {
		t.Errorf("the old index has %d files", files)
	}
	if r := find(t, e, root, "F17"); len(r.Hits) == 0 {
		t.Error("the old index does not answer")
	}
	if err := e.Resume(root); err != nil {
		t.Fatal(err)
	}
	finish(t, j)
	becomesTrue(t, e, root)
}

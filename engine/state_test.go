package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/worker"
)

// agree fails unless status, list, search and doctor agree about a project.
func agree(t *testing.T, e *Engine, root string, want api.State) {
	t.Helper()
	p, err := e.Status(t.Context(), root)
	if err != nil || p.State != want {
		t.Errorf("status: %s, %v; want %s", p.State, err, want)
	}
	list := e.Projects()
	i := slices.IndexFunc(list, func(o api.Project) bool { return o.ID == p.ID })
	if i < 0 || list[i].State != want || list[i].Pending != p.Pending || list[i].Files != p.Files {
		t.Errorf("list: %+v; status: %+v", list, p)
	}
	if want != api.StateError {
		var r api.Results
		// A search prioritizes pending files, so the counts may change in between.
		eventually(t, e, "a search to say what the status says", func() bool {
			r, err = e.Search(t.Context(), []string{root}, api.Query{Text: "Charge", Corpus: api.CorpusCode, TopK: 1})
			if err != nil {
				t.Fatal(err)
			}
			p, err = e.Status(t.Context(), root)
			return err == nil && r.State == want && p.State == want && r.PendingFiles == p.Pending
		})
		if want != api.StateReady && len(r.Notes) == 0 {
			t.Errorf("a search in state %s says nothing of it", want)
		}
	}
	well := true
	for _, f := range examined(t, e, root) {
		if strings.HasPrefix(f.Subject, "project ") {
			well = well && f.OK
		}
	}
	if sick := want == api.StateOffline || want == api.StateDegraded || want == api.StateStalled ||
		want == api.StateError; sick == well {
		t.Errorf("doctor says %v of a project that is %s", well, want)
	}
}

func awaitState(t *testing.T, e *Engine, root string, want api.State) {
	t.Helper()
	eventually(t, e, "state "+string(want), func() bool { p, _ := e.Status(t.Context(), root); return p.State == want })
}

// watched waits until the project's watcher runs; doctor reports a missing watcher until then.
func watched(t *testing.T, e *Engine, root string) {
	t.Helper()
	eventually(t, e, "its watcher to be ready", func() bool {
		p, err := e.Status(t.Context(), root)
		return err == nil && p.WatcherActive
	})
}

// TestOneTruthAboutState brings a project into each state and compares all reports.
func TestOneTruthAboutState(t *testing.T) {
	for name, bring := range map[string]func(t *testing.T, data, root, dir string) (*Engine, api.State){
		"ready": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			e := openOpt(t, data, nil)
			becomesTrue(t, e, root)
			return e, api.StateReady
		},
		"paused with changes": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			e := openOpt(t, data, nil)
			becomesTrue(t, e, root)
			watched(t, e, root)
			if err := e.Pause(root); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(root, "new.go"), "package x\n")
			eventually(t, e, "the change to be seen", func() bool { p, _ := e.Status(t.Context(), root); return p.Pending > 0 })
			return e, api.StatePaused
		},
		"paused at the start": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			e := openOpt(t, data, nil)
			if err := e.Pause(""); err != nil {
				t.Fatal(err)
			}
			closeEngine(t, e)
			e = openOpt(t, data, nil)
			watched(t, e, root)
			return e, api.StatePaused
		},
		"rebuilding": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			e := openOpt(t, data, nil)
			becomesTrue(t, e, root)
			if err := e.heavy.Acquire(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.heavy.Release(1) })
			if _, err := e.Reindex(t.Context(), root, api.Approval{}); err != nil {
				t.Fatal(err)
			}
			return e, api.StateIndexing
		},
		"offline": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			if err := os.Rename(root, root+"-moved"); err != nil {
				t.Fatal(err)
			}
			return openOpt(t, data, nil), api.StateOffline
		},
		"degraded": func(t *testing.T, data, root, dir string) (*Engine, api.State) {
			t.Setenv(worker.ProgramEnv, filepath.Join(dir, "none"))
			e := openOpt(t, data, nil)
			eventually(t, e, "the files to be looked at", func() bool {
				p, _ := e.Status(t.Context(), root)
				return p.State == api.StateDegraded && p.Pending == 0
			})
			return e, api.StateDegraded
		},
		"stalled": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			e := openOpt(t, data, func(o *Options) { o.free = func(string) (int64, error) { return 50 << 20, nil } })
			write(t, filepath.Join(root, "new.go"), "package x\n")
			return e, api.StateStalled
		},
		"error": func(t *testing.T, data, root, dir string) (*Engine, api.State) {
			write(t, filepath.Join(dir, "store.json"), `{"format": 99}`)
			return openOpt(t, data, nil), api.StateError
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "degraded" { // changes the environment
				t.Parallel()
			}
			data, root, dir := indexed(t)
			e, want := bring(t, data, root, dir)
			awaitState(t, e, root, want)
			agree(t, e, root, want)
		})
	}
}

// TestConfigIsFollowed edits config.json directly.
func TestConfigIsFollowed(t *testing.T) {
	t.Parallel()
	data, root, dir := indexed(t)
	e := openOpt(t, data, nil)
	becomesTrue(t, e, root)
	files := func() int { p, _ := e.Status(t.Context(), root); return p.Files }
	warnings := func() string { p, _ := e.Status(t.Context(), root); return strings.Join(p.Warnings, "\n") }
	config := filepath.Join(dir, "config.json")

	write(t, config, `{"exclude": ["ship/**"]}`)
	eventually(t, e, "the exclusion", func() bool { return files() == 5 })
	becomesTrue(t, e, root)
	tmp := config + ".tmp" // as editors save
	write(t, tmp, `{"exclude": ["pay/**"], "maxFiles": 2, "lazyIdleThreshold": "soon"}`)
	if err := os.Rename(tmp, config); err != nil {
		t.Fatal(err)
	}
	eventually(t, e, "the other exclusion", func() bool { return files() == 4 })
	eventually(t, e, "the warnings", func() bool {
		return strings.Contains(warnings(), "lazyIdleThreshold must be") && strings.Contains(warnings(),
			"grown to 4 files, more than maxFiles (2)")
	})
	write(t, config, `{"exclude": [`)
	eventually(t, e, "the warning about broken text", func() bool {
		return strings.Contains(warnings(),
			"last valid configuration")
	})
	if files() != 4 {
		t.Errorf("%d files after a text that is no configuration", files())
	}
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	eventually(t, e, "the warning about the missing file", func() bool {
		return strings.Contains(warnings(),
			"config.json is missing")
	})
	if files() != 4 {
		t.Errorf("%d files after the configuration was removed", files())
	}
	write(t, config, "{}")
	eventually(t, e, "the defaults", func() bool { return files() == 6 && warnings() == "" })
	write(t, filepath.Join(data, "config.json"), `{"exclude": ["docs/**"]}`)
	eventually(t, e, "the global exclusion", func() bool { return files() == 5 })
	becomesTrue(t, e, root)

	if err := e.Pause(root); err != nil {
		t.Fatal(err)
	}
	text := `{"exclude": ["ship/**", "docs/**"]}`
	if _, err := e.SetConfigText(t.Context(), root, text); err != nil { // returns although indexing is paused
		t.Fatal(err)
	}
	if err := e.Resume(root); err != nil {
		t.Fatal(err)
	}
	eventually(t, e, "the exclusion after the pause", func() bool { return files() == 4 })
	becomesTrue(t, e, root)
}

// TestSkippedByContentIsReadOnce checks that files skipped by content are counted and not read again and again.
func TestSkippedByContentIsReadOnce(t *testing.T) {
	t.Parallel()
	data, root := t.TempDir(), tree(t, shop)
	for i := range 20 {
		write(t, filepath.Join(root, fmt.Sprintf("blob%d.dat", i)), "a\x00b")
	}
	write(t, filepath.Join(root, "key.txt"), "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n")
	old := func(path string) {
		t.Helper()
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		old(filepath.Join(root, fmt.Sprintf("blob%d.dat", i)))
	}
	e := openOpt(t, data, nil)
	create(t, e, root)
	becomesTrue(t, e, root)
	skipped := func() api.Skipped { p, _ := e.Status(t.Context(), root); return p.Skipped }
	before := fmt.Sprint(skipped())
	if skipped()[api.SkipBinary] != 21 || skipped()[api.SkipSecret] < 1 {
		t.Fatalf("skipped: %v", skipped())
	}
	var worst atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := e.Subscribe(ctx)
	go func() {
		for ev := range events {
			if ev.Project != nil {
				worst.Store(max(worst.Load(), int64(ev.Project.Pending)))
			}
		}
	}()
	text, _, err := e.ConfigText(root)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, ".searchignore"), "# nothing\n") // triggers a rescan
	eventually(t, e, "the rescan", func() bool {
		p, _ := e.Status(t.Context(), root)
		return p.Files == 7 // the shop's and .searchignore
	})
	becomesTrue(t, e, root)
	if n := worst.Load(); n == 0 || n > 10 {
		t.Errorf("%d files were pending for a change of one", n)
	}
	if after := fmt.Sprint(skipped()); after != before {
		t.Errorf("skipped %s, before %s", after, before)
	}
	// A binary that becomes text is indexed; a remaining one is forgotten under other rules.
	write(t, filepath.Join(root, "blob0.dat"), "plain text now\n")
	becomesTrue(t, e, root)
	if _, err := e.SetConfigText(t.Context(), root, strings.Replace(text, `"exclude": []`,
		`"exclude": ["blob1*.dat"]`, 1)); err != nil {
		t.Fatal(err)
	}
	becomesTrue(t, e, root)
	if n := skipped()[api.SkipBinary]; n != 9 { // image.png and blobs 2 to 9
		t.Errorf("%d binaries: %v", n, skipped())
	}
}

// past is old enough for a modification time to be trusted.
var past = time.Now().Add(-time.Hour)

// TestAFolderAboveIsRenamed checks that a search detects the rename, for which there is no event, and meanwhile
// answers from the index.
func TestAFolderAboveIsRenamed(t *testing.T) {
	t.Parallel()
	above := filepath.Join(tree(t, nil), "above")
	root := filepath.Join(above, "shop")
	for name, text := range shop {
		write(t, filepath.Join(root, name), text)
	}
	e := open(t, t.TempDir())
	create(t, e, root)
	away := above + "-renamed"
	for _, move := range []struct {
		from, to string
		want     api.State
	}{{above, away, api.StateOffline}, {away, above, api.StateReady}} {
		if err := os.Rename(move.from, move.to); err != nil {
			t.Fatal(err)
		}
		eventually(t, e, string(move.want), func() bool {
			find(t, e, root, "Charge")
			p, _ := e.Status(t.Context(), root)
			return p.State == move.want
		})
	}
}

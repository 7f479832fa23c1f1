package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/host/worker"
)

func agree(t *testing.T, e *Engine, root string, want api.State) {
	t.Helper()
	var p api.Project
	var err error
	eventually(t, e, "list and status to agree", func() bool { // the project may change between the two calls
		p, err = e.Status(t.Context(), root)
		must(t, err)
		list := e.Projects()
		i := slices.IndexFunc(list, func(o api.Project) bool { return o.ID == p.ID })
		return p.State == want && i >= 0 && list[i].State == want && list[i].Pending == p.Pending && list[i].Files == p.Files
	})
	if want != api.StateError {
		var r api.Results
		// A search prioritizes pending files.
		eventually(t, e, "a search to say what the status says", func() bool {
			r, err = e.Search(t.Context(), []string{root}, api.Query{Text: "Charge", Corpus: api.CorpusCode, TopK: 1})
			must(t, err)
			p, err = e.Status(t.Context(), root)
			return err == nil && r.State == want && p.State == want && r.PendingFiles == p.Pending
		})
		if want != api.StateReady && len(r.Notes) == 0 {
			t.Errorf("a search in state %s doesn't mention it", want)
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
		t.Errorf("doctor reports %v for a project in state %s", well, want)
	}
}

func status(t *testing.T, e *Engine, root string) api.Project {
	t.Helper()
	p, err := e.Status(t.Context(), root)
	must(t, err)
	return p
}

func reaches(t *testing.T, e *Engine, root, what string, ok func(api.Project) bool) {
	t.Helper()
	eventually(t, e, what, func() bool { p, err := e.Status(t.Context(), root); return err == nil && ok(p) })
}

func awaitState(t *testing.T, e *Engine, root string, want api.State) {
	t.Helper()
	reaches(t, e, root, "state "+string(want), func(p api.Project) bool { return p.State == want })
}

// watched waits for the watcher, which doctor requires.
func watched(t *testing.T, e *Engine, root string) {
	t.Helper()
	reaches(t, e, root, "its watcher to be ready", func(p api.Project) bool { return p.WatcherActive })
}

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
			must(t, e.Pause(root))
			write(t, filepath.Join(root, "new.go"), "package x\n")
			reaches(t, e, root, "the change to be seen", func(p api.Project) bool { return p.Pending > 0 })
			return e, api.StatePaused
		},
		"paused at the start": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			e := openOpt(t, data, nil)
			must(t, e.Pause(""))
			closeEngine(t, e)
			e = openOpt(t, data, nil)
			watched(t, e, root)
			return e, api.StatePaused
		},
		"rebuilding": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			e := openOpt(t, data, nil)
			becomesTrue(t, e, root)
			must(t, e.heavy.Acquire(t.Context(), 1))
			t.Cleanup(func() { e.heavy.Release(1) })
			must(t, second(e.Reindex(t.Context(), root, api.Approval{})))
			return e, api.StateIndexing
		},
		"offline": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			must(t, os.Rename(root, root+"-moved"))
			return openOpt(t, data, nil), api.StateOffline
		},
		"degraded": func(t *testing.T, data, root, dir string) (*Engine, api.State) {
			t.Setenv(worker.ProgramEnv, filepath.Join(dir, "none"))
			e := openOpt(t, data, nil)
			reaches(t, e, root, "the files to be looked at", func(p api.Project) bool {
				return p.State == api.StateDegraded && p.Pending == 0
			})
			return e, api.StateDegraded
		},
		"stalled": func(t *testing.T, data, root, _ string) (*Engine, api.State) {
			e := openOpt(t, data, func(o *Options) { o.free = func(string) (int64, error) { return 5 << 20, nil } })
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

func TestConfigIsFollowed(t *testing.T) {
	t.Parallel()
	data, root, dir := indexed(t)
	e := openOpt(t, data, nil)
	becomesTrue(t, e, root)
	files := func() int { return status(t, e, root).Files }
	warnings := func() string { return strings.Join(status(t, e, root).Warnings, "\n") }
	config := filepath.Join(dir, "config.json")

	tmp := config + ".tmp" // as editors save
	write(t, tmp, `{"exclude": ["pay/**"], "maxFiles": 2, "lazyIdleThreshold": "soon"}`)
	must(t, os.Rename(tmp, config))
	eventually(t, e, "the exclusion", func() bool { return files() == 4 })
	eventually(t, e, "the warnings", func() bool {
		return strings.Contains(warnings(), "lazyIdleThreshold must be") && strings.Contains(warnings(),
			"grown to 4 files, more than maxFiles (2)")
	})
	write(t, config, `{"exclude": [`)
	eventually(t, e, "the warning about broken text", func() bool {
		return strings.Contains(warnings(), "last valid configuration")
	})
	if files() != 4 {
		t.Errorf("%d files after a text that is no configuration", files())
	}
	must(t, os.Remove(config))
	eventually(t, e, "the warning about the missing file", func() bool {
		return strings.Contains(warnings(), "config.json is missing")
	})
	if files() != 4 {
		t.Errorf("%d files after the configuration was removed", files())
	}
	write(t, config, "{}")
	eventually(t, e, "the defaults", func() bool { return files() == 6 && warnings() == "" })
	write(t, filepath.Join(data, "config.json"), `{"exclude": ["docs/**"], "maxFiles": "many"}`)
	eventually(t, e, "the problem of the global configuration", func() bool {
		return slices.ContainsFunc(e.Problems(), func(p api.Error) bool {
			return p.Code == api.ConfigInvalid && strings.Contains(p.UserMessage, "maxFiles must be")
		})
	})
	write(t, filepath.Join(data, "config.json"), `{"exclude": ["docs/**"]}`)
	eventually(t, e, "the end of the problem", func() bool { return len(e.Problems()) == 0 })
	becomesTrue(t, e, root)

	must(t, e.Pause(root))
	if _, err := e.SetConfigText(t.Context(), root, `{"maxFiles": `); api.CodeOf(err) != api.InvalidArgument {
		t.Errorf("broken text: %v", err)
	}
	text := `{"exclude": ["ship/**", "docs/**"], "maxFiles": "many"}`
	problems, err := e.SetConfigText(t.Context(), root, text) // returns although indexing is paused
	if err != nil || len(problems) != 1 {
		t.Fatal(err, problems)
	}
	must(t, e.Resume(root))
	eventually(t, e, "the exclusion after the pause", func() bool { return files() == 4 })
	becomesTrue(t, e, root)
}

// A search detects the rename, which causes no event, and answers from the index.
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
		must(t, os.Rename(move.from, move.to))
		eventually(t, e, string(move.want), func() bool {
			find(t, e, root, "Charge")
			p, _ := e.Status(t.Context(), root)
			return p.State == move.want
		})
	}
}

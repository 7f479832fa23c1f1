package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// TestKilledWhileIndexing kills the app at random moments of a first indexing, restarts it by the next command, and
// compares the final index with an uninterrupted one.
func TestKilledWhileIndexing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fresh = true
	root := w.copyGo("shelf", "container", "encoding/csv", "text/tabwriter")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	var wg sync.WaitGroup
	wg.Go(func() { w.cli("index", root, "--yes") }) // fails when the app is killed
	w.await("the app to start", w.running)
	// if the app is killed earlier, no work can be resumed
	w.await("the project to be there", func() bool { return w.state(root) != "" })
	kills := 0
	for range 4 {
		delay := time.NewTimer(time.Duration(20+random.IntN(900)) * time.Millisecond)
		<-delay.C
		if w.running() {
			if kill(w.pid()) == nil {
				kills++
			}
			w.await("the killed app to be gone", func() bool { return !w.running() })
		}
		w.mustCLI("search", "anything", "--project", root, "--json", "--top-k", "1") // restarts the app
	}
	wg.Wait()
	if kills == 0 {
		t.Fatal("the app was never killed")
	}
	w.await("the interrupted indexing to be complete", func() bool { return w.state(root) == "ready" })
	w.wantCLI(0, "agree", "doctor", "--project", root)

	calm := newWorld(t)
	other := calm.copyGo("shelf", "container", "encoding/csv", "text/tabwriter")
	calm.mustCLI("index", other, "--yes")
	if got, want := w.figures(root), calm.figures(other); got != want {
		t.Errorf("after %d kills: %s; without: %s", kills, got, want)
	}
	for _, q := range []string{"line up columns", "ParseFloat", "smallest element first"} {
		logged := ""
		// On a busy machine the first answers may not use vectors.
		w.await("the same answer with and without the kills", func() bool {
			got, want := w.results(root, q), calm.results(other, q)
			if got != want && got+want != logged {
				logged = got + want
				t.Logf("%q after the kills:\n%s\nwithout:\n%s", q, got, want)
			}
			return got == want
		})
	}
}

type project struct {
	State                                     string
	Roots                                     []struct{ Path string }
	Files, Chunks, Vectors, DocFiles, Pending int
}

func (w *world) project(root string) project {
	w.t.Helper()
	var list []project
	check(w.t, json.Unmarshal([]byte(w.mustCLI("projects", "--json")), &list))
	for _, p := range list {
		if p.Roots[0].Path == root {
			return p
		}
	}
	return project{}
}

func (w *world) state(root string) string { return w.project(root).State }

func (w *world) figures(root string) string {
	p := w.project(root)
	return fmt.Sprintf("%d files, %d chunks, %d vectors, %d documents", p.Files, p.Chunks, p.Vectors, p.DocFiles)
}

func (w *world) results(root, query string) string {
	w.t.Helper()
	var h hits
	check(w.t, json.Unmarshal([]byte(w.mustCLI("search", query, "--project", root, "--json")), &h))
	return h.paths()
}

// TestEditorSurvivesTheApp kills the app under a connected editor. The next call works, because the bridge restarts the
// app and repeats the handshake.
func TestEditorSurvivesTheApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	e := w.indexed(root)
	first := w.pid()
	check(t, kill(first))
	w.await("the call after the crash", func() bool {
		res, err := e.c.CallTool(t.Context(), request("search_code", map[string]any{"query": "heap"}))
		return err == nil && !res.IsError
	})
	if w.pid() == first {
		t.Error("the killed process still serves")
	}
}

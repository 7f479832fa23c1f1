package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"searchmcp/engine/api"
)

// soakFlag is set to 20 minutes by `make soak`.
var soakFlag = flag.Duration("soak", 0, "how long the soak runs; 0: not at all")

// hostileFlag is a folder of hostile repositories and documents.
var hostileFlag = flag.String("hostile", "", "a folder with repositories/ and documents/ of strangers")

func besiege(ctx context.Context, t *testing.T, e *Engine, dir string) {
	repositories, err := filepath.Glob(filepath.Join(dir, "repositories", "*"))
	if err != nil || len(repositories) == 0 {
		t.Errorf("no repositories in %s: %v", dir, err)
		return
	}
	db := filepath.Join(t.TempDir(), "hostile.archive")
	for ctx.Err() == nil {
		for _, root := range repositories {
			j, err := e.Create(ctx, root, api.Approval{})
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				t.Errorf("%s: %v", root, err)
				return
			}
			select {
			case <-j.Done():
			case <-ctx.Done():
				return
			}
			q := api.Query{Text: "repair the parser", Corpus: api.CorpusCode, TopK: 10}
			if _, err := e.Search(ctx, []string{root}, q); err != nil && ctx.Err() == nil {
				t.Errorf("%s: %v", root, err)
			}
			if err := e.Delete(ctx, root, api.Approval{}); err != nil && ctx.Err() == nil {
				t.Errorf("%s: %v", root, err)
			}
		}
		if _, err := e.ImportArchive(ctx, db, filepath.Join(dir, "documents"), false, nil); err != nil && ctx.Err() == nil {
			t.Errorf("import: %v", err)
		}
	}
}

type sample struct {
	at                                 time.Duration
	resident, heap, files, goroutines  int // MB, MB
	bursts, operations, searches, size int // size is the size of the index in KB
}

func takeSample(began time.Time) sample {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := sample{at: time.Since(began), heap: int(m.HeapAlloc >> 20), goroutines: runtime.NumGoroutine()}
	if text, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(text)) {
			if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				if _, err := fmt.Sscan(v, &s.resident); err == nil {
					s.resident >>= 10
				}
			}
		}
	}
	if fds, err := os.ReadDir("/proc/self/fd"); err == nil {
		s.files = len(fds)
	}
	return s
}

// The index must be true after each burst, and memory, handles and goroutines must not grow.
func TestSoak(t *testing.T) {
	if *soakFlag == 0 {
		t.Skip("-soak says for how long")
	}
	s := newScene(t, newSeed(t))
	data := t.TempDir()
	e := open(t, data)
	create(t, e, s.root)
	ctx, cancel := context.WithTimeout(t.Context(), *soakFlag)
	defer cancel()
	var siege sync.WaitGroup
	defer func() { cancel(); siege.Wait() }()
	if *hostileFlag != "" {
		siege.Go(func() { besiege(ctx, t, e, *hostileFlag) })
	}
	began := time.Now()
	var samples []sample
	every := max(*soakFlag/20, 5*time.Second)
	next := time.Now()
	var bursts, searches int
	var slowest time.Duration
	breath := time.NewTicker(2 * time.Second) // pause between bursts, or only the model would be measured
	defer breath.Stop()
	for ctx.Err() == nil {
		s.burst(1 + s.rng.IntN(8))
		bursts++
		slowest = max(slowest, becomesTrue(t, e, s.root))
		for range 20 {
			q := api.Query{Text: pick(s, words) + " " + pick(s, words), Corpus: api.CorpusCode, TopK: 10}
			must(t, second(e.Search(t.Context(), []string{s.root}, q)))
			searches++
		}
		if bursts%40 == 0 {
			j, err := e.Reindex(t.Context(), s.root, api.Approval{})
			must(t, err)
			finish(t, j)
		}
		s.made = s.made[max(0, len(s.made)-200):]
		if time.Now().After(next) {
			now := takeSample(began)
			now.bursts, now.operations, now.searches = bursts, s.done, searches
			p := status(t, e, s.root)
			now.size = int(p.SizeBytes >> 10)
			samples = append(samples, now)
			next = next.Add(every)
		}
		select {
		case <-breath.C:
		case <-ctx.Done():
		}
	}
	for _, m := range samples {
		t.Logf("%+v", m)
	}
	t.Logf("slowest burst true after %s", slowest.Round(time.Millisecond))
	flat(t, samples)
}

// flat compares the last quarter of the samples with the second quarter.
func flat(t *testing.T, all []sample) {
	t.Helper()
	if len(all) < 8 {
		t.Log("too few samples to tell whether anything grows")
		return
	}
	quarter := len(all) / 4
	early, late := all[quarter:2*quarter], all[3*quarter:]
	for _, m := range []struct {
		name  string
		of    func(sample) int
		slack func(before int) int
	}{
		// allow for fluctuation of the allocators
		{"resident MB", func(s sample) int { return s.resident }, func(n int) int { return n/5 + 20 }},
		{"heap MB", func(s sample) int { return s.heap }, func(n int) int { return n/5 + 5 }},
		{"handles", func(s sample) int { return s.files }, func(int) int { return 20 }}, // segments open during a merge
		{"goroutines", func(s sample) int { return s.goroutines }, func(int) int { return 10 }},
	} {
		before, after := middle(early, m.of), middle(late, m.of)
		if after > before+m.slack(before) {
			t.Errorf("%s grew from %d to %d", m.name, before, after)
		}
	}
}

func middle(all []sample, of func(sample) int) int {
	var list []int
	for _, s := range all {
		list = append(list, of(s))
	}
	slices.Sort(list)
	return list[len(list)/2]
}

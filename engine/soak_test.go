package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
)

// soakFlag is set to 20 minutes by `make soak`.
var soakFlag = flag.Duration("soak", 0, "how long the soak runs; 0: not at all")

type sample struct {
	at                                time.Duration
	resident, heap, files, goroutines int // MB, MB
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
			samples = append(samples, takeSample(began))
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
	t.Logf("%d bursts, %d searches, slowest burst true after %s", bursts, searches, slowest.Round(time.Millisecond))
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

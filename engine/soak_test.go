package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"searchmcp/engine/api"
)

// soakFlag is set to 20 minutes by `make soak`.
var soakFlag = flag.Duration("soak", 0, "how long the soak runs; 0: not at all")

// figures must not grow by more than a percentage and an amount, which allow for fluctuation of the allocators and for
// segments open during a merge.
var figures = []struct {
	name            string
	percent, amount int
}{{"resident MB", 20, 20}, {"heap MB", 20, 5}, {"handles", 0, 20}, {"goroutines", 0, 10}}

// takeSample returns the figures.
func takeSample() []int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var pages, resident int
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		_, _ = fmt.Sscan(string(text), &pages, &resident)
	}
	handles, _ := os.ReadDir("/proc/self/fd") // none on other systems
	return []int{resident * os.Getpagesize() >> 20, int(m.HeapAlloc >> 20), len(handles), runtime.NumGoroutine()}
}

// The index must be true after each burst, and memory, handles and goroutines must not grow.
func TestSoak(t *testing.T) {
	if *soakFlag == 0 {
		t.Skip("-soak is not set")
	}
	s := newScene(t, newSeed(t))
	data := t.TempDir()
	e := open(t, data)
	create(t, e, s.root)
	ctx, cancel := context.WithTimeout(t.Context(), *soakFlag)
	defer cancel()
	var samples [][]int
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
			samples = append(samples, takeSample())
			next = next.Add(every)
		}
		select {
		case <-breath.C:
		case <-ctx.Done():
		}
	}
	t.Logf("%v: %v", figures, samples)
	t.Logf("%d bursts, %d searches, slowest burst true after %s", bursts, searches, slowest.Round(time.Millisecond))
	flat(t, samples)
}

// flat compares the last quarter of the samples with the second quarter.
func flat(t *testing.T, all [][]int) {
	t.Helper()
	if len(all) < 8 {
		t.Log("too few samples to detect growth")
		return
	}
	quarter := len(all) / 4
	for i, f := range figures {
		before, after := middle(all[quarter:2*quarter], i), middle(all[3*quarter:], i)
		if after > before+before*f.percent/100+f.amount {
			t.Errorf("%s grew from %d to %d", f.name, before, after)
		}
	}
}

func middle(all [][]int, figure int) int {
	var list []int
	for _, s := range all {
		list = append(list, s[figure])
	}
	slices.Sort(list)
	return list[len(list)/2]
}

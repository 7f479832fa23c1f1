//go:build unix

package engine

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"searchmcp/engine/files/watch"
	"searchmcp/engine/store"
)

var updatesFlag = flag.Int("updates", 300, "how many updates BenchmarkUpdates makes")

// updateEdge is the number of updates at each end of a compaction cycle.
const updateEdge = 10

// BenchmarkUpdates saves one file after another, with compaction. It compares the processor time of ten updates each:
// the first ones, those after a compaction, and those before the next one.
func BenchmarkUpdates(b *testing.B) {
	e, root := benchProject(b, 2000)
	p := e.Find(root)
	table := filepath.Join(p.Dir(), "index.lancedb")
	var fresh time.Duration
	var after, before, cycle []time.Duration
	began := time.Now()
	for n := range *updatesFlag {
		then := tableOf(b, table)
		start := processorTime(b)
		path := fmt.Sprintf("d%03d/f%d.go", n%20, n%20*100)
		write(b, filepath.Join(root, path), fmt.Sprintf("package d\n\nfunc Changed%d() {}\n", n))
		if err := p.Actor().Update(b.Context(), watch.Batch{Paths: []string{path}}); err != nil {
			b.Fatal(err)
		}
		awaitVectors(b, p.Actor().Store())
		cycle = append(cycle, processorTime(b)-start)
		if !os.SameFile(then, tableOf(b, table)) {
			if len(cycle) <= 2*updateEdge {
				b.Fatalf("compacted again after %d updates", len(cycle))
			}
			if n < len(cycle) {
				fresh = mean(cycle[:updateEdge])
			} else {
				after = append(after, mean(cycle[:updateEdge]))
			}
			before = append(before, mean(cycle[len(cycle)-1-updateEdge:len(cycle)-1]))
			cycle = nil
		}
	}
	if len(after) == 0 {
		b.Fatalf("%d compactions in %d updates", len(before), *updatesFlag)
	}
	b.ReportMetric(100*fresh.Seconds()/median(after).Seconds(), "%after")
	b.ReportMetric(100*fresh.Seconds()/median(before).Seconds(), "%before")
	b.ReportMetric(float64(*updatesFlag)/time.Since(began).Seconds(), "updates/s-all")
	b.ReportMetric(0, "ns/op")
}

func tableOf(b *testing.B, name string) os.FileInfo {
	b.Helper()
	for {
		fi, err := os.Stat(name)
		if err == nil {
			return fi
		}
		if !errors.Is(err, fs.ErrNotExist) {
			b.Fatal(err)
		}
		runtime.Gosched() // between two renames
	}
}

func awaitVectors(b *testing.B, s *store.Store) {
	b.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for st := s.Stats(); st.Vectors < st.Chunks; st = s.Stats() {
		select {
		case <-tick.C:
		case <-b.Context().Done():
			b.Fatal("vectors are not made")
		}
	}
}

func mean(times []time.Duration) time.Duration {
	var sum time.Duration
	for _, t := range times {
		sum += t
	}
	return sum / time.Duration(len(times))
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

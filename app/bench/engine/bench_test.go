//go:build unix

// Package engine contains the benchmarks of updates, rescans, grep, vectors and searches in other sources.
package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"searchmcp/engine"
	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/worker/workertest"
	"searchmcp/engine/store"
)

func TestMain(m *testing.M) {
	workertest.Run()
	os.Exit(m.Run())
}

type hashModel struct{}

func (hashModel) Texts(ctx context.Context, texts []string, each func(int, api.Vector)) error {
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		each(i, hashVector(t))
	}
	return nil
}

func (hashModel) Query(_ context.Context, text string) (api.Vector, error) {
	return hashVector(text), nil
}
func (hashModel) ModelHash() string        { return "hash" }
func (hashModel) Input(c api.Chunk) string { return c.Path + "\n" + c.Text }
func (hashModel) Loaded() bool             { return true }
func (hashModel) SetThreads(int)           {}
func (hashModel) Close() error             { return nil }

func hashVector(text string) (v api.Vector) {
	sum := sha256.Sum256([]byte(text))
	r := rand.New(rand.NewChaCha8(sum))
	var square float64
	for i := range v {
		v[i] = float32(r.NormFloat64())
		square += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(square))
	}
	return v
}

func write(b *testing.B, path, text string) {
	b.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		b.Fatal(err)
	}
}

// benchProject indexes a project of n small files with fake vectors.
func benchProject(b *testing.B, n int) (*engine.Engine, string) {
	b.Helper()
	root, err := scan.CanonicalRoot(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		write(b, filepath.Join(root, fmt.Sprintf("d%03d/f%d.go", i/100, i)),
			fmt.Sprintf("package d\n\n// F%d does one thing.\nfunc F%d() {}\n", i, i))
	}
	e, err := engine.Open(b.Context(), engine.Options{Data: b.TempDir(),
		Log: slog.New(slog.DiscardHandler)}.WithModel(hashModel{}))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close(context.Background()) })
	j, err := e.Create(b.Context(), root, api.Approval{})
	if err != nil {
		b.Fatal(err)
	}
	<-j.Done()
	if _, err := j.Result(); err != nil {
		b.Fatal(err)
	}
	return e, root
}

// BenchmarkSaveToSearchable measures the time from saving a file until it is indexed, including RFC 5.5's 500 ms.
func BenchmarkSaveToSearchable(b *testing.B) {
	e, root := benchProject(b, 1000)
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	events := e.Subscribe(ctx)
	var times []time.Duration
	for i := range 30 {
		p, err := e.Status(ctx, root)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		write(b, filepath.Join(root, fmt.Sprintf("d000/saved%d.go", i)), fmt.Sprintf("package d\n\nfunc Saved%d() {}\n", i))
		for n := p.Files; n <= p.Files; {
			select {
			case ev := <-events:
				if ev.Project != nil {
					n = ev.Project.Files
				}
			case <-time.After(time.Minute):
				b.Fatal("the saved file is not indexed")
			}
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Milliseconds()), "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Milliseconds()), "p95-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkRescan compares an unchanged project of 50,000 files with its index, as on every start.
func BenchmarkRescan(b *testing.B) {
	const files = 50_000
	e, root := benchProject(b, files)
	a := e.Find(root).Actor()
	// The first rescan records the times of new files, which are not trusted yet.
	if err := a.Update(b.Context(), watch.Batch{Rescan: true}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := a.Update(b.Context(), watch.Batch{Rescan: true}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/files*1e6, "µs/file")
}

var updatesFlag = flag.Int("updates", 300, "number of updates in BenchmarkUpdates")

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
		runtime.Gosched() // a compaction is replacing the table
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
			b.Fatal("vectors are missing")
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

// BenchmarkGrep searches 10,000 files of 6 KB for patterns with and without required literals. It reports the 95th
// percentile for both kinds and the processor time per answer.
func BenchmarkGrep(b *testing.B) {
	e, root := benchProject(b, 0)
	for i := range 10000 {
		var text strings.Builder
		fmt.Fprintf(&text, "package d\n\n// F%d does one thing.\nfunc F%d(w *Writer) error {\n", i, i)
		for n := range 150 {
			fmt.Fprintf(&text, "\tif err := w.Write(%d, values[%d]); err != nil {\n", i+n, n%7)
		}
		write(b, filepath.Join(root, fmt.Sprintf("d%03d/f%d.go", i/100, i)), text.String()+"}\n")
	}
	j, err := e.Reindex(b.Context(), root, api.Approval{})
	if err != nil {
		b.Fatal(err)
	}
	<-j.Done()
	if _, err := j.Result(); err != nil {
		b.Fatal(err)
	}
	ask := func(patterns ...string) time.Duration {
		var took []time.Duration
		for range 5 {
			for _, p := range patterns {
				began := time.Now()
				r, err := e.Grep(b.Context(), []string{root}, api.GrepQuery{Pattern: p, Hits: 50})
				if err != nil || r.Searched != 10000 || r.Total == 0 {
					b.Fatalf("%s: %d hits in %d files, %v", p, r.Total, r.Searched, err)
				}
				took = append(took, time.Since(began))
			}
		}
		slices.Sort(took)
		return took[len(took)*95/100]
	}
	ask("F9999")
	for b.Loop() {
		used := processorTime(b)
		with := ask(`func F99\d\d\(`, "F4711", "(?i)f123 DOES", `F(17|18)\b`, `Write\(9999,`)
		b.ReportMetric(float64(processorTime(b)-used)/1e6/25, "cpu-ms")
		b.ReportMetric(float64(with)/1e6, "p95-ms")
		b.ReportMetric(float64(ask(`^// \w\d+7\s`))/1e6, "bare-p95-ms")
	}
}

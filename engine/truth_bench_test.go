package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/watch"
)

// benchProject makes an index of n small files with fake vectors.
func benchProject(b *testing.B, n int) (*Engine, string) {
	b.Helper()
	root := tree(b, nil)
	for i := range n {
		write(b, filepath.Join(root, fmt.Sprintf("d%03d/f%d.go", i/100, i)),
			fmt.Sprintf("package d\n\n// F%d does one thing.\nfunc F%d() {}\n", i, i))
	}
	e := openFast(b, b.TempDir())
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
			case <-time.After(patience):
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

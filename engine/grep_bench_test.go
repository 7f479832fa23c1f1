//go:build unix

package engine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
)

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

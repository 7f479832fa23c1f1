package engine

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
	"searchmcp/engine/store/vector/lance"
)

var (
	benchRows    = flag.Int("rows", 100_000, "rows of the table that BenchmarkNearest searches")
	benchQueries = flag.Int("queries", 100, "how often BenchmarkNearest asks")
)

const benchK = 200

// BenchmarkNearest searches a table with the sketch, and with LanceDB's comparison of every row, which is the reference
// for recall@10.
func BenchmarkNearest(b *testing.B) {
	source := newSource()
	dir := b.TempDir()
	native, err := lance.New()
	must(b, err)
	table, err := vector.NewDB(native).Open(b.Context(), dir, "t")
	must(b, err)
	for from := 0; from < *benchRows; from += 2048 {
		must(b, table.Add(b.Context(), source.rows(from, min(2048, *benchRows-from))))
	}
	defer table.Close()
	at := vector.Location{Dir: dir, Name: "t"}
	queries := make([]vector.Query, *benchQueries)
	for i := range queries {
		queries[i] = vector.Query{Vector: source.query(i), K: benchK}
	}
	for b.Loop() {
		sketched := measure(b, "sketch", queries, func(q vector.Query) ([]vector.Hit,
			error) {
			return table.Search(b.Context(), q)
		})
		exact := func(q vector.Query) ([]vector.Hit, error) { return native.Nearest(b.Context(), at, q) }
		truth := measure(b, "exact", queries, exact)
		b.ReportMetric(recall(sketched, truth), "recall@10")
	}
}

func measure(b *testing.B, what string, queries []vector.Query, search func(vector.Query) ([]vector.Hit,
	error)) [][]string {
	b.Helper()
	out := make([][]string, len(queries))
	times := make([]time.Duration, len(queries))
	for range 2 {
		for i, q := range queries {
			began := time.Now()
			hits, err := search(q)
			times[i] = time.Since(began)
			must(b, err)
			out[i] = out[i][:0]
			for _, h := range hits[:min(10, len(hits))] {
				out[i] = append(out[i], h.ID)
			}
		}
	}
	slices.Sort(times)
	milliseconds := func(part float64) float64 { return times[int(part*float64(len(times)-1))].Seconds() * 1000 }
	b.ReportMetric(milliseconds(0.5), what+"-ms-p50")
	b.ReportMetric(milliseconds(0.95), what+"-ms-p95")
	return out
}

func recall(got, truth [][]string) float64 {
	found, all := 0, 0
	for i := range truth {
		for _, id := range truth[i] {
			all++
			if slices.Contains(got[i], id) {
				found++
			}
		}
	}
	return float64(found) / float64(all)
}

// source generates rows one by one, so that a million rows need no memory.
type source struct {
	base    []api.Vector // centres of topics
	queries []api.Vector
}

func newSource() *source {
	r := rand.New(rand.NewPCG(1, 2))
	s := &source{base: make([]api.Vector, *benchRows/20+1)}
	for i := range s.base {
		s.base[i] = unit(r)
	}
	for range *benchQueries {
		s.queries = append(s.queries, jitter(r, s.base[r.IntN(len(s.base))], 0.7))
	}
	return s
}

func (s *source) query(i int) api.Vector { return s.queries[i] }

func (s *source) rows(from, n int) []vector.Row {
	rows := make([]vector.Row, n)
	for i := range rows {
		at := from + i
		r := rand.New(rand.NewPCG(7, uint64(at)))
		v := jitter(r, s.base[at%len(s.base)], 0.8)
		rows[i] = vector.Row{
			ID: fmt.Sprintf("%08x-0000-4000-8000-%012x", at, at), Path: fmt.Sprintf("pkg%d/part%d/file%d.go",
				at/5000, at/100, at/5),
			Text: fmt.Sprint(at) + strings.Repeat("func some(line of, code string) error {\n", 25), Vector: v,
			StartLine: at % 500, EndLine: at%500 + 20,
			ContentHash: fmt.Sprintf("%064x", at/5),
		}
	}
	return rows
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func unit(r *rand.Rand) api.Vector { return jitter(r, api.Vector{}, 1) }

// jitter returns a unit vector near v.
func jitter(r *rand.Rand, v api.Vector, distance float64) api.Vector {
	sum := 0.0
	for i := range v {
		v[i] += float32(r.NormFloat64() * distance / math.Sqrt(api.VectorDim))
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

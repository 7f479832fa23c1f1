package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"searchmcp/engine/store/text"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
)

// benchFiles is the size of the large index: the RFC's soft limit, with two chunks a file.
const benchFiles = 50_000

var benchWords = func() []string {
	r := rand.New(rand.NewPCG(41, 42))
	out := make([]string, 20_000)
	for i := range out {
		b := make([]byte, 3+r.IntN(9))
		for j := range b {
			b[j] = byte('a' + r.IntN(26))
		}
		out[i] = string(b)
	}
	return out
}()

func benchFile(n, version int) FileChunks {
	r := rand.New(rand.NewPCG(uint64(n), uint64(version)))
	text := func() string {
		words := make([]string, 120)
		for i := range words {
			words[i] = benchWords[int(float64(len(benchWords))*r.Float64()*r.Float64()*r.Float64())]
		}
		return strings.Join(words, " ")
	}
	return file(fmt.Sprintf("dir%d/sub%d/file%d.go", n%50, n%500, n), text(), text())
}

// resident returns the process's memory in MB, 0 if unknown.
func resident() float64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		return 0
	}
	return float64(pages*os.Getpagesize()) / (1 << 20)
}

// BenchmarkLarge builds an index of 50,000 files and 100,000 chunks, opens it again, searches and updates it before
// and after compaction.
func BenchmarkLarge(b *testing.B) {
	for b.Loop() {
		dir := b.TempDir()
		s := open(b, dir)
		began := time.Now()
		bytes := 0
		for i := 0; i < benchFiles; i += 500 {
			list := make([]FileChunks, 500)
			for j := range list {
				list[j] = benchFile(i+j, 0)
				for _, c := range list[j].Chunks {
					bytes += len(c.Text)
				}
			}
			commit(b, s, api.CorpusCode, list...)
		}
		b.ReportMetric(float64(bytes)/1e6/time.Since(began).Seconds(), "text-MB/s")
		b.ReportMetric(resident(), "MB-after-text")
		b.ReportMetric(float64(diskSize(s.corpora[api.CorpusCode].path("index.bleve")))/float64(bytes), "text-disk-ratio")
		began = time.Now()
		fill(b, s, 1024)
		b.ReportMetric(float64(2*benchFiles)/time.Since(began).Seconds(), "vectors/s")
		b.ReportMetric(float64(diskSize(s.corpora[api.CorpusCode].path("index.lancedb")))/(2*benchFiles), "B/vector-row")
		b.ReportMetric(resident(), "MB-after-vectors")
		searchTimes(b, s, "first")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		began = time.Now()
		s = open(b, dir)
		b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-open")
		began = time.Now()
		if m, err := s.Missing(b.Context(), api.CorpusCode, 1); err != nil || len(m) != 0 {
			b.Fatal(len(m), err)
		}
		b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-missing")
		b.ReportMetric(resident(), "MB-reopened")
		for _, n := range []int{50, 50, 100} {
			updates(b, s, n)
		}
		searchTimes(b, s, "scattered")
		began = time.Now()
		old := compactionLimits
		compactionLimits = thresholds{}
		if err := s.compact(b.Context(), s.corpora[api.CorpusCode], (*corpus).fragmented); err != nil {
			b.Fatal(err)
		}
		compactionLimits = old
		b.Logf("compaction: %v", time.Since(began))
		searchTimes(b, s, "compacted")
		updates(b, s, 20)
		began = time.Now()
		if r, err := s.Check(b.Context()); err != nil || !r.Clean() {
			b.Error(r, err)
		}
		b.Logf("check: %v", time.Since(began))
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

var benchVersion = 0

// updates changes n files one by one: text, then vectors.
func updates(b *testing.B, s *Store, n int) {
	var text, vectors time.Duration
	for i := range n {
		benchVersion++
		f := benchFile(i*37, benchVersion)
		began := time.Now()
		commit(b, s, api.CorpusCode, f)
		text += time.Since(began)
		began = time.Now()
		fill(b, s, 100)
		vectors += time.Since(began)
	}
	shape, err := s.corpora[api.CorpusCode].vectors.Shape()
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d updates: text %v, vectors %v each; then %+v", n, text/time.Duration(n), vectors/time.Duration(n), shape)
}

func searchTimes(b *testing.B, s *Store, when string) {
	v := s.View()
	defer v.Release()
	const n = 20
	began := time.Now()
	for i := range n {
		q := TextQuery{Terms: text.Terms(benchWords[i*7] + " " + benchWords[i*11+50] + " " + benchWords[i*501]), K: 150}
		if _, err := v.Text(b.Context(), api.CorpusCode, q); err != nil {
			b.Fatal(err)
		}
	}
	text := time.Since(began) / n
	began = time.Now()
	for i := range n {
		if _, err := v.Nearest(b.Context(), api.CorpusCode, vectorFor(benchWords[i]), 150, Filter{}); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%s: text %v, nearest %v a search", when, text, time.Since(began)/n)
}

// BenchmarkScattered measures the cost of a vector table by its number of fragments, from which extraFragments was
// chosen.
func BenchmarkScattered(b *testing.B) {
	const files, steps, each = 5_000, 8, 25
	for b.Loop() {
		s := open(b, b.TempDir())
		for i := 0; i < files; i += 500 {
			list := make([]FileChunks, 500)
			for j := range list {
				list[j] = benchFile(i+j, 0)
			}
			commit(b, s, api.CorpusCode, list...)
		}
		fill(b, s, 1024)
		c := s.corpora[api.CorpusCode]
		old := compactionLimits
		compactionLimits = thresholds{}
		if err := s.compact(b.Context(), c, (*corpus).fragmented); err != nil {
			b.Fatal(err)
		}
		compactionLimits = old
		row := func() {
			update, search := scatter(b, s, each)
			shape, err := c.vectors.Shape()
			if err != nil {
				b.Fatal(err)
			}
			fmt.Printf("%3d fragments %3d deletions %3d versions: %v of the processor an update, %v a search\n",
				shape.Fragments, shape.Deletions, shape.Versions, update.Round(10*time.Microsecond),
				search.Round(10*time.Microsecond))
		}
		for range steps {
			row()
		}
		compactionLimits = thresholds{}
		if err := s.compact(b.Context(), c, (*corpus).fragmented); err != nil {
			b.Fatal(err)
		}
		compactionLimits = old
		fmt.Println("compacted")
		row()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// scatter changes n files one by one. It returns the processor time of an update, which depends less on other load
// than wall time, and the median of a search after each.
func scatter(b *testing.B, s *Store, n int) (update, search time.Duration) {
	q := make([]time.Duration, n)
	for i := range n {
		benchVersion++
		began := processorTime(b)
		commit(b, s, api.CorpusCode, benchFile(benchVersion*37%5_000, benchVersion))
		fill(b, s, 100)
		update += processorTime(b) - began
		view := s.View()
		start := time.Now()
		if _, err := view.Nearest(b.Context(), api.CorpusCode, vectorFor(benchWords[i]), 150, Filter{}); err != nil {
			b.Fatal(err)
		}
		q[i] = time.Since(start)
		view.Release()
	}
	slices.Sort(q)
	return update / time.Duration(n), q[n/2]
}

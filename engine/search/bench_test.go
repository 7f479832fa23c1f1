package search

import (
	"cmp"
	"context"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// library indexes Go's own source by text, in chunks of 1,500 characters.
func library(b *testing.B) (*project, []api.Chunk) {
	x, err := text.Open(b.Context(), filepath.Join(b.TempDir(), "text"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = x.Close() })
	p := &project{index: x, chunks: map[string]api.Chunk{}}
	var all []api.Chunk
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		line := 1
		for part := range slices.Chunk(strings.SplitAfter(string(raw), "\n"), 40) {
			all = append(all, chunkOf(filepath.ToSlash(rel), line, strings.Join(part, "")))
			line += len(part)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for part := range slices.Chunk(all, 2000) {
		if err := x.Apply(b.Context(), text.Change{Rows: part}); err != nil {
			b.Fatal(err)
		}
	}
	return p, all
}

// stored reads chunks from the index, like the product.
type stored struct{ *project }

func (s stored) Chunks(ctx context.Context, _ api.Corpus, ids []string) (map[string]api.Chunk, error) {
	return s.index.Chunks(ctx, ids)
}

// BenchmarkRun measures a search over Go's library: text, ranking and texts of results; the vector hits are
// synthetic.
func BenchmarkRun(b *testing.B) {
	p, all := library(b)
	r := rand.New(rand.NewPCG(1, 2))
	for range maxCandidates {
		c := all[r.IntN(len(all))]
		p.vectors = append(p.vectors, near(c, r.Float64()))
	}
	slices.SortFunc(p.vectors, func(a, b store.VectorHit) int { return cmp.Compare(b.Score, a.Score) })
	for name, query := range map[string]string{
		"sentence": "how does the http server close idle connections", "symbol": "ServeHTTP",
		"message":  "invalid memory address or nil pointer dereference",
		"misspelt": "garbage colector writebarier", "path": "net/http/server.go", "common": "return the value of the type",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportMetric(float64(len(all)), "chunks")
			for b.Loop() {
				_, err := Run(b.Context(), stored{p}, Request{
					Query: api.Query{Text: query, TopK: 10, Corpus: api.CorpusCode}, Coverage: 1, Embedder: embedder{},
					Allowed: func(string) bool { return true }, Log: slog.New(slog.DiscardHandler),
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

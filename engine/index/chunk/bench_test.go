package chunk

import (
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
)

// BenchmarkGo measures MB/s of one core on Go's own packages net/http and go/types.
func BenchmarkGo(b *testing.B) {
	var files [][]byte
	var size int64
	for _, path := range goSource(b) {
		dir := filepath.Dir(path)
		if filepath.Ext(path) == ".go" && (filepath.Base(dir) == "http" || filepath.Base(dir) == "types") {
			data, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			files = append(files, data)
			size += int64(len(data))
		}
	}
	c := newChunker()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range files {
			if _, _, err := c.Chunk(b.Context(), "x.go", api.CorpusCode, data, "hash"); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkSplitter measures MB/s of the recursive splitter.
func BenchmarkSplitter(b *testing.B) {
	data := []byte(numbered(20000, "\n"))
	c := newChunker()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, _, err := c.Chunk(b.Context(), "x.unknown", api.CorpusCode, data, "hash"); err != nil {
			b.Fatal(err)
		}
	}
}

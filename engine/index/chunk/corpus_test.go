package chunk

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// goSource lists the Go installation's source, about 8,000 files of many languages. SEARCH_MCP_TEST_CORPUS names
// another folder.
func goSource(t testing.TB) []string {
	t.Helper()
	root := os.Getenv("SEARCH_MCP_TEST_CORPUS")
	if root == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		root = filepath.Join(strings.TrimSpace(string(out)), "src")
	}
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() <= 2<<20 {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestRealSource cuts real files on several goroutines.
func TestRealSource(t *testing.T) {
	files := goSource(t)
	step := max(1, len(files)/3500)
	if testing.Short() {
		step *= 10
	}
	c := newChunker()
	var done, next, oversized, chunks atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				i := int(next.Add(1)-1) * step
				if i >= len(files) || t.Failed() {
					return
				}
				data, err := os.ReadFile(files[i])
				if err != nil {
					continue
				}
				out, info, err := c.Chunk(t.Context(), files[i], corpusOf(files[i]), data, "hash")
				if err != nil {
					t.Error(err)
					return
				}
				done.Add(1)
				if err := cover(data, out, info); err != nil {
					t.Errorf("%s: %v", files[i], err)
				}
				for _, ch := range out {
					chunks.Add(1)
					if utf8.RuneCountInString(ch.Text) > limitsOf(corpusOf(files[i])).size {
						oversized.Add(1)
					}
				}
			}
		})
	}
	wg.Wait()
	if want := len(files) / step; int(done.Load()) < want*9/10 && !t.Failed() {
		t.Errorf("%d of %d files were read", done.Load(), want)
	}
	if n := oversized.Load(); n > 0 {
		t.Errorf("%d of %d chunks are over the limit", n, chunks.Load())
	}
	t.Logf("%d files, %d chunks", done.Load(), chunks.Load())
}

func corpusOf(path string) api.Corpus {
	switch filepath.Ext(path) {
	case ".md", ".txt":
		return api.CorpusDocs
	}
	return api.CorpusCode
}

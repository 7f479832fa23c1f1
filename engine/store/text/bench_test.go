package text

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// sources reads Go files of the toolchain up to a number of bytes, cut into chunks of 1,500 characters.
func sources(tb testing.TB, limit int) (rows []api.Chunk, bytes int) {
	tb.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skip("no Go toolchain on this machine: ", err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || bytes >= limit {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rows = append(rows, cut(filepath.ToSlash(rel), string(data))...)
		bytes += len(data)
		return nil
	})
	if err != nil {
		tb.Skip("no Go sources on this machine: ", err)
	}
	return rows, bytes
}

func cut(path, text string) []api.Chunk {
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	var out []api.Chunk
	line := 1
	for n := 0; len(text) > 0; n++ {
		end := min(1500, len(text))
		if i := strings.LastIndexByte(text[:end], '\n'); i > 0 {
			end = i + 1
		}
		part := text[:end]
		text = text[end:]
		lines := strings.Count(part, "\n")
		out = append(out, api.Chunk{
			ID: testID(path, hash, n), Path: path, Text: part, StartLine: line, EndLine: line + max(0, lines-1),
			ContentHash: hash, Ordinal: n, Language: "go",
		})
		line += lines
	}
	return out
}

func testID(path, hash string, n int) string {
	s := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", path, hash, n))
	h := hex.EncodeToString(s[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func diskSize(tb testing.TB, dir string) int64 {
	tb.Helper()
	var n int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

func BenchmarkApply(b *testing.B) {
	rows, bytes := sources(b, 24<<20)
	b.ReportAllocs()
	b.SetBytes(int64(bytes))
	for b.Loop() {
		dir := b.TempDir()
		x, err := Open(b.Context(), dir)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < len(rows); i += 1000 {
			if err := x.Apply(b.Context(), Change{Rows: rows[i:min(len(rows), i+1000)]}); err != nil {
				b.Fatal(err)
			}
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(diskSize(b, dir))/float64(bytes), "disk/text")
	}
	b.ReportMetric(float64(len(rows)), "chunks")
}

func BenchmarkAnalyse(b *testing.B) {
	rows, bytes := sources(b, 8<<20)
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		var a Tokenizer
		for _, r := range rows {
			newUnits(&a, []api.Chunk{r})
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	rows, _ := sources(b, 60<<20)
	x, err := Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	for i := 0; i < len(rows); i += 1000 {
		if err := x.Apply(b.Context(), Change{Rows: rows[i:min(len(rows), i+1000)]}); err != nil {
			b.Fatal(err)
		}
	}
	for _, q := range []string{"http server timeout", "ReadAll", "how is a goroutine parked while it waits",
		"func error return string"} {
		b.Run(strings.ReplaceAll(q, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Search(b.Context(), Query{Terms: Terms(q), K: 150}, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(rows)), "chunks")
		})
	}
}

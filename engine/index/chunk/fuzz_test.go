package chunk

import (
	"os"
	"path/filepath"
	"sort"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
)

// fuzzNames returns a file name for each language with a grammar or rules, so that one fuzzer reaches all of them.
func fuzzNames() []string {
	var out []string
	for _, name := range lang.Names() {
		if lang.Of(name).Rules == nil && !lang.Of(name).ByLines() && lang.Of(name).Headings == lang.NoHeadings {
			continue
		}
		for _, ext := range lang.Of(name).Extensions {
			out = append(out, "f."+ext)
		}
	}
	sort.Strings(out)
	return out
}

// FuzzChunk cuts random data as any language.
func FuzzChunk(f *testing.F) {
	names := fuzzNames()
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures: ", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(f, err)
		at := sort.SearchStrings(names, "f"+filepath.Ext(file))
		// Longer than a whole-file chunk, so that the rules are applied.
		f.Add(uint16(at%len(names)), append(append(data, '\n'), data...))
	}
	c := newChunker()
	f.Fuzz(func(t *testing.T, pick uint16, data []byte) {
		name := names[int(pick)%len(names)]
		for _, corpus := range api.Corpora {
			chunks, info, err := c.Chunk(t.Context(), name, corpus, data, "hash")
			must(t, err)
			checkCover(t, name, data, chunks, info)
		}
	})
}

package chunk

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares a file's chunks (lines, size, breadcrumb, symbols, first line) and definitions for each language.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) < 18 {
		t.Fatalf("%d fixtures: %v", len(files), err)
	}
	c := newChunker()
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			must(t, err)
			corpus := api.CorpusCode
			if lang.Of(lang.OfFile(name, data)).Headings != lang.NoHeadings {
				corpus = api.CorpusDocs
			}
			chunks, info := chunkFile(t, c, name, corpus, string(data))
			if info.Errors || info.Reason != ReasonNone {
				t.Errorf("the fixture does not parse: %+v", info)
			}
			golden := filepath.Join("testdata", "golden", name+".golden")
			got := render(info, chunks) + renderDefs(t, name, data)
			if *update {
				must(t, os.WriteFile(golden, []byte(got), 0o600))
			}
			want, err := os.ReadFile(golden)
			must(t, err)
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("chunks differ (-want +got):\n%s", d)
			}
		})
	}
}

func render(info Info, chunks []api.Chunk) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s\n", info.Language, info.Method)
	for _, c := range chunks {
		head, _, _ := strings.Cut(strings.TrimSpace(c.Text), "\n")
		fmt.Fprintf(&b, "%d-%d [%s] {%s} %.60s\n", c.StartLine, c.EndLine, strings.Join(c.Breadcrumb, " > "),
			strings.Join(c.Symbols, " "), strings.TrimSpace(head))
	}
	return b.String()
}

// renderDefs lists definitions with their place, path, and whether they are symbols.
func renderDefs(t *testing.T, name string, data []byte) string {
	t.Helper()
	src, _ := newSource(data)
	var defs []def
	switch language := lang.OfFile(name, data); {
	case lang.Of(language).Rules != nil:
		defs = syntaxDefs(t, src, mustGrammar(t, language))
	case lang.Of(language).ByLines():
		b := newBlocks(src, lang.Of(language))
		root := &item{last: src.lines() - 1, expanded: true}
		root.kids = b.items(0, src.lines()-1)
		b.walk(root, blockPosition{})
		defs = b.defs
	}
	var b strings.Builder
	for _, d := range defs {
		kind := "value"
		switch {
		case d.crumb && d.symbol:
			kind = "def"
		case d.crumb:
			kind = "place"
		}
		fmt.Fprintf(&b, "%s%s %s %d-%d\n", strings.Repeat("  ", d.depth+1), kind, strings.Join(d.path(),
			"."), d.top+1, d.last+1)
	}
	return b.String()
}

func syntaxDefs(t *testing.T, src *source, g *grammar) []def {
	t.Helper()
	var defs []def
	withTree(t, src, g, func(s *syntax, root *item) {
		s.walk(root, walkPosition{})
		defs = s.defs
	})
	return defs
}

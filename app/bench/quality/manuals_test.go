package quality

import (
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// TestParagraphs checks that code, headings, lists and short paragraphs are excluded.
func TestParagraphs(t *testing.T) {
	long := strings.Repeat("Several words that stand beside others. ", 3)
	x := &Index{files: map[string]string{"a.md": "# Title of this\n\n" + long + "\n" + long +
		"\n\n- " + long + "\n\nShort.\n\n```\n" + long + "\n```\n\n" + long + "\n", "b.txt": long + "\n"},
		paths: map[api.Corpus][]string{api.CorpusDocs: {"a.md", "b.txt"}}}
	var got [][2]int
	for _, p := range x.paragraphs() {
		got = append(got, [2]int{p.first, p.last})
	}
	if len(got) != 2 || got[0] != [2]int{3, 4} || got[1] != [2]int{14, 14} {
		t.Errorf("paragraphs at %v", got)
	}
}

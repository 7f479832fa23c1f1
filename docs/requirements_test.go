package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	chapter   = regexp.MustCompile(`(?m)^#{2,4} (?:(RFC (?:\d[\d.]*|Appendix \w)) )?(.*)$`)
	assertion = regexp.MustCompile(`^([a-z0-9/-]+)\.((?:Test|Fuzz)[A-Z]\w*)$`)
)

// withoutBehaviour lists sections without testable requirements, with the reasons.
var withoutBehaviour = map[string]string{
	"RFC 2": "a picture of the parts", "RFC 3": "its sections have it", "RFC 5": "its sections have it",
	"RFC 6": "its sections have it", "RFC 7": "its sections have it", "RFC 8": "libraries",
	"RFC 11": "figures, in BENCHMARKS.md", "Requirements": "the table itself",
}

// TestRequirements checks that each row of the table has a section, a sentence and existing tests, and each section of
// the specification a row.
func TestRequirements(t *testing.T) {
	table, err := os.ReadFile("requirements.tsv")
	must(t, err)
	sections := map[string]bool{"Requirements": true}
	for _, m := range chapter.FindAllStringSubmatch(pages(t)["specification.md"].text, -1) {
		name := m[1]
		if name == "" {
			name, _, _ = strings.Cut(m[2], " a call") // "Which project a call means"
		}
		sections[name] = false
	}
	tests := map[string]string{} // source of the tests by folder
	exists := func(folder, test string) bool {
		if _, read := tests[folder]; !read {
			files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go"))
			must(t, err)
			for _, file := range files {
				source, err := os.ReadFile(file)
				must(t, err)
				tests[folder] += string(source)
			}
		}
		return strings.Contains(tests[folder], "\nfunc "+test+"(")
	}
	said := map[string]bool{}
	_, rows, _ := strings.Cut(string(table), "\n")
	for row := range strings.Lines(rows) {
		cells := append(strings.Split(strings.TrimRight(row, "\n"), "\t"), "", "")
		section, sentence := cells[0], cells[1]
		if _, known := sections[section]; !known {
			t.Errorf("%s is no section", section)
		}
		sections[section] = true
		if !strings.HasSuffix(sentence, ".") || said[sentence] && section != "Sites" {
			t.Errorf("%s is no sentence, or a repetition", sentence)
		}
		said[sentence] = true
		for cited := range strings.SplitSeq(cells[2], ", ") {
			if m := assertion.FindStringSubmatch(cited); m == nil || !exists(m[1], m[2]) {
				t.Errorf("%s has no test: %s", sentence, cited)
			}
		}
	}
	for name, met := range sections {
		if _, none := withoutBehaviour[name]; !met && !none {
			t.Errorf("%s has no requirement", name)
		}
	}
	if len(said) < 100 {
		t.Errorf("%d requirements, fewer than the specification has", len(said))
	}
}

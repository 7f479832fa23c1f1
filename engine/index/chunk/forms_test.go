package chunk

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/lang"
)

// marked matches the names that a line of a form defines, at the line's end.
var marked = regexp.MustCompile(`(?m) «[^»]*»$`)

// TestForms compares the names that each line of the files in testdata/forms defines with the names in the marks at its
// end. A file begins with "== path: form".
func TestForms(t *testing.T) {
	files, err := filepath.Glob("testdata/forms/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no forms: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		var out strings.Builder
		for form := range strings.SplitSeq(strings.TrimPrefix(string(data), "== "), "\n== ") {
			title, want, _ := strings.Cut(form, "\n")
			path, _, _ := strings.Cut(title, ": ")
			got := withNames(t, path, marked.ReplaceAllString(strings.TrimSuffix(want, "\n"), "")+"\n")
			out.WriteString("== " + title + "\n" + strings.TrimSuffix(got, "\n") + "\n")
			if d := cmp.Diff(strings.TrimSuffix(want, "\n"), strings.TrimSuffix(got, "\n")); d != "" && !*update {
				t.Errorf("%s (-want +got):\n%s", title, d)
			}
		}
		if *update {
			must(t, os.WriteFile(file, []byte(out.String()), 0o600))
		}
	}
}

// withNames appends the names of symbols to the lines that define them.
func withNames(t *testing.T, path, text string) string {
	t.Helper()
	trees := NewTrees(treesitter.Parse)
	language := lang.OfFile(path, []byte(text))
	d := Plain(language, text)
	if HasGrammar(language) {
		f := File{Language: language, Text: text}
		tree, err := trees.Tree(t.Context(), f)
		must(t, err)
		d, err = trees.Document(f, tree)
		must(t, err)
		defer d.Close()
	}
	lines := strings.Split(text, "\n")
	names := make([][]string, len(lines))
	definitions := slices.Clone(d.Definitions)
	slices.SortStableFunc(definitions, func(a, b Definition) int { return a.At - b.At })
	for _, m := range definitions {
		if !m.Container && m.Name != "" {
			n := d.LineAt(m.At) - 1
			names[n] = append(names[n], strings.ReplaceAll(m.Name, " ", "·"))
		}
	}
	for i := range lines {
		if len(names[i]) > 0 {
			lines[i] += " «" + strings.Join(names[i], " ") + "»"
		}
	}
	return strings.Join(lines, "\n")
}

// Package docs contains the documentation and its tests, which check links, pictures and command lines. It starts no
// goroutine.
package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the top of the repository.
const root = ".."

type page struct {
	path string // relative to this folder
	text string
}

// generated reports whether a program with its own test generates the page from the code.
func (p page) generated() bool {
	return strings.HasPrefix(p.path, "reference"+string(filepath.Separator))
}

// pages returns the documentation: every Markdown file except test data and build output.
func pages(t *testing.T) map[string]page {
	t.Helper()
	out := map[string]page{}
	walk(t, ".md", func(path, text string) {
		rel, err := filepath.Rel("docs", path)
		must(t, err)
		out[rel] = page{path: rel, text: text}
	})
	if len(out) < 10 {
		t.Fatalf("%d pages", len(out))
	}
	return out
}

// walk calls visit for the repository's files whose names end with ending.
func walk(t *testing.T, ending string, visit func(path, text string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if foreign := d.Name() == "dist" || d.Name() == "bin" || d.Name() == "testdata" ||
				d.Name() == "node_modules"; foreign || path != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ending):
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		if err == nil {
			visit(path, string(text))
		}
		return err
	})
	must(t, err)
}

var (
	fenced   = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	indented = regexp.MustCompile(`^(?: {4}|\t)`)
	span     = regexp.MustCompile("`([^`\n]+)`")
)

// code returns the lines of code blocks and the code spans of a page. A block is fenced, or indented by four after an
// empty line.
func (p page) code() (lines, spans []string) {
	fence, block, before := false, false, ""
	for line := range strings.Lines(p.text) {
		line = strings.TrimRight(line, "\n")
		marker := strings.HasPrefix(strings.TrimSpace(line), "```")
		block = !fence && indented.MatchString(line) && (block || strings.TrimSpace(before) == "")
		switch {
		case marker:
			fence = !fence
		case fence || block:
			lines = append(lines, strings.TrimSpace(line))
		default:
			for _, m := range span.FindAllStringSubmatch(line, -1) {
				spans = append(spans, m[1])
			}
		}
		before = line
	}
	return lines, spans
}

// must fails the test if err is not nil.
func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

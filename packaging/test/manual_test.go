package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// checkDocumentation checks that the package contains the guides, and that their links and pictures are files of the
// package.
func checkDocumentation(t *testing.T, dist string) {
	doc := filepath.Join(dist, "build", "stage-linux-amd64", "share", "doc", "search-mcp")

	link := regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)\s]*)?\)`)
	code := regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]*`")
	read, links := 0, 0
	err := filepath.WalkDir(doc, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %s is not in the package", strings.TrimPrefix(path, doc), m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 10 || links < 50 {
		t.Errorf("%d pages with %d links", read, links)
	}
}

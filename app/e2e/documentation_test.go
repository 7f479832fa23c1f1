package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// patternOf returns the pattern of a row of docs/reference/files.md.
var patternOf = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// TestFilesAreDocumented checks that the reference lists every file of a used data folder.
func TestFilesAreDocumented(t *testing.T) {
	t.Parallel()
	page := must(os.ReadFile(filepath.Join(top, "docs", "reference", "files.md")))
	w := newWorld(t)
	root := w.copyGo("project", "container/ring")
	w.write(filepath.Join(root, "docs", "guide.md"), "# Guide\n\nHow to.\n")
	w.write(filepath.Join(w.home, "my.json"), fmt.Sprintf(siteIndex, "mysite"))
	w.mustCLI("index", root, "--yes")
	w.mustCLI("site", "add", "my.json")
	w.mustCLI("archive", "import", filepath.Join(root, "docs"))
	w.mustCLI("settings", "set", "activity", "false")
	w.mustCLI("search", "--project", root, "ring")
	var named []string
	for _, m := range patternOf.FindAllStringSubmatch(string(page), -1) {
		named = append(named, m[1])
	}
	files := 0
	err := filepath.WalkDir(w.data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		rel, err := filepath.Rel(w.data, path)
		if err == nil && !slices.ContainsFunc(named, func(p string) bool {
			return doublestar.MatchUnvalidated(p, filepath.ToSlash(rel))
		}) {
			t.Errorf("%s is not in docs/reference/files.md", rel)
		}
		return err
	})
	if err != nil || files < 20 {
		t.Errorf("%d files, %v", files, err)
	}
}

package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// A file that appeared while the app did not run is found by the first call, or the answer reports that the comparison
// of the files has not ended.
func TestFirstCallAfterStart(t *testing.T) {
	t.Parallel()
	data, root := t.TempDir(), tree(t, map[string]string{"a.go": "package a\n\nfunc Old() {}\n"})
	e := open(t, data)
	create(t, e, root)
	must(t, e.Close(t.Context()))
	must(t, os.WriteFile(filepath.Join(root, "b.go"), []byte("package a\n\nfunc New() {}\n"), 0o600))
	e = open(t, data)
	r, err := e.Grep(t.Context(), []string{root}, api.GrepQuery{Pattern: "New"})
	must(t, err)
	starting := func(note string) bool { return strings.HasPrefix(note, "Search MCP has just started") }
	if slices.ContainsFunc(r.Notes, starting) != (r.Total == 0) {
		t.Errorf("%d matches, notes %q", r.Total, r.Notes)
	}
}

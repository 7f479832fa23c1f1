package scope

import (
	"slices"
	"testing"

	"searchmcp/engine/api"
)

func TestFolderPrefixes(t *testing.T) {
	got := prefixed([]string{"/a/docs", "/b/docs", "/c/Docs", "/d/lib"})
	want := []api.DocumentFolder{{Root: "/a/docs"}, {Root: "/b/docs", Prefix: "@docs/"},
		{Root: "/c/Docs", Prefix: "@Docs-2/"}, {Root: "/d/lib", Prefix: "@lib/"}}
	if !slices.Equal(got, want) {
		t.Error(got)
	}
}

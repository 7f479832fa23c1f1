package sources

import (
	"testing"

	"searchmcp/engine/api"
)

func TestFolderOfName(t *testing.T) {
	folders := []api.DocumentFolder{{Root: "/a"}, {Root: "/b", Prefix: "@lib/"}}
	for name, want := range map[string][2]string{
		"x.md": {"/a", "x.md"}, "@lib/x.md": {"/b", "x.md"}, "@LIB/x.md": {"/b", "x.md"},
		"@other/x.md": {"/a", "@other/x.md"}, "@lib/": {"/a", "@lib/"},
	} {
		if f, key, ok := folderOfDocument(folders, name); !ok || f.Root != want[0] || key != want[1] {
			t.Errorf("%s: %s %s %v", name, f.Root, key, ok)
		}
	}
	if _, _, ok := folderOfDocument(nil, "x.md"); ok {
		t.Error("a folder where there is none")
	}
}

package index_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"

	"searchmcp/engine/api"
)

// A file locked by an editor keeps its old rows and is listed. Its new content is found soon after the editor unlocks
// it.
func TestLockedFile(t *testing.T) {
	f := project(t, shop, nil).run()
	f.build()
	f.write("pay/charge.go", "package pay\n\n// Charge costs nothing.\n")
	name, err := windows.UTF16PtrFromString(filepath.Join(f.root, `pay\charge.go`))
	must(t, err)
	const alone = 0 // without sharing
	editor, err := windows.CreateFile(name, windows.GENERIC_READ, alone, nil, windows.OPEN_EXISTING, 0, 0)
	must(t, err)
	f.changed("pay/charge.go", "pay/refund.go")
	wantEqual(t, f.has("pay/charge.go", "Charge takes money"), true, "the indexed text is missing")
	if _, err := f.ReindexFile(t.Context(), "pay/charge.go"); api.CodeOf(err) != api.PermissionDenied {
		t.Errorf("reindex of a file that is held: %v", err)
	}
	wantEqual(t, f.Snapshot().Skipped[api.SkipUnreadable], 1, "skipped")
	must(t, windows.CloseHandle(editor))
	f.await(func(p api.Project) bool { return p.Skipped[api.SkipUnreadable] == 0 })
	wantEqual(t, f.has("pay/charge.go", "Charge costs nothing"), true, "the new content is not found")
}

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
	if !f.has("pay/charge.go", "Charge takes money") {
		t.Error("the indexed text is missing")
	}
	if _, err := f.ReindexFile(t.Context(), "pay/charge.go"); api.CodeOf(err) != api.PermissionDenied {
		t.Errorf("reindex of a file that is held: %v", err)
	}
	if n := f.Snapshot().Skipped[api.SkipUnreadable]; n != 1 {
		t.Errorf("%d files are reported as unreadable", n)
	}
	must(t, windows.CloseHandle(editor))
	f.await(func(p api.Project) bool { return p.Skipped[api.SkipUnreadable] == 0 })
	if !f.has("pay/charge.go", "Charge costs nothing") {
		t.Error("the new content is not found")
	}
}

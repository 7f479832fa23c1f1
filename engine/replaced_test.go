package engine

import (
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
)

// An approval applies only to the folder in the question. If it has been replaced or removed, no action is taken.
func TestReplacedFolder(t *testing.T) {
	t.Parallel()
	base, err := scan.CanonicalRoot(t.TempDir())
	must(t, err)
	above := filepath.Join(base, "above")
	root, other := filepath.Join(above, "p"), filepath.Join(base, "other", "p")
	write(t, filepath.Join(root, "mine.go"), "package mine\n\nfunc Mine() {}\n")
	write(t, filepath.Join(other, "theirs.go"), "package theirs\n\nfunc Theirs() {}\n")
	e := open(t, t.TempDir())
	away := filepath.Join(base, "away")
	for name, replace := range map[string]func() error{
		"folder": func() error { return os.CopyFS(above, os.DirFS(filepath.Join(base, "other"))) },
		"link":   func() error { return os.Symlink(filepath.Join(base, "other"), above) },
		"file":   func() error { return os.WriteFile(above, nil, 0o600) },
		"none":   func() error { return nil },
	} {
		create(t, e, root)
		asked := api.Approval{Answer: api.Accept, Folder: e.Identify(root)}
		if asked.Folder == nil {
			t.Fatal("a folder has no identity")
		}
		must(t, os.Rename(above, away))
		if err := replace(); err != nil {
			if name != "link" || os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Log("no link:", err) // Windows allows links to few users
		}
		for action, act := range map[api.Action]func() error{
			api.ActionCreate:  func() error { _, err := e.Create(t.Context(), root, asked); return err },
			api.ActionReindex: func() error { _, err := e.Reindex(t.Context(), root, asked); return err },
			api.ActionDelete:  func() error { return e.Delete(t.Context(), root, asked) },
		} {
			if err := act(); api.CodeOf(err) != api.ConfirmationRequired {
				t.Errorf("%s, %s: %v", name, action, err)
			}
		}
		must(t, os.RemoveAll(above))
		must(t, os.Rename(away, above))
		if err := e.Delete(t.Context(), root, asked); err != nil { // the same folder, moved back
			t.Errorf("%s: %v", name, err)
		}
	}
}

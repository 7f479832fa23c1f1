package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
)

// Skipped files are updated without a full scan.
func TestOmissionsAreCountedAndListed(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(t.TempDir(), "closed")
	write(t, closed, "x")
	must(t, os.Chmod(closed, 0))
	_, readable := os.ReadFile(closed)
	everything := readable == nil // root can read it
	root := tree(t, map[string]string{
		"main.go": "package main\n", "logo.png": "\x89PNG", ".env": "A=1", "node_modules/x/index.js": "x",
		"long.txt": strings.Repeat(strings.Repeat("x", 7995)+"\n", 1100), // one token per line
		"old.txt":  "half \x00 a \x81\x8d\x8f\x90\x9d file of no encoding\n",
	})
	data := t.TempDir()
	e := open(t, data)
	write(t, filepath.Join(data, files.ConfigName), `{"maxFileSize": "20MB"}`)
	create(t, e, root)
	now := func() api.Project { return status(t, e, root) }
	skipped := func(reason api.Reason, names ...string) func() bool {
		return func() bool {
			p := now()
			return p.Skipped[reason] == len(names) && slices.Equal(p.Examples[reason], names)
		}
	}
	if p := now(); p.PartialFiles != 1 || p.Partial[0].Path != "long.txt" || p.Partial[0].CutFrom == 0 {
		t.Fatalf("indexed in part: %+v", p.Partial)
	}
	eventually(t, e, "watching", func() bool { return now().WatcherActive })
	for name, text := range map[string]string{"new.png": "\x89PNG", "x.pem": "key", ".env.local": "B=2",
		"dist/out.js": "x", "blob.txt": "a\x00b"} {
		write(t, filepath.Join(root, name), text)
	}
	eventually(t, e, "new ones counted", skipped(api.SkipDenied, ".env", ".env.local", "dist", "node_modules", "x.pem"))
	eventually(t, e, "new binaries counted", skipped(api.SkipBinary, "blob.txt", "logo.png", "new.png", "old.txt"))
	for _, name := range []string{"x.pem", ".env", "dist", "blob.txt", "logo.png"} {
		must(t, os.RemoveAll(filepath.Join(root, name)))
	}
	eventually(t, e, "removed ones not counted", skipped(api.SkipDenied, ".env.local", "node_modules"))
	eventually(t, e, "removed binaries not counted", skipped(api.SkipBinary, "new.png", "old.txt"))
	if !everything {
		secret := filepath.Join(root, "closed.go")
		write(t, secret, "package main // closed\n")
		must(t, os.Chmod(secret, 0))
		eventually(t, e, "unreadable file named", skipped(api.SkipUnreadable, "closed.go"))
		if n := now().Notices; len(n) != 1 || n[0].Code != api.PermissionDenied ||
			n[0].DeveloperMessage != "PERMISSION_DENIED: EACCES reading closed.go" {
			t.Errorf("%+v", n)
		}
		must(t, os.Chmod(secret, 0o600))
		eventually(t, e, "readable again", skipped(api.SkipUnreadable))
	}

	closeEngine(t, e)
	e = open(t, data)
	if p := now(); p.PartialFiles != 1 {
		t.Errorf("after a restart: %+v", p.Partial)
	}
	write(t, filepath.Join(root, "long.txt"), "short now\n")
	eventually(t, e, "indexed as a whole", func() bool { return now().PartialFiles == 0 })
}

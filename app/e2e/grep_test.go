package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestGrep checks that grep_code lists lines with their declarations, reads files as they are now, and neither matches
// nor shows excluded files and masked text. The command has grep's format and exit codes.
func TestGrep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{
		"go.mod":    "module zoo\n",
		"zoo.go":    "package zoo\n\n// Feed feeds a wombat.\nfunc (z Zoo) Feed() {\n\tz.wombat++\n}\n",
		"README.md": "# Zoo\n\nA wombat digs.\n",
		"key.go":    "package zoo\n\nvar key = \"AKIA" + "Z7Q3NWX2TLPE5RUV\" // wombat key\n",
		".env":      "wombat=1\n",
	})
	e := w.indexed(root)
	grep := func(args map[string]any, parts ...string) {
		t.Helper()
		text, _ := e.text("grep_code", args)
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("no %q in %s", part, text)
			}
		}
		if strings.Contains(text, "AKIA") || strings.Contains(text, ".env") {
			t.Errorf("a secret in %s", text)
		}
	}
	grep(map[string]any{"pattern": "wom[b]at"}, "zoo.go\n Zoo.Feed 3-6\n3: // Feed feeds a wombat.\n5: \tz.wombat++\n",
		"3: A wombat digs.", `3: var key = "«[secret: AWS key]»" // wombat key`, "4 matching lines in 3 files.")
	grep(map[string]any{"pattern": `"(AKIA|x)`}, "No line of 4 files matches.")
	w.wantCLI(0, "zoo.go:5:2:", "grep", "-i", "-F", "Z.WOMBAT++", "--project", root)
	w.wantCLI(1, "", "grep", "platypus", "--project", root)
	w.mustCLI("pause", "--project", root) // the change is not indexed
	w.write(filepath.Join(root, "zoo.go"), "package zoo\n\nfunc Quokka() {}\n")
	grep(map[string]any{"pattern": "quokka|wombat", "ignore_case": true, "path": "zoo.go"}, "3: func Quokka() {}",
		"1 matching line in 1 file.")
}

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// grepped is the part of grep_code's answer that the tests read.
type grepped struct {
	Files []struct {
		Path   string
		Hits   int
		Groups []struct {
			In    string
			Lines []string
		}
	}
	TotalHits, TotalFiles int
}

func (g grepped) String() string {
	var out []string
	for _, f := range g.Files {
		for _, d := range f.Groups {
			for _, l := range d.Lines {
				out = append(out, f.Path+" "+d.In+" "+l)
			}
		}
	}
	return strings.Join(out, "\n")
}

// TestGrep checks that grep_code lists every line of code and documentation with its declaration, code first. It reads
// files as they are now, and neither matches nor shows excluded files and masked text. The command has grep's format
// and exit codes.
func TestGrep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{
		"go.mod":           "module zoo\n",
		"zoo.go":           "package zoo\n\n// Feed feeds a wombat.\nfunc (z Zoo) Feed() {\n\tz.wombat++\n}\n",
		"zoo_test.go":      "package zoo\n\nfunc TestFeed() { wombat() }\n",
		"third_party/a.go": "package a\n\nvar wombat = 1\n",
		"README.md":        "# Zoo\n\nA wombat digs.\n",
		"key.go":           "package zoo\n\nvar key = \"AKIA" + "Z7Q3NWX2TLPE5RUV\" // wombat key\n",
		".env":             "wombat=1\n",
		"many.py":          strings.Repeat("# quoll\n", 50),
	})
	e := w.indexed(root)
	all := "key.go key 3: var key = \"«[secret: AWS key]»\" // wombat key\nzoo.go Zoo.Feed 3: // Feed feeds a wombat.\n" +
		"zoo.go Zoo.Feed 5: \tz.wombat++\nREADME.md Zoo 3: A wombat digs.\n" +
		"zoo_test.go TestFeed 3: func TestFeed() { wombat() }\nthird_party/a.go wombat 3: var wombat = 1"
	for _, test := range []struct {
		pattern string
		hits    int
		lines   string // "" for any
	}{
		{"wom[b]at", 6, all}, {"AKIA", 0, ""}, {`key = "[A-Z]`, 0, ""}, {`key = "[a-z]`, 0, ""}, {`key = ".{20}"`, 0, ""},
		{`"(AKIA|x)`, 0, ""}, {"secret: AWS", 0, ""}, {`key = ".+"`, 1, ""},
	} {
		var g grepped
		if e.call("grep_code", map[string]any{"pattern": test.pattern}, &g); g.TotalHits != test.hits ||
			test.lines != "" && g.String() != test.lines || strings.Contains(g.String(), "AKIA") {
			t.Errorf("%s: %d hits, want %d:\n%s", test.pattern, g.TotalHits, test.hits, g)
		}
	}
	var g grepped
	if e.call("grep_code", map[string]any{"pattern": "quoll", "limit": 30}, &g); g.TotalHits != 50 ||
		strings.Count(g.String(), "quoll") != 30 || g.Files[0].Hits != 50 {
		t.Errorf("%d hits in %d files:\n%s", g.TotalHits, g.TotalFiles, g)
	}
	text, failed := e.text("grep_code", map[string]any{"pattern": "wombat("})
	if !failed || !strings.Contains(text, string(api.InvalidArgument)) || !strings.Contains(text, "missing closing )") {
		t.Error(text)
	}
	if e.call("grep_code", map[string]any{"pattern": "wombat()", "literal": true}, &g); g.TotalHits != 1 {
		t.Error(g)
	}
	text, _ = e.text("outline", map[string]any{"path": "zoo.go", "line": 5})
	if text != "zoo.go:3-6 Zoo.Feed\n3\t// Feed feeds a wombat.\n4\tfunc (z Zoo) Feed() {\n5\t\tz.wombat++\n6\t}" {
		t.Errorf("the function around the hit: %q", text)
	}

	w.wantCLI(0, "zoo.go:5:2:", "grep", "-i", "-F", "Z.WOMBAT++", "--project", root)
	var r api.GrepResults
	decode(t, w.mustCLI("grep", "wombat", "--lang", "go", "--path", "zoo*.go", "--json", "--project", root), &r)
	if r.Total != 3 || r.Files[0].Hits[0].In != "Zoo.Feed" {
		t.Errorf("%+v", r)
	}
	if out, code := w.cli("grep", "platypus", "--project", root); code != 1 {
		t.Errorf("exit code %d: %s", code, out)
	}

	w.mustCLI("pause", "--project", root) // the change is not indexed
	w.write(filepath.Join(root, "zoo.go"), "package zoo\n\nfunc Quokka() {}\n")
	e.call("grep_code", map[string]any{"pattern": "quokka|wombat", "ignore_case": true, "path": "zoo.go"}, &g)
	if g.String() != "zoo.go Quokka 3: func Quokka() {}" {
		t.Error(g)
	}
}

package e2e

import (
	"encoding/json"
	"fmt"
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

// grepProject is a folder with the word wombat in code, documentation, tests, copies, a secret and an ignored file.
func (w *world) grepProject() string {
	return w.folder(map[string]string{
		"go.mod":           "module zoo\n",
		"zoo.go":           "package zoo\n\n// Feed feeds a wombat.\nfunc (z Zoo) Feed() {\n\tz.wombat++\n}\n",
		"zoo_test.go":      "package zoo\n\nfunc TestFeed() { wombat() }\n",
		"third_party/a.go": "package a\n\nvar wombat = 1\n",
		"README.md":        "# Zoo\n\nA wombat digs.\n",
		"key.go":           "package zoo\n\nvar key = \"AKIA" + "Z7Q3NWX2TLPE5RUV\" // wombat key\n",
		".env":             "wombat=1\n",
	})
}

// TestGrepListsEveryLine: every line of code and documentation, with its declaration, code first, and none of excluded
// files.
func TestGrepListsEveryLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.connect(w.grepProject())
	e.call("create_index", nil, nil)
	var g grepped
	e.call("grep_code", map[string]any{"pattern": `wom[b]at`}, &g)
	want := "key.go key 3: var key = \"«[secret: AWS key]»\" // wombat key\nzoo.go Zoo.Feed 3: // Feed feeds a wombat.\n" +
		"zoo.go Zoo.Feed 5: \tz.wombat++\nREADME.md Zoo 3: A wombat digs.\n" +
		"zoo_test.go TestFeed 3: func TestFeed() { wombat() }\nthird_party/a.go wombat 3: var wombat = 1"
	if g.String() != want || g.TotalHits != 6 || g.TotalFiles != 5 {
		t.Errorf("%d hits:\n%s\nwant\n%s", g.TotalHits, g, want)
	}
	text, _ := e.text("outline", map[string]any{"path": "zoo.go", "line": 5})
	if text != "zoo.go:3-6 Zoo.Feed\n3\t// Feed feeds a wombat.\n4\tfunc (z Zoo) Feed() {\n5\t\tz.wombat++\n6\t}" {
		t.Errorf("the function around the hit: %q", text)
	}
}

// TestGrepReadsFilesAsTheyAre: a change that is not indexed yet is found.
func TestGrepReadsFilesAsTheyAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.grepProject()
	e := w.connect(root)
	e.call("create_index", nil, nil)
	w.mustCLI("pause", "--project", root)
	w.write(filepath.Join(root, "zoo.go"), "package zoo\n\nfunc Quokka() {}\n")
	var g grepped
	e.call("grep_code", map[string]any{"pattern": "quokka|wombat", "ignore_case": true, "path": "zoo.go"}, &g)
	if g.String() != "zoo.go Quokka 3: func Quokka() {}" {
		t.Error(g)
	}
}

// TestGrepFindsNoSecret: no pattern matches masked text.
func TestGrepFindsNoSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.connect(w.grepProject())
	e.call("create_index", nil, nil)
	for pattern, hits := range map[string]int{
		"AKIA": 0, `key = "[A-Z]`: 0, `key = "[a-z]`: 0, `key = ".{20}"`: 0, `"(AKIA|x)`: 0, `secret: AWS`: 0, `key = ".+"`: 1,
	} {
		var g grepped
		if e.call("grep_code", map[string]any{"pattern": pattern}, &g); g.TotalHits != hits ||
			strings.Contains(g.String(), "AKIA") {
			t.Errorf("%s: %d hits, want %d\n%s", pattern, g.TotalHits, hits, g)
		}
	}
}

// TestGrepCounts: an answer lists the requested number of lines and counts all.
func TestGrepCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := map[string]string{"go.mod": "module zoo\n"}
	for i := range 20 {
		files[fmt.Sprintf("f%02d.go", i)] = "package zoo\n\n" + strings.Repeat("// wombat\n", 50)
	}
	e := w.connect(w.folder(files))
	e.call("create_index", nil, nil)
	var g grepped
	e.call("grep_code", map[string]any{"pattern": "wombat", "limit": 30}, &g)
	if g.TotalHits != 1000 || g.TotalFiles != 20 || strings.Count(g.String(), "wombat") != 30 || g.Files[0].Hits != 50 {
		t.Errorf("%d hits in %d files:\n%s", g.TotalHits, g.TotalFiles, g)
	}
}

func TestGrepRefusesWhatIsNoExpression(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.connect(w.grepProject())
	e.call("create_index", nil, nil)
	text, failed := e.text("grep_code", map[string]any{"pattern": "wombat("})
	if !failed || !strings.Contains(text, string(api.InvalidArgument)) || !strings.Contains(text, "missing closing )") {
		t.Error(text)
	}
	var g grepped
	if e.call("grep_code", map[string]any{"pattern": "wombat()", "literal": true}, &g); g.TotalHits != 1 {
		t.Error(g)
	}
}

// TestGrepAtTheTerminal: lines in grep's format, JSON, and grep's exit codes.
func TestGrepAtTheTerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.grepProject()
	w.mustCLI("index", root, "--yes")
	out := w.mustCLI("grep", "-i", "-F", "Z.WOMBAT++", "--project", root)
	if !strings.HasSuffix(strings.TrimSpace(out), "zoo.go:5:2:\tz.wombat++") && !strings.Contains(out, "zoo.go:5:2:") {
		t.Errorf("%q", out)
	}
	var r api.GrepResults
	if err := json.Unmarshal([]byte(w.mustCLI("grep", "wombat", "--lang", "go", "--path", "zoo*.go", "--json", "--project",
		root)), &r); err != nil || r.Total != 3 || r.Files[0].Hits[0].In != "Zoo.Feed" {
		t.Errorf("%+v, %v", r, err)
	}
	if out, code := w.cli("grep", "platypus", "--project", root); code != 1 {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, code := w.cli("grep", "(", "--project", root); code == 0 || !strings.Contains(out, "missing closing )") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

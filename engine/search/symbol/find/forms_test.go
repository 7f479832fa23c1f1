package find

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/lang"
	"searchmcp/engine/store"
)

// project is a project in memory with an index like the real one.
type project map[string]string

var trees = chunk.NewTrees(treesitter.Parse)

func (p project) FilesWith(_ context.Context, n store.Names) (list store.FileList, err error) {
	list.Unknown = len(n.All) == 0
	for _, path := range slices.Sorted(maps.Keys(p)) {
		prose, text := chunk.Prose(lang.OfFile(path, nil)), p[path]
		for _, d := range chunk.Plain(lang.OfFile(path, nil), text).Definitions {
			text += "\n" + d.Name
		}
		has := !slices.ContainsFunc(n.All, func(name string) bool { return !strings.Contains(normal(text), normal(name)) })
		if has && prose == (n.Corpus == api.CorpusDocs) {
			list.Rows = append(list.Rows, store.Row{Path: path, Language: lang.OfFile(path, []byte(p[path]))})
		}
	}
	return list, nil
}

func (p project) Like(context.Context, string, int) ([]string, []store.Row, error) {
	return nil, nil, nil
}

func (p project) Paths(api.Corpus) []string { return slices.Sorted(maps.Keys(p)) }

func (p project) Document(ctx context.Context, f chunk.File) (*chunk.Document, error) {
	tree, err := trees.Tree(ctx, f)
	if err != nil {
		return nil, err
	}
	return trees.Document(f, tree)
}

func (p project) open() (Read, func()) {
	return func(path string, want func([]byte) bool) []byte {
		if data := []byte(p[path]); want == nil || want(data) {
			return data
		}
		return nil
	}, func() {}
}

func (p project) find(t *testing.T, name string) api.SymbolResults {
	t.Helper()
	q := api.SymbolQuery{Name: name, Uses: true, Complete: true}
	found, err := Find(t.Context(), p, Request{Query: q, Documents: p,
		Open: p.open, Allowed: func(string) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// placesOf lists the definitions and uses of a name, as "def a.go:3" and "call b.go:4", with ? for possible uses and ~
// for text.
func placesOf(r api.SymbolResults) []string {
	var out []string
	for _, d := range r.Definitions {
		out = append(out, fmt.Sprintf("def %s:%d", d.Path, d.Line))
	}
	for mark, list := range map[string][]api.SymbolFile{"": r.Uses, "?": r.Possible, "~": r.Text} {
		for _, f := range list {
			for _, u := range f.Uses {
				out = append(out, fmt.Sprintf("%s%s %s:%d", mark, u.Role, f.Path, u.Line))
			}
		}
	}
	slices.Sort(out)
	return out
}

var update = flag.Bool("update", false, "write the answers of testdata/forms.txt anew")

// TestForms compares the answers for the names of testdata/forms.txt with the places behind them. A project begins with
// "== ", a file with "@@ " and a name with "?? ".
func TestForms(t *testing.T) {
	data, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	p, path := project{}, ""
	for line := range strings.Lines(string(data)) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch mark {
		case "==":
			p = project{}
		case "@@":
			path = rest
		case "??":
			name, want, _ := strings.Cut(rest, ": ")
			found := p.find(t, name)
			got := strings.Join(placesOf(found), "; ")
			if line = "?? " + name + ": " + got + "\n"; got != want && !*update {
				t.Errorf("%s: %s\nwant %s\n%q", name, got, want, found.Notes)
			}
		default:
			p[path] += line
		}
		out.WriteString(line)
	}
	if *update {
		if err := os.WriteFile("testdata/forms.txt", []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A name may be used without being written. Lines may end with carriage returns alone.
func TestImplicit(t *testing.T) {
	p := project{"a.py": "import os\r\r@app.route('/')\rdef show():\r    pass\r", "p.html": "{% block main_it %}\n",
		"b.ts": "x()\rexport { a as other } from './c'\r", "src/kit.ts": "export default function makeKit() {}\n",
		"d.py": "def run_red(): pass\ngetattr(self, 'run_' + color)()\n", "e.lisp": "(defstruct box-it size)\n",
		"F.java": "class F extends Base {\n  void runLater() {}\n}\nclass G {\n  void neverRun() {}\n}\n",
		"h.sql":  "CREATE TRIGGER trg_it;\nCREATE TABLE dead_it (a,\nCONSTRAINT ck_it CHECK (a));\n", "y.yml": "job_it:\n",
		"m.tf": "resource \"x\" \"box_t\" {}\n", "w.c": "int get_dead(void) { return 1; }\nvoid on_btn_clicked(void) {}\n"}
	for name, implicit := range map[string]bool{"show": true, "makeKit": true, "run_red": true, "box-it": true,
		"runLater": true, "neverRun": false, "other": false, "trg_it": true, "dead_it": false, "box_t": true,
		"on_btn_clicked": true, "get_dead": false, "ck_it": true, "main_it": true, "job_it": true} {
		if r := p.find(t, name); len(r.Definitions) != 1 || r.Implicit != implicit {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A name that occurs in files is not reported as unused. A name without a definition leads to its files.
func TestUndefined(t *testing.T) {
	p := project{"a.go": "package a\n\nfunc f() { json.Marshal(1) }\n", "b.smithy": "model Customer {\n}\n",
		"src/core.py": "x = 1\n", "b.py": "from src import core\n\ncore.run()\n"}
	if r := p.find(t, "core"); len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "The name of the file src/core.py.") {
		t.Errorf("%q", r.Notes)
	}
	if r := p.find(t, "Marshal"); len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "Defined outside this project") {
		t.Errorf("%q", r.Notes)
	}
	if r := p.find(t, "Customer"); len(r.NotRead) != 1 || r.TotalUses != 1 {
		t.Errorf("%+v", r)
	}
	p["c.R"], p["d.c"] = "setClass(\"x\", \"OnlyInString\")\n", "#define F(n) int get_##n(void)\nF(depth);\n"
	for name, path := range map[string]string{"Marshal": "a.go", "OnlyInString": "c.R", "get_depth": "d.c"} {
		found, err := Find(t.Context(), p, Request{Query: api.SymbolQuery{Name: name, Complete: true}, Documents: p,
			Open: p.open, Allowed: func(string) bool { return true }})
		if err != nil || len(found.Notes) != 1 || !strings.Contains(found.Notes[0], path) {
			t.Errorf("%s: %q, %v", name, found.Notes, err)
		}
	}
}

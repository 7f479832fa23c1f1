package find

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/store"
)

// project is a project in memory with an index like the real one.
type project map[string]string

var trees = chunk.NewTrees(treesitter.Language)

func (p project) FilesWith(_ context.Context, n store.Names) (list store.FileList, err error) {
	for _, path := range slices.Sorted(maps.Keys(p)) {
		prose := chunk.Prose(chunk.Language(path, nil))
		if strings.Contains(normal(p[path]), normal(n.All[0])) && prose == (n.Corpus == api.CorpusDocs) {
			list.Rows = append(list.Rows, store.Row{Path: path, Language: chunk.Language(path, []byte(p[path]))})
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

// Every occurrence of a name is found, with the certainty that the files give.
func TestForms(t *testing.T) {
	for _, test := range forms {
		t.Run(test.form, func(t *testing.T) { check(t, test) })
	}
}

func check(t *testing.T, test form) {
	t.Helper()
	for name, want := range test.want {
		wanted := strings.Split(want, "; ")
		slices.Sort(wanted)
		found := test.files.find(t, name)
		if got := placesOf(found); !slices.Equal(got, wanted) {
			t.Errorf("%s: %s\nwant %s\n%q", name, strings.Join(got, "; "), strings.Join(wanted, "; "), found.Notes)
		}
	}
}

type form struct {
	form  string
	files project
	want  map[string]string
}

var forms = []form{
	{"default import under another name", project{
		"pages/Admin.tsx": "export default function AdminPage() {\n  return null\n}\n",
		"routes.tsx":      "import Panel from './pages/Admin'\nexport const r = <Panel/>\nPanel()\n",
		"lazy.tsx":        "const Late = React.lazy(() => import('./pages/Admin'))\nexport const l = <Late/>\n",
	}, map[string]string{"AdminPage": "def pages/Admin.tsx:1; import routes.tsx:1; mention routes.tsx:2; " +
		"call routes.tsx:3; import lazy.tsx:1; mention lazy.tsx:2"}},
	{"a renamed import, and the name of another module", project{
		"shop/keys.py": "def turn(): pass\n",
		"shop/a.py":    "from shop.keys import turn as renew\n\ndef use():\n    renew()\n",
		"shop/b.py": "from other.keys import turn as others\nfrom shop.keys import turn\n\n" +
			"def use():\n    others()\n    turn()\n",
	}, map[string]string{"turn": "def shop/keys.py:1; import shop/a.py:1; call shop/a.py:4; import shop/b.py:2; " +
		"call shop/b.py:6; ~import shop/b.py:1"}},
	{"exported as default below, and passed on", project{
		"d2.js":     "function two() {}\nexport default two;\n",
		"barrel.js": "export { default as Second } from './d2';\n",
		"use.js":    "import { Second } from './barrel';\nSecond();\n",
	}, map[string]string{"two": "def d2.js:1; mention d2.js:2; import barrel.js:1; import use.js:1; call use.js:2"}},
	{"module.exports under another name", project{
		"d6.js":  "function fn6() {}\nmodule.exports = fn6;\n",
		"use.js": "const six = require('./d6');\nsix();\n",
	}, map[string]string{"fn6": "def d6.js:1; mention d6.js:2; import use.js:1; call use.js:2"}},
	{"a dynamic import", project{
		"d7.ts":  "export default class Seven {}\n",
		"use.ts": "async function go() {\n  const m = await import('./d7')\n}\n",
	}, map[string]string{"Seven": "def d7.ts:1; import use.ts:2"}},
	{"a callable in a string", project{
		"shop.php": "<?php\nadd_action('init', 'shop_register');\nfunction shop_register() {}\n" +
			"class Ctl {\n  function onSave() {}\n  function go() { usort($a, [$this, 'onSave']); }\n}\n",
	}, map[string]string{"shop_register": "def shop.php:3; ?string shop.php:2",
		"onSave": "def shop.php:5; call shop.php:6"}},
	{"XAML, Android and TOML", project{
		"Main.xaml":      "<Window Loaded=\"Win_Loaded\"/>\n",
		"Main.xaml.cs":   "class Main {\n  void Win_Loaded(object s) {}\n}\n",
		"pyproject.toml": "[project.scripts]\nrun = \"app:main_run\"\n",
		"app.py":         "def main_run():\n    pass\n",
		"guide.md":       "Call main_run first.\n",
	}, map[string]string{"Win_Loaded": "def Main.xaml.cs:2; ?string Main.xaml:1",
		"main_run": "def app.py:1; ?string pyproject.toml:2; ~comment guide.md:1"}},
	{"a quoted annotation", project{
		"a.py": "class Order:\n    pass\n\ndef f(x: \"Order\") -> \"list[Order]\":\n    return cast(\"Order\", x)\n",
	}, map[string]string{"Order": "def a.py:1; mention a.py:4; mention a.py:4; mention a.py:5"}},
	{"names in another case", project{
		"tax.sql": "CREATE FUNCTION Tax_Of(x int) RETURNS int AS $$ SELECT 1 $$;\nSELECT tax_of(3);\n" +
			"SELECT Tax_Of(4);\n",
		"h.f90": "subroutine Solve_Heat(u)\nend subroutine\nprogram p\n  call solve_heat(u)\nend program\n",
		"b.ps1": "function Get-OpenBill {\n}\nget-openbill\n",
		"u.pas": "procedure Draw_It;\nbegin\nend;\nbegin\n  draw_it;\nend.\n",
		"c.php": "<?php\nfunction Send_It() {}\nsend_it();\n",
	}, map[string]string{
		"tax_of":       "def tax.sql:1; call tax.sql:2; call tax.sql:3",
		"SOLVE_HEAT":   "def h.f90:1; call h.f90:4",
		"get-openbill": "def b.ps1:1; mention b.ps1:3",
		"Draw_It":      "def u.pas:1; mention u.pas:5",
		"send_it":      "def c.php:2; call c.php:3",
	}},
	{"Java and Kotlin", project{
		"User.java": "public class User {\n  String getFullName() { return n; }\n  void setAge(int a) {}\n}\n",
		"Use.kt":    "fun show(u: User) = u.fullName\nfun age(u: User) { u.age = 3 }\nclass K { val sizeKt = 1 }\n",
		"Main.java": "class Main {\n  void run(K k) {\n    UseKt.show(null);\n    k.getSizeKt();\n  }\n}\n",
	}, map[string]string{
		"getFullName": "def User.java:2; mention Use.kt:1", "fullName": "def User.java:2; mention Use.kt:1",
		"show":   "def Use.kt:1; call Main.java:3",
		"sizeKt": "def Use.kt:3; call Main.java:4", "getSizeKt": "def Use.kt:3; call Main.java:4",
		"setAge": "def User.java:3; mention Use.kt:2",
	}},
	{"interpolation in Rust", project{
		"a.rs": "const LIMIT: u8 = 1;\nconst WIDTH: usize = 2;\nfn f() {\n" +
			"    println!(\"{LIMIT} {LIMIT:?} {:>WIDTH$} LIMIT\", 1);\n}\n",
	}, map[string]string{"LIMIT": "def a.rs:1; mention a.rs:4; mention a.rs:4; ~string a.rs:4",
		"WIDTH": "def a.rs:2; mention a.rs:4"}},
	{"defined outside the project", project{
		"a.go":  "package a\n\nimport \"encoding/json\"\n\nfunc f() { json.Marshal(1) }\n",
		"b.tsx": "import { useMemo } from 'react'\nexport const f = () => useMemo(() => 1)\n",
	}, map[string]string{"Marshal": "call a.go:5", "useMemo": "import b.tsx:1; call b.tsx:2"}},
	{"names with signs", project{
		"a.R":    "as.cents <- function(x) x\nas.cents(3)\n.hidden <- function() 1\n.hidden()\n",
		"j.jl":   "function größe(x)\n  x\nend\ngröße(2)\n",
		"c.css":  ".card-it:hover { }\n",
		"p.html": "<p class=\"card-it\">\n",
		"s.scss": "$brand-tint: red;\n.a { color: $brand-tint; --gap-size: 1px; }\n.b { margin: var(--gap-size); }\n",
	}, map[string]string{"as.cents": "def a.R:1; call a.R:2", ".hidden": "def a.R:3; call a.R:4",
		".card-it":    "def c.css:1; ?mention p.html:1",
		"$brand-tint": "def s.scss:1; mention s.scss:2", "größe": "def j.jl:1; call j.jl:4"}},
	{"CMake", project{
		"CMakeLists.txt": "function(add_quick_test name)\nendfunction()\nadd_quick_test(a)\nADD_QUICK_TEST(b)\n",
	}, map[string]string{"add_quick_test": "def CMakeLists.txt:1; call CMakeLists.txt:3; call CMakeLists.txt:4"}},
	{"COBOL, Visual Basic, VHDL and Ada in another case", project{
		"p.cbl": "       ADD-IT.\n           PERFORM add-it.\n",
		"c.vb":  "Class C\n  Sub Pay_It()\n  End Sub\n  Sub T()\n    pay_it()\n  End Sub\nEnd Class\n",
		"e.vhd": "entity Adder is\nend entity;\nu1: entity work.adder;\n",
		"m.adb": "procedure Main_It is\nbegin\n  MAIN_IT;\nend;\n",
	}, map[string]string{"add-it": "def p.cbl:1; mention p.cbl:2", "Pay_It": "def c.vb:2; call c.vb:5",
		"ADDER": "def e.vhd:1; mention e.vhd:3", "main_it": "def m.adb:1; mention m.adb:3"}},
	{"modules named to mocks and workers", project{
		"svc.ts":    "export default class Svc {}\nexport const Foo = 1\n",
		"a.test.ts": "jest.mock('./svc')\n",
		"w.ts": "new Worker(new URL('./svc.ts', import.meta.url))\n" +
			"const A = lazy(async () => (await import('./svc')).Foo)\n",
	}, map[string]string{"Svc": "def svc.ts:1; import a.test.ts:1; import w.ts:1"}},
	{"names destructured from require", project{
		"x.js": "function a() {}\nmodule.exports = {a}\nexports.mk = function () {}\n",
		"u.js": "const {a, mk: make} = require('./x')\na();\nmake();\nlet {\n  a: other\n} = require('./x');\nother();\n",
	}, map[string]string{"a": "def x.js:1; mention x.js:2; import u.js:1; call u.js:2; " +
		"import u.js:5; call u.js:7",
		"mk": "def x.js:3; import u.js:1; call u.js:3"}},
	{"several imports in a file", project{
		"pool.js": "class Pool {}\nmodule.exports = Pool\n",
		"u.js":    "const P = require('./pool')\nnew P();\nvar x = require('./pool')();\n",
	}, map[string]string{"Pool": "def pool.js:1; mention pool.js:2; import u.js:1; call u.js:2; import u.js:3"}},
	{"properties of acronyms, and in Groovy", project{
		"U.java":   "class U {\n  String getURL() { return u; }\n  String getTitle() { return t; }\n}\n",
		"k.kt":     "fun f(u: U) = u.url\n",
		"g.groovy": "def f(U u) { u.title }\n",
	}, map[string]string{"getURL": "def U.java:2; mention k.kt:1", "getTitle": "def U.java:3; mention g.groovy:1"}},
	{"a member of an exported object, and a module of that name", project{
		"r.js": "const accepts = require('accepts')\nmodule.exports = {\n  accepts(a) {\n    return accepts(a)\n  },\n}\n",
	}, map[string]string{"accepts": "def r.js:3; ~import r.js:1; ?string r.js:1; ?call r.js:4"}},
	{"typings beside the code that they describe", project{
		"t.d.ts": "export class Option {\n  envVar: string\n}\n",
		"option.js": "class Option {\n  constructor(n) {\n    this.envVar = n\n  }\n" +
			"  get() {\n    return this.envVar\n  }\n}\n",
	}, map[string]string{"envVar": "def option.js:3; def t.d.ts:2; mention option.js:6"}},
}

// A name that occurs in files is not reported as unused. A name without a definition leads to its files.
func TestUndefined(t *testing.T) {
	p := project{"a.go": "package a\n\nfunc f() { json.Marshal(1) }\n", "b.prisma": "model Customer {\n}\n"}
	if r := p.find(t, "Marshal"); len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "Defined outside this project") {
		t.Errorf("%q", r.Notes)
	}
	if r := p.find(t, "Customer"); len(r.NotRead) != 1 || r.TotalUses != 1 {
		t.Errorf("%+v", r)
	}
	p["c.R"] = "setClass(\"x\", \"OnlyInString\")\n"
	for name, path := range map[string]string{"Marshal": "a.go", "OnlyInString": "c.R"} {
		found, err := Find(t.Context(), p, Request{Query: api.SymbolQuery{Name: name, Complete: true}, Documents: p,
			Open: p.open, Allowed: func(string) bool { return true }})
		if err != nil || len(found.Notes) != 1 || !strings.Contains(found.Notes[0], path) {
			t.Errorf("%s: %q, %v", name, found.Notes, err)
		}
	}
}

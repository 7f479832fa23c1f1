package engine

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

var symbolShop = map[string]string{
	"go.mod": "module example.com/shop\n",
	"auth/session.go": `package auth

// Sessions are who is signed in.
type Sessions struct{ keys []string }

// rotate renews the keys. It takes a while.
func (s *Sessions) rotate(now int) error {
	return nil
}

func NewSessions() *Sessions { return &Sessions{} }

func Expire(s *Sessions) {
	// rotate first
	_ = s.rotate(1)
}
`,
	"auth/session_test.go": `package auth

func testRotate() {
	s := NewSessions()
	s.rotate(3)
}
`,
	"disk/log.go": `package disk

type Log struct{}

func (l *Log) rotate(now int) error { return nil }

func flush(l *Log) { l.rotate(2) }
`,
	"web/serve.go": `package web

import "example.com/shop/auth"

func Serve() {
	auth.Expire(auth.NewSessions())
	rotate := 1
	println(rotate, "rotate")
}
`,
	"web/app.ts":    "import { expire } from './expire';\nexport const run = () => expire(1);\n",
	"web/expire.ts": "/** Ends a session. */\nexport function expire(n: number) {}\n",
}

// linesOf formats an answer as path:line[ role in], definitions first.
func linesOf(r api.SymbolResults) string {
	var out []string
	for _, d := range r.Definitions {
		out = append(out, fmt.Sprintf("%s %s %s:%d-%d", d.Kind, d.Name, d.Path, d.StartLine, d.EndLine))
	}
	for _, f := range r.Uses {
		for _, u := range f.Uses {
			out = append(out, fmt.Sprintf("%s:%d %s %s", f.Path, u.Line, u.Role, u.In))
		}
	}
	return strings.Join(out, "\n")
}

// symbolOf requests the complete answer, because time limits depend on the machine.
func symbolOf(t *testing.T, e *Engine, root string, q api.SymbolQuery) api.SymbolResults {
	t.Helper()
	q.Complete = true
	r, err := e.Symbol(context.Background(), []string{root}, q)
	must(t, err)
	return r
}

func TestSymbol(t *testing.T) {
	t.Parallel()
	e, root := opened(t, symbolShop)
	for _, test := range []struct {
		q    api.SymbolQuery
		want string
	}{
		{api.SymbolQuery{Name: "Sessions.rotate", Uses: true},
			"method Sessions.rotate auth/session.go:7-9\nauth/session.go:15 call Expire\n" +
				"auth/session_test.go:5 call testRotate"},
		{api.SymbolQuery{Name: "rotate", Path: "disk", Uses: true},
			"method Log.rotate disk/log.go:5-5\ndisk/log.go:7 call flush"},
		{api.SymbolQuery{Name: "rotate", Path: "disk/log.go", Line: 5}, "method Log.rotate disk/log.go:5-5"},
		{api.SymbolQuery{Name: "rotate"}, "method Sessions.rotate auth/session.go:7-9\nmethod Log.rotate disk/log.go:5-5"},
		{api.SymbolQuery{Name: "auth.NewSessions", Uses: true},
			"function NewSessions auth/session.go:11-11\nweb/serve.go:6 call Serve\nauth/session_test.go:4 call testRotate"},
		{api.SymbolQuery{Name: "expire", Uses: true},
			"function expire web/expire.ts:2-2\nweb/app.ts:1 import \nweb/app.ts:2 call run"},
		{api.SymbolQuery{Name: "keys"}, "field Sessions.keys auth/session.go:4-4"},
		{api.SymbolQuery{Name: "newsess"}, "function NewSessions auth/session.go:11-11"},
		{api.SymbolQuery{Name: "NewSesions"}, "function NewSessions auth/session.go:11-11"},
		{api.SymbolQuery{Name: "nowhere"}, ""},
	} {
		if got := linesOf(symbolOf(t, e, root, test.q)); got != test.want {
			t.Errorf("%+v:\n%s\nwant\n%s", test.q, got, test.want)
		}
	}
	r := symbolOf(t, e, root, api.SymbolQuery{Name: "Sessions.rotate"})
	if d := r.Definitions[0]; d.Signature != "func (s *Sessions) rotate(now int) error" ||
		d.Comment != "rotate renews the keys" || d.Line != 7 || d.Column != 20 {
		t.Errorf("%+v", d)
	}
	if _, err := e.Symbol(context.Background(), []string{root},
		api.SymbolQuery{Name: " () "}); api.CodeOf(err) != api.InvalidArgument {
		t.Error(err)
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	e, root := opened(t, symbolShop)
	ask := func(path string) api.Outline {
		t.Helper()
		o, err := e.Outline(context.Background(), root, api.OutlineQuery{Path: path})
		must(t, err)
		return o
	}
	o := ask("auth/session.go")
	var got []string
	for _, n := range o.Nodes {
		got = append(got, fmt.Sprintf("%d-%d %s", n.StartLine, n.EndLine, n.Signature))
	}
	want := "4-4 type Sessions struct\n7-9 func (s *Sessions) rotate(now int) error\n" +
		"11-11 func NewSessions() *Sessions\n13-16 func Expire(s *Sessions)"
	if strings.Join(got, "\n") != want || o.Total != 4 {
		t.Errorf("%d declarations:\n%s\nwant\n%s", o.Total, strings.Join(got, "\n"), want)
	}
	o, err := e.Outline(t.Context(), root, api.OutlineQuery{Path: "auth/session.go", Query: "expire sessions"})
	if err != nil || o.Total == 0 || o.Nodes[0].Name != "Expire" || o.Nodes[0].EndLine != 16 {
		t.Errorf("by words: %+v, %v", o, err)
	}
	o, err = e.Outline(t.Context(), root, api.OutlineQuery{Path: "auth/session.go", Query: "zebra"})
	if err != nil || o.Total != 0 {
		t.Errorf("by words that it lacks: %+v, %v", o, err)
	}
	o = ask("")
	if o.Total != len(symbolShop) || len(o.Folders) != 3 || o.Folders[0].Path != "web" || o.Languages[0] != "go" {
		t.Errorf("%+v", o)
	}
	if len(o.Files) == 0 || o.Files[0].Path != "auth/session.go" || !strings.Contains(strings.Join(o.Files[0].Symbols,
		" "), "NewSessions") {
		t.Errorf("files %+v", o.Files)
	}
	if o = ask("web"); o.Total != 3 {
		t.Errorf("web: %+v", o)
	}
	if _, err := e.Outline(context.Background(), root, api.OutlineQuery{Path: strings.Repeat("x/", 1<<20)}); api.CodeOf(
		err) != api.InvalidArgument {
		t.Error("a path of two megabytes is looked for")
	}
	for _, bad := range []string{"nowhere", "../x", "auth/none.go"} {
		if _, err := e.Outline(context.Background(), root, api.OutlineQuery{Path: bad}); api.CodeOf(err) != api.FileNotFound {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestOutlineOfDeclaration(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	secret := "AKIA" + "Z7Q3NWX2TLPE5RUV"
	files := maps.Clone(symbolShop)
	files["pay/pay.go"] = "package pay\n\ntype Bill struct {\n\tID  int\n\tSum int\n}\n\n// Pay pays.\n" +
		"func (b Bill) Pay() string {\n\tkey := \"" + secret + "\"\n\treturn key\n}\n"
	files["caf\u00e9.go"] = "package shop\n\nfunc Brew() {}\n"
	files["README.md"] = "# Shop\n\nSells.\n\n## Set up\n\nRun it.\n"
	root := tree(t, files)
	create(t, e, root)
	rotate := "auth/session.go:6-9 Sessions.rotate|// rotate renews the keys. It takes a while." +
		"|func (s *Sessions) rotate(now int) error {|\treturn nil|}"
	bill := "pay/pay.go:3-6 Bill|type Bill struct {|\tID  int|\tSum int|}"
	for _, test := range []struct {
		q    api.OutlineQuery
		want string // path and lines
		note string
	}{
		{q: api.OutlineQuery{Path: "auth/session.go", Name: "rotate"}, want: rotate},
		{q: api.OutlineQuery{Path: "auth/session.go", Name: "Sessions.rotate"}, want: rotate},
		{q: api.OutlineQuery{Path: "auth/session.go", Name: "ROTATE"}, want: rotate},
		{q: api.OutlineQuery{Path: "auth/session.go", Line: 6}, want: rotate},
		{q: api.OutlineQuery{Path: "auth/session.go", Line: 8}, want: rotate},
		{q: api.OutlineQuery{Name: "Sessions.rotate"}, want: rotate},
		{q: api.OutlineQuery{Name: "rotate", Path: "auth"}, want: rotate},
		{q: api.OutlineQuery{Name: "rotate"}, want: rotate +
			"\ndisk/log.go:5-5 Log.rotate|func (l *Log) rotate(now int) error { return nil }"},
		{q: api.OutlineQuery{Path: "pay/pay.go", Line: 4}, want: bill},
		{q: api.OutlineQuery{Path: "cafe\u0301.go", Line: 3}, want: "caf\u00e9.go:3-3 Brew|func Brew() {}"},
		{q: api.OutlineQuery{Path: "pay/pay.go", Name: "Pay"}, want: "pay/pay.go:8-12 Bill.Pay|// Pay pays.|" +
			"func (b Bill) Pay() string {|\tkey := \"«[secret: AWS key]»\"|\treturn key|}"},
		{q: api.OutlineQuery{Path: "README.md", Name: "Set up"}, want: "README.md:5-7 Shop.Set up|## Set up||Run it."},
		{q: api.OutlineQuery{Path: "auth/session.go", Line: 1},
			note: "Line 1 is not inside a declaration. After it: 4-4 Sessions."},
		{q: api.OutlineQuery{Path: "auth/session.go", Name: "rotate", Line: 1}, want: rotate,
			note: "Line 1 is not in a declaration with that name."},
		{q: api.OutlineQuery{Path: "auth/session.go", Line: 99}, note: "The file has 17 lines."},
		{q: api.OutlineQuery{Path: "auth/session.go", Name: "zebra"}, note: "This file has no declaration of that name."},
		{q: api.OutlineQuery{Path: "pay/pay.go", Name: "Log.rotate"}, note: "It is declared in disk/log.go:5."},
	} {
		o, err := e.Outline(t.Context(), root, test.q)
		if err != nil {
			t.Errorf("%+v: %v", test.q, err)
			continue
		}
		var got []string
		for _, d := range o.Declared {
			got = append(got, fmt.Sprintf("%s:%d-%d %s|%s", d.Path, d.StartLine, d.EndLine, d.Name,
				strings.ReplaceAll(d.Text, "\n", "|")))
		}
		if strings.Join(got, "\n") != test.want || o.Total != len(got) {
			t.Errorf("%+v:\n%s\nwant\n%s", test.q, strings.Join(got, "\n"), test.want)
		}
		if test.note != "" && !strings.Contains(strings.Join(o.Notes, "\n"), test.note) {
			t.Errorf("%+v: notes %q, want %q", test.q, o.Notes, test.note)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	if o, err := e.Outline(t.Context(), root, api.OutlineQuery{Path: link + "/pay/pay.go", Line: 4}); err != nil ||
		o.Total != 1 {
		t.Errorf("through a link: %d, %v", o.Total, err)
	}
	for q, want := range map[api.OutlineQuery]api.Code{
		{Line: 3}:                     api.InvalidArgument,
		{Path: "nowhere.go", Line: 3}: api.FileNotFound,
	} {
		if _, err := e.Outline(t.Context(), root, q); api.CodeOf(err) != want {
			t.Errorf("%+v: %v, want %s", q, err, want)
		}
	}
}

// A page's outline lists its headings and the declarations of its code, in order.
func TestOutlineOfPage(t *testing.T) {
	t.Parallel()
	e, root := opened(t, map[string]string{
		"sales.mdx": "Sales of the year\n===\n\nexport const yearOf = (n) => {\n  return n\n}\n\n## Chart\n\n" +
			"<B y={yearOf(1)}/>\n",
		"trail.go ": "package a\n\nfunc Trail() {}\n",
	})
	for path, want := range map[string]string{"sales.mdx": "Sales of the year export const yearOf = (n) => ## Chart",
		"trail.go ": "func Trail()"} {
		o, err := e.Outline(t.Context(), root, api.OutlineQuery{Path: path})
		must(t, err)
		var signatures []string
		for _, n := range o.Nodes {
			signatures = append(signatures, n.Signature)
		}
		if got := strings.Join(signatures, " "); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	found := symbolOf(t, e, root, api.SymbolQuery{Name: "yearOf", Uses: true})
	if got := linesOf(found); !strings.Contains(got, "sales.mdx") || len(found.Uses) != 1 {
		t.Errorf("%s", got)
	}
}

// An answer uses the current files, not the indexed ones, and follows policy.
func TestSymbolIsFresh(t *testing.T) {
	t.Parallel()
	e, root := opened(t, symbolShop)
	q := api.SymbolQuery{Name: "Log.rotate", Uses: true}
	write(t, filepath.Join(root, "disk/log.go"), "package disk\n\n// moved\n\n"+
		strings.TrimPrefix(symbolShop["disk/log.go"], "package disk\n"))
	if got := linesOf(symbolOf(t, e, root, q)); got != "method Log.rotate disk/log.go:8-8\ndisk/log.go:10 call flush" {
		t.Errorf("after an edit:\n%s", got)
	}
	write(t, filepath.Join(root, "disk/other.go"), "package disk\n\nfunc other(l *Log) { l.rotate(1) }\n")
	eventually(t, e, "a new file's use", func() bool {
		return strings.Contains(linesOf(symbolOf(t, e, root, q)), "disk/other.go:3 call other")
	})
	must(t, os.Remove(filepath.Join(root, "disk/other.go")))
	if got := linesOf(symbolOf(t, e, root, q)); strings.Contains(got, "other") {
		t.Errorf("a deleted file is listed:\n%s", got)
	}
	write(t, filepath.Join(root, ".gitignore"), "disk/\n")
	eventually(t, e, "an ignored folder left out", func() bool {
		return linesOf(symbolOf(t, e, root, q)) == "" || !strings.Contains(linesOf(symbolOf(t, e, root, q)), "disk/")
	})
}

// The index splits names: a type is found among a hundred names that end in its own.
func TestSymbolAmongLongerNames(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	files := map[string]string{
		"src/z/handler.ts": "export class Handler { turn() {} }\n",
		"src/make.ts": "import { Handler } from './z/handler'\n" +
			"export function make(): Handler { return new Handler() }\n",
		"src/use.ts": "import { make } from './make'\nclass Log { turn() {} }\nexport const run = () => make().turn()\n",
	}
	for i := range 120 {
		files[fmt.Sprintf("src/h/a%03d.ts", i)] = fmt.Sprintf("export class A%03dHandler {}\n", i)
	}
	root := tree(t, files)
	create(t, e, root)
	const want = "method Handler.turn src/z/handler.ts:1-1"
	r := symbolOf(t, e, root, api.SymbolQuery{Name: "Handler.turn", Uses: true})
	if got := linesOf(r); got != want || len(r.Possible) != 1 || r.Possible[0].Path != "src/use.ts" {
		t.Errorf("%s\nwant\n%s\nand a possible use in src/use.ts: %+v", got, want, r.Possible)
	}
}

// A key of an object literal is a definition if requested by name; reads of the key are possible uses.
func TestSymbolOfLiteralKey(t *testing.T) {
	t.Parallel()
	e, root := opened(t, map[string]string{
		"src/route.ts": "export interface Route { method: string }\n" +
			"export interface Other { method: string }\n" +
			"export function route(r: Route, o: Other) {\n  o.method = ''\n  return r.method\n}\n",
		"src/app.ts": "import { route } from './route'\nroute({ method: 'GET' }, null)\n",
	})
	r := symbolOf(t, e, root, api.SymbolQuery{Name: "method", Path: "src/app.ts", Line: 2, Uses: true})
	if got := linesOf(r); got != "field method src/app.ts:2-2" {
		t.Errorf("%s", got)
	}
}

package app_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const module = "searchmcp/"

// rule is a line of testdata/imports.txt. except follows the word "except" in its list.
type rule struct {
	kind, of     string
	list, except []string
	reason       string
	alone        bool // packages below it don't inherit the rule
}

func (r *rule) String() string { return r.kind + " " + r.of }

// rules returns the lines of testdata/imports.txt by kind. The kind of a package's own rule is "".
func rules(t *testing.T) map[string][]*rule {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "imports.txt"))
	must(t, err)
	out := map[string][]*rule{}
	for line := range strings.Lines(string(text)) {
		line, reason, _ := strings.Cut(strings.TrimSpace(line), " # ")
		if line == "" || line[0] == '#' {
			continue
		}
		head, list, ok := strings.Cut(line, ":")
		if !ok || reason == "" {
			t.Fatalf("imports.txt: %q has no colon or no reason", line)
		}
		r := &rule{of: head, reason: reason}
		if kind, of, spaced := strings.Cut(head, " "); spaced || head == "c" || head == "unopened" {
			r.kind, r.of = kind, of
		}
		r.of, r.alone = strings.CutSuffix(r.of, "!")
		list, except, _ := strings.Cut(list, " except ")
		r.list, r.except = strings.Fields(list), strings.Fields(except)
		out[r.kind] = append(out[r.kind], r)
	}
	return out
}

// matches reports whether p equals a pattern or, for "x/...", is at or below x.
func matches(patterns []string, p string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		dir, below := strings.CutSuffix(pattern, "/...")
		return p == dir || below && strings.HasPrefix(p, dir+"/")
	})
}

// within reports whether importPath is the given module or below it.
func within(importPath, module string) bool { return matches([]string{module + "/..."}, importPath) }

// imports returns the imports of each package for all systems, without tests. "C" is cgo.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	goFiles(t, parser.ImportsOnly, func(folder, file string, f *ast.File) {
		if out[folder] = append(out[folder], []string{}...); strings.HasSuffix(file, "_test.go") {
			return
		}
		for _, i := range f.Imports {
			out[folder] = append(out[folder], strings.Trim(i.Path.Value, `"`))
		}
	})
	return out
}

func ruleOf(all []*rule, p string) *rule {
	for dir := p; dir != "."; dir = path.Dir(dir) {
		for _, r := range all {
			if r.of == dir && (dir == p || !r.alone) {
				return r
			}
		}
	}
	return nil
}

// TestImports compares the imports of all packages with testdata/imports.txt, and checks that its rules are in use.
func TestImports(t *testing.T) {
	all, pkgs := rules(t), imports(t)
	used := map[*rule]bool{}
	for name, list := range pkgs {
		r := ruleOf(all[""], name)
		if r == nil {
			t.Errorf("%s has no line in testdata/imports.txt: add its imports with a reason", name)
			continue
		}
		used[r] = true
		for _, imported := range list {
			to, own := strings.CutPrefix(imported, module)
			if own && !matches(r.list, to) && ruleOf(all[""], to) != r {
				t.Errorf("%s imports %s; it may import %v (%s)", name, to, r.list, r.reason)
			}
			for _, m := range all["module"] {
				if within(imported, m.of) {
					if used[m] = true; !matches(m.list, name) {
						t.Errorf("%s imports %s; only %v may (%s)", name, imported, m.list, m.reason)
					}
				}
			}
			if c := all["c"][0]; imported == "C" && !slices.Contains(c.list, name) {
				t.Errorf("%s contains C; only %v may", name, c.list)
			}
		}
		for _, n := range all["never"] {
			if matches([]string{n.of}, name) {
				used[n] = true
				never(t, pkgs, n, []string{name}, map[string]bool{})
			}
		}
	}
	for _, kind := range []string{"", "module", "never"} {
		for _, r := range all[kind] {
			if !used[r] {
				t.Errorf("imports.txt: no package has the rule %q", r)
			}
		}
	}
}

// never reports the chains of imports from the last package of chain to the packages that n forbids.
func never(t *testing.T, pkgs map[string][]string, n *rule, chain []string, seen map[string]bool) {
	for _, imported := range pkgs[chain[len(chain)-1]] {
		to, own := strings.CutPrefix(imported, module)
		longer := append(chain[:len(chain):len(chain)], to)
		switch {
		case seen[to]:
		case within(imported, n.list[0]) && !slices.Contains(n.except, to):
			t.Errorf("%s (%s)", strings.Join(longer, " → "), n.reason)
		case own:
			seen[to] = true
			never(t, pkgs, n, longer, seen)
		}
	}
}

// TestBuildsWithoutC checks that the bridge, the app and the pages, with all their imports, build without cgo.
func TestBuildsWithoutC(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-pgo=off", "-deps", "-f",
		`{{with .Error}}{{.}}{{"\n"}}{{end}}`, "./app/cmd/search-mcp", "./app/cmd/search-mcp-app", "./ui/...")
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

var opens = regexp.MustCompile(
	`\b(?:os\.(?:Open|OpenFile|OpenRoot|ReadFile|ReadDir|DirFS)|(?:ioutil|syscall|unix|windows)\.(?:Open|Openat|ReadFile))\(`)

// maxLine is the limit in characters. Raw strings and cgo directives are exempt.
const maxLine = 120

// TestFiles checks that each package has one package comment, that lines are short, and that packages that process the
// content of project files call no function that opens a file.
func TestFiles(t *testing.T) {
	unopened := rules(t)["unopened"][0].list
	comments := map[string]int{}
	goFiles(t, parser.PackageClauseOnly|parser.ParseComments, func(folder, file string, f *ast.File) {
		text, err := os.ReadFile(file)
		must(t, err)
		call := opens.Find(text)
		if call != nil && slices.Contains(unopened, folder) && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s calls %s…): files of a project are opened by engine/files/policy", file, call)
		}
		if comments[folder] += 0; f.Doc != nil {
			comments[folder]++
			want := "Package " + strings.TrimSuffix(f.Name.Name, "_test") + " "
			if f.Name.Name == "main" {
				want = "Command " + path.Base(folder) + " "
			}
			if text := f.Doc.Text(); !strings.HasPrefix(text, want) {
				t.Errorf("%s: the package comment begins %.30q, want %q", file, text, want)
			}
		}
		raw := rawLines(text)
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line); n > maxLine && !raw[i+1] && !strings.HasPrefix(line, "#cgo ") {
				t.Errorf("%s:%d has %d characters", file, i+1, n)
			}
		}
	})
	for folder, n := range comments {
		if n != 1 {
			t.Errorf("%s has %d package comments, want one", folder, n)
		}
	}
}

// rawLines returns the numbers of the lines with a raw string.
func rawLines(text []byte) map[int]bool {
	var s scanner.Scanner
	set, raw := token.NewFileSet(), map[int]bool{}
	s.Init(set.AddFile("", -1, len(text)), text, nil, 0)
	for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
		if tok == token.STRING && lit[0] == '`' {
			for i := range strings.Count(lit, "\n") + 1 {
				raw[set.Position(pos).Line+i] = true
			}
		}
	}
	return raw
}

// goFiles calls visit for each Go file of the module, with its folder. It walks the tree itself, so that Go's test
// cache tracks the files.
func goFiles(t *testing.T, mode parser.Mode, visit func(folder, file string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		name := d.Name()
		hidden := file != ".." && (name[0] == '.' || name[0] == '_')
		switch {
		case err != nil:
			return err
		case d.IsDir() && (hidden || name == "testdata" || name == "bin" || name == "dist" || isModule(file)):
			return filepath.SkipDir
		case d.IsDir() || hidden || path.Ext(name) != ".go":
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, mode)
		if err == nil {
			visit(strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../"), file, f)
		}
		return err
	})
	must(t, err)
}

func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil && folder != ".."
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

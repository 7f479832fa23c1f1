package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

const module = "searchmcp"

type pkg struct {
	ImportPath string
	Dir        string
	Standard   bool
	DepOnly    bool
	GoFiles    []string
	CgoFiles   []string
	Imports    []string
}

// own returns the package's path inside this module.
func own(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// load lists the module's packages with all imports, without tests, as built with cgo. It includes packages that don't
// compile. It ignores the app's profile, which would duplicate packages.
func load(t *testing.T) map[string]*pkg {
	t.Helper()
	pkgs, err := listed()
	must(t, err)
	return pkgs
}

var listed = sync.OnceValues(func() (map[string]*pkg, error) {
	cmd := exec.Command("go", "list", "-e", "-pgo=off", "-deps",
		"-json=ImportPath,Dir,Standard,DepOnly,GoFiles,CgoFiles,Imports", "./...")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	pkgs := map[string]*pkg{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read package list: %w", err)
		}
		pkgs[p.ImportPath] = &p
	}
	if len(pkgs) == 0 {
		return nil, errors.New("go list names no package")
	}
	return pkgs, nil
})

// matches reports whether p equals the pattern or, for "x/...", is at or below x.
func matches(pattern, p string) bool {
	if dir, ok := strings.CutSuffix(pattern, "/..."); ok {
		return p == dir || strings.HasPrefix(p, dir+"/")
	}
	return pattern == p
}

func matchesAny(patterns []string, p string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, p) })
}

func rowOf(p string) *row {
	for dir := p; dir != "."; dir = path.Dir(dir) {
		for i := range layers {
			if r := &layers[i]; r.path == dir && (dir == p || !r.alone) {
				return r
			}
		}
	}
	return nil
}

func TestImports(t *testing.T) {
	for _, p := range load(t) {
		name, ok := own(p.ImportPath)
		if !ok {
			continue
		}
		r := rowOf(name)
		if r == nil {
			t.Errorf("%s has no row in arch_table_test.go: add its imports with a reason", name)
			continue
		}
		for _, imported := range p.Imports {
			to, ok := own(imported)
			if ok && !matchesAny(r.may, to) && rowOf(to) != r {
				t.Errorf("%s imports %s; it may import %s (%s)", name, to,
					strings.Join(append(r.may, "nothing else of this module"), ", "), r.reason)
			}
		}
	}
}

func TestHeavyModulesHaveOneImporter(t *testing.T) {
	for _, p := range load(t) {
		name, ok := own(p.ImportPath)
		if !ok {
			continue
		}
		for _, imported := range p.Imports {
			for _, h := range heavies {
				if within(h.module, imported) && !matchesAny(h.importers, name) {
					t.Errorf("%s imports %s; only %s may (%s)", name, imported, strings.Join(h.importers, ", "), h.reason)
				}
			}
		}
	}
}

// TestTableIsCurrent checks that the table names only existing packages. A rule about another package would
// check nothing.
func TestTableIsCurrent(t *testing.T) {
	imports := importsOfAllPlatforms(t)
	rows := map[string]bool{}
	for name := range imports {
		if r := rowOf(name); r != nil {
			rows[r.path] = true
		}
	}
	exists := func(rule, pattern string) {
		for name := range imports {
			if matches(pattern, name) {
				return
			}
		}
		t.Errorf("%s names %s, which does not exist", rule, pattern)
	}
	for _, r := range layers {
		if !rows[r.path] {
			t.Errorf("the row of %s names no package", r.path)
		}
		for _, pattern := range r.may {
			exists("the row of "+r.path, pattern)
		}
	}
	for _, h := range heavies {
		for _, importer := range h.importers {
			used := func(name string) bool {
				return matches(importer, name) &&
					slices.ContainsFunc(imports[name], func(i string) bool { return within(h.module, i) })
			}
			if !slices.ContainsFunc(slices.Collect(maps.Keys(imports)), used) {
				t.Errorf("%s may import %s but doesn't", importer, h.module)
			}
		}
	}
	for name := range cgoAllowed {
		exists("cgoAllowed", name)
	}
	for _, b := range bans {
		exists("a ban", b.from)
		if to, ours := own(b.module); ours {
			exists("a ban", to+"/...")
		}
		for _, except := range b.except {
			exists("a ban", except)
		}
	}
	for _, pattern := range pure {
		exists("pure", strings.TrimPrefix(pattern, "./"))
	}
}

// TestFilesAreReadThroughPolicy checks that packages that process the content of project files call no function that
// opens a file.
func TestFilesAreReadThroughPolicy(t *testing.T) {
	opens := regexp.MustCompile(
		`\b(?:os\.(?:Open|OpenFile|OpenRoot|ReadFile|ReadDir|DirFS)|(?:ioutil|syscall|unix|windows)\.(?:Open|Openat|ReadFile))\(`)
	looked := map[string]bool{}
	goFiles(t, func(file string) {
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
		if !slices.Contains(throughPolicy, name) || strings.HasSuffix(file, "_test.go") {
			return
		}
		looked[name] = true
		text, err := os.ReadFile(file)
		must(t, err)
		if call := opens.Find(text); call != nil {
			t.Errorf("%s calls %s…): files of a project are opened by engine/files/policy", file, call)
		}
	})
	for _, name := range throughPolicy {
		if !looked[name] {
			t.Errorf("%s does not exist", name)
		}
	}
}

// importsOfAllPlatforms maps every package of this module to its files' imports for all systems, without tests.
func importsOfAllPlatforms(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	goFiles(t, func(file string) {
		folder := filepath.ToSlash(filepath.Dir(file))
		name, below := strings.CutPrefix(folder, "../")
		if !below {
			name = "."
		}
		if out[name] == nil {
			out[name] = []string{} // a package even if it contains only tests
		}
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Errorf("parse %s: %v", file, err)
			return
		}
		for _, i := range parsed.Imports {
			out[name] = append(out[name], strings.Trim(i.Path.Value, `"`))
		}
	})
	if len(out) < 30 {
		t.Fatalf("only %d packages were found", len(out))
	}
	return out
}

// within reports whether importPath is the module prefix or below it.
func within(prefix, importPath string) bool {
	rest, ok := strings.CutPrefix(importPath, strings.TrimSuffix(prefix, "/"))
	return ok && (rest == "" || rest[0] == '/')
}

func TestCgoOnlyWhereAllowed(t *testing.T) {
	pkgs := load(t)
	known := map[string]bool{}
	var native func(importPath string) bool // a foreign package with C in it or below it
	native = func(importPath string) bool {
		p := pkgs[importPath]
		if p == nil || p.Standard { // net and os/user work without their C
			return false
		}
		if _, ours := own(importPath); ours {
			return false // checked separately
		}
		if is, ok := known[importPath]; ok {
			return is
		}
		known[importPath] = len(p.CgoFiles) > 0 || slices.ContainsFunc(p.Imports, native)
		return known[importPath]
	}
	for _, p := range pkgs {
		name, ok := own(p.ImportPath)
		if !ok || cgoAllowed[name] != "" {
			continue
		}
		if len(p.CgoFiles) > 0 {
			t.Errorf("%s contains C in %s", name, strings.Join(p.CgoFiles, ", "))
		}
		for _, imported := range p.Imports {
			if native(imported) {
				t.Errorf("%s imports %s, which needs C", name, imported)
			}
		}
	}
}

func TestBans(t *testing.T) {
	pkgs := load(t)
	for _, b := range bans {
		for _, p := range pkgs {
			name, ok := own(p.ImportPath)
			if !ok || !matches(b.from, name) {
				continue
			}
			forbidden := func(importPath string) bool {
				to, ours := own(importPath)
				return within(b.module, importPath) && !(ours && slices.Contains(b.except, to))
			}
			if chain := reach(pkgs, p.ImportPath, forbidden); chain != nil {
				t.Errorf("%s (%s)", strings.Join(chain, " → "), b.reason)
			}
		}
	}
}

// reach returns a shortest chain of imports from a package to a wanted package, or nil.
func reach(pkgs map[string]*pkg, from string, wanted func(string) bool) []string {
	before := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] != from && wanted(queue[0]) {
			var chain []string
			for at := queue[0]; at != ""; at = before[at] {
				chain = append(chain, at)
			}
			slices.Reverse(chain)
			return chain
		}
		p := pkgs[queue[0]]
		if p == nil || p.Standard {
			continue
		}
		for _, next := range p.Imports {
			if _, seen := before[next]; !seen {
				before[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// TestBuildsWithoutC checks that the pure packages and their imports build without cgo. make build also compiles the
// programs among them.
func TestBuildsWithoutC(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-e", "-pgo=off", "-deps", "-f",
		`{{with .Error}}{{.}}{{"\n"}}{{end}}`}, pure...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestOnePackageComment checks that each package has exactly one package comment.
func TestOnePackageComment(t *testing.T) {
	folders := map[string][]string{} // folder → files with a package comment
	goFiles(t, func(file string) {
		folder := filepath.Dir(file)
		if folders[folder] == nil {
			folders[folder] = []string{}
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Errorf("parse %s: %v", file, err)
			return
		}
		if parsed.Doc == nil {
			return
		}
		folders[folder] = append(folders[folder], filepath.Base(file))
		want := "Package " + strings.TrimSuffix(parsed.Name.Name, "_test") + " "
		if parsed.Name.Name == "main" {
			want = "Command " + filepath.Base(folder) + " "
		}
		if text := parsed.Doc.Text(); !strings.HasPrefix(text, want) {
			t.Errorf("%s: the package comment begins %.30q, want %q", file, text, want)
		}
	})
	for folder, files := range folders {
		if len(files) != 1 {
			t.Errorf("%s has %d package comments %v, want one", folder, len(files), files)
		}
	}
}

// maxLine is the limit in characters. Raw strings and cgo directives are exempt.
const maxLine = 120

func TestLineLength(t *testing.T) {
	goFiles(t, func(file string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			return
		}
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile(file, -1, len(text)), text, nil, 0)
		raw := map[int]bool{} // lines with a raw string
		for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
			if tok == token.STRING && lit[0] == '`' {
				for i := range strings.Count(lit, "\n") + 1 {
					raw[set.Position(pos).Line+i] = true
				}
			}
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line); n > maxLine && !raw[i+1] && !strings.HasPrefix(line, "#cgo ") {
				t.Errorf("%s:%d has %d characters", file, i+1, n)
			}
		}
	})
}

// goFiles calls visit for each Go file of the module. It walks the tree itself, so that Go's test cache tracks the
// files.
func goFiles(t *testing.T, visit func(file string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			// Skip hidden folders, test data, other modules and build output.
			if file != ".." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
				name == "testdata" || isModule(file)) ||
				file == filepath.Join("..", "bin") || file == filepath.Join("..", "dist") {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(name) == ".go" && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_") {
			visit(file)
		}
		return nil
	})
	must(t, err)
}

func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

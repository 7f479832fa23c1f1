package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "searchmcp"

// pkg is what `go list` says of a package.
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

// load lists the module's packages and all they import, without tests, as they are built with cgo on. Packages that don't
// compile are listed all the same: that is for the compiler to say. With its profile the app would have packages of its own in the list.
func load(t *testing.T) map[string]*pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-pgo=off", "-deps", "-json=ImportPath,Dir,Standard,DepOnly,GoFiles,CgoFiles,Imports", "./...")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	pkgs := map[string]*pkg{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("read package list: %v", err)
		}
		pkgs[p.ImportPath] = &p
	}
	if len(pkgs) == 0 {
		t.Fatal("go list names no package")
	}
	return pkgs
}

// matches reports whether a path is the pattern's or, for "x/...", at or below x.
func matches(pattern, p string) bool {
	if dir, ok := strings.CutSuffix(pattern, "/..."); ok {
		return p == dir || strings.HasPrefix(p, dir+"/")
	}
	return pattern == p
}

func matchesAny(patterns []string, p string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, p) })
}

// rowOf returns the row of a package of this module, nil if it has none.
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
	pkgs := load(t)
	present := map[string]bool{}
	for _, p := range pkgs {
		name, ok := own(p.ImportPath)
		if !ok {
			continue
		}
		r := rowOf(name)
		if r == nil {
			t.Errorf("%s has no row in arch_table_test.go: say what it may import, and why", name)
			continue
		}
		present[r.path] = true
		for _, imported := range p.Imports {
			to, ok := own(imported)
			if ok && !matchesAny(r.may, to) && rowOf(to) != r {
				t.Errorf("%s imports %s; it may import %s (%s)", name, to, strings.Join(append(r.may, "nothing else of this module"), ", "), r.reason)
			}
		}
	}
	for _, r := range layers {
		if !present[r.path] {
			t.Logf("%s is in the table and not yet written", r.path)
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

// within reports whether an import path is a module's, or below a prefix that ends between two elements.
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
		if p == nil || p.Standard { // net and os/user have C and a way to do without
			return false
		}
		if _, ours := own(importPath); ours {
			return false // has its own turn
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
			t.Errorf("%s has C in %s", name, strings.Join(p.CgoFiles, ", "))
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

// reach returns a shortest chain of imports from a package to one that is wanted, nil if there is none.
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

func TestBuildsWithoutC(t *testing.T) {
	for _, pattern := range pure {
		t.Run(pattern, func(t *testing.T) {
			folder := strings.TrimSuffix(pattern, "/...")
			if _, err := os.Stat(filepath.Join("..", folder)); errors.Is(err, fs.ErrNotExist) {
				t.Logf("%s is not yet written", folder)
				return
			}
			cmd := exec.CommandContext(t.Context(), "go", "build", "-o", t.TempDir()+"/", pattern)
			cmd.Dir = ".."
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
			// A pattern of packages without a main builds and leaves nothing.
			if out, err := cmd.CombinedOutput(); err != nil && !bytes.Contains(out, []byte("no main packages to build")) {
				t.Errorf("go build %s: %v\n%s", pattern, err, out)
			}
		})
	}
}

// TestOnePackageComment walks the tree itself, so that the go command's test cache sees which files this depends on.
func TestOnePackageComment(t *testing.T) {
	folders := map[string][]string{} // folder → files with a package comment
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			// Not part of the module's packages: hidden folders, test data, modules of their own, what is built.
			if file != ".." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || isModule(file)) || file == "../bin" || file == "../dist" {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			return nil
		}
		folder := filepath.Dir(file)
		if folders[folder] == nil {
			folders[folder] = []string{}
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Errorf("parse %s: %v", file, err)
			return nil
		}
		if parsed.Doc == nil {
			return nil
		}
		folders[folder] = append(folders[folder], name)
		want := "Package " + strings.TrimSuffix(parsed.Name.Name, "_test") + " "
		if parsed.Name.Name == "main" {
			want = "Command " + filepath.Base(folder) + " "
		}
		if text := parsed.Doc.Text(); !strings.HasPrefix(text, want) {
			t.Errorf("%s: the package comment begins %.30q, want %q", file, text, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, files := range folders {
		if len(files) != 1 {
			t.Errorf("%s has %d package comments %v, want one", folder, len(files), files)
		}
	}
}

func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

// Command lint runs vet, staticcheck and a short list of further analyzers, each of which has caught something that the
// tests don't. Other modules are read from what the compiler has made of them for the tests, so that they are compiled
// once.
//
//	lint [-C DIR] PACKAGE…
//
// A line that says //nolint:NAME // why is left out.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

func main() {
	dir := flag.String("C", ".", "the module's folder")
	flag.Parse()
	found, err := lint(*dir, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(2)
	}
	for _, f := range found {
		fmt.Println(f)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// lint lists what the analyzers find, in order of place.
func lint(dir string, patterns []string) ([]string, error) {
	top, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	// Without the app's profile, which would have its packages compiled once more.
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule |
		packages.NeedForTest, Dir: top, Tests: true, BuildFlags: []string{"-pgo=off"}}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	pkgs, err := chosen(loaded)
	if err != nil {
		return nil, err
	}
	all, err := analyzers()
	if err != nil {
		return nil, err
	}
	graph, err := checker.Analyze(all, pkgs, nil)
	if err != nil {
		return nil, fmt.Errorf("analyze: %w", err)
	}
	var found []finding
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, fmt.Errorf("%s: %w", act, act.Err)
		}
		for _, d := range act.Diagnostics {
			p := act.Package.Fset.Position(d.Pos)
			if rel, err := filepath.Rel(top, p.Filename); err == nil {
				p.Filename = filepath.ToSlash(rel)
			}
			found = append(found, finding{p, nameOf(act.Analyzer.Name), act.Analyzer.Name, d.Message})
		}
	}
	marked := map[string]map[int]string{}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			name, err := filepath.Rel(top, p.Fset.Position(f.FileStart).Filename)
			if err != nil {
				return nil, err
			}
			if !ast.IsGenerated(f) {
				marked[filepath.ToSlash(name)] = marks(p.Fset, f)
			}
		}
	}
	var out []string
	for _, f := range found {
		// What has no marks is generated, by us or by cgo.
		lines, ours := marked[f.Filename]
		if ours && !strings.Contains(lines[f.Line], f.linter) && !excluded(f) {
			out = append(out, fmt.Sprintf("%s: %s (%s)", f.Position, f.message, f.analyzer))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// chosen are the packages to look at: with its tests where a package has some, and without the main that go test makes.
// Facts come from the module alone; what is to be known of other code, known.go knows.
func chosen(loaded []*packages.Package) ([]*packages.Package, error) {
	ours, tested := map[string]bool{}, map[string]bool{}
	for _, p := range loaded {
		for _, e := range p.Errors {
			return nil, fmt.Errorf("load %s: %w", p, e)
		}
		ours[p.ID] = true
		if p.ForTest == p.PkgPath {
			tested[p.PkgPath] = true
		}
	}
	var out []*packages.Package
	for _, p := range loaded {
		for path, dep := range p.Imports {
			if !ours[dep.ID] {
				delete(p.Imports, path)
			}
		}
		if plain := p.ForTest == ""; !(plain && tested[p.PkgPath]) && !strings.HasSuffix(p.PkgPath, ".test") {
			out = append(out, p)
		}
	}
	return out, nil
}

// finding is one diagnostic. The linter is what a mark calls it.
type finding struct {
	token.Position
	linter, analyzer, message string
}

var mark = regexp.MustCompile(`^//nolint:([a-z,]+)`)

// marks are the linters' names that the lines of a file are marked with.
func marks(fset *token.FileSet, f *ast.File) map[int]string {
	out := map[int]string{}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if m := mark.FindStringSubmatch(c.Text); m != nil {
				out[fset.Position(c.Pos()).Line] += m[1]
			}
		}
	}
	return out
}

var (
	number    = regexp.MustCompile(`^(SA|ST|S|QF)\d`)
	embedding = regexp.MustCompile(`Destroy`)
	usual     = regexp.MustCompile(`(?i)value of ((os\.)?std(out|err)\..*|.*Close|.*Flush|os\.Remove(All)?|` +
		`.*print(f|ln)?|os\.(Un)?Setenv) is`)
)

// nameOf is the name by which people know an analyzer: its suite's.
func nameOf(analyzer string) string {
	if number.MatchString(analyzer) {
		return "staticcheck"
	}
	return analyzer
}

// excluded are findings that are none here.
func excluded(f finding) bool {
	switch f.linter {
	case "errcheck":
		// A test fails anyway. Nothing can be done about most of these where they are deferred after an error or on a
		// file that was only read; Destroy frees native memory, and its error repeats one already returned.
		return strings.HasSuffix(f.Filename, "_test.go") || usual.MatchString(f.message) ||
			strings.HasPrefix(f.Filename, "engine/index/embed/") && embedding.MatchString(f.message)
	case "bodyclose":
		return strings.HasSuffix(f.Filename, "_test.go")
	case "unused":
		return strings.Contains(f.message, " beyondRFC ") // a marker that the output schemas read by reflection
	}
	return false
}

package main

import (
	"cmp"
	"fmt"
	"go/token"
	"os"
	"slices"
	"strings"

	"codeberg.org/polyfloyd/go-errorlint/errorlint"
	"github.com/golangci/misspell"
	"github.com/golangci/rowserrcheck/passes/rowserr"
	"github.com/gordonklaus/ineffassign/pkg/ineffassign"
	"github.com/karamaru-alpha/copyloopvar"
	"github.com/kisielk/errcheck/errcheck"
	sqlclose "github.com/ryanrolds/sqlclosecheck/pkg/analyzer"
	"github.com/timakin/bodyclose/passes/bodyclose"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

// withoutStyle are checks of style that are left to others: comments of packages and names to app/arch_test.go. Errors
// that people are shown begin with a capital where the RFC words them.
var withoutStyle = []string{"ST1000", "ST1003", "ST1005", "ST1016", "ST1020", "ST1021", "ST1022"}

func analyzers() ([]*analysis.Analyzer, error) {
	wrapping := errorlint.NewAnalyzer()
	if err := wrapping.Flags.Set("errorf", "true"); err != nil {
		return nil, err
	}
	all := slices.Concat(vet.Suite, []*analysis.Analyzer{bodyclose.Analyzer, copyloopvar.NewAnalyzer(), wrapping,
		ineffassign.Analyzer, rowserr.NewAnalyzer(), sqlclose.NewDeferOnlyAnalyzer(), unchecked, misspelt, unusedNames})
	for _, a := range slices.Concat(staticcheck.Analyzers, simple.Analyzers, stylecheck.Analyzers) {
		if !slices.Contains(withoutStyle, a.Analyzer.Name) {
			all = append(all, a.Analyzer)
		}
	}
	know()
	return all, nil
}

// unchecked is errcheck, whose own analyzer can't be told what to leave out.
var unchecked = &analysis.Analyzer{Name: "errcheck", Doc: "find errors that nobody looks at", Run: checkErrors}

func checkErrors(pass *analysis.Pass) (any, error) {
	c := errcheck.Checker{Exclusions: errcheck.Exclusions{BlankAssignments: true, TypeAssertions: true,
		Symbols: append([]string{"fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln"}, errcheck.DefaultExcludedSymbols...)}}
	p := &packages.Package{Fset: pass.Fset, Syntax: pass.Files, Types: pass.Pkg, TypesInfo: pass.TypesInfo}
	for _, e := range c.CheckPackage(p).UncheckedErrors {
		reportAt(pass, e.Pos, "error return value of "+cmp.Or(e.SelectorName, e.FuncName)+" is not checked")
	}
	return nil, nil
}

// unusedNames reports what unused finds, which has no diagnostics of its own.
var unusedNames = &analysis.Analyzer{Name: "unused", Doc: "find what nothing uses",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer}, Run: checkUses}

func checkUses(pass *analysis.Pass) (any, error) {
	found := pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result)
	key := func(o unused.Object) string { return fmt.Sprint(o.Position.Filename, o.Position.Line, o.Name) }
	used := map[string]bool{}
	for _, o := range found.Used {
		used[key(o)] = true
	}
	for _, o := range found.Unused {
		if o.Kind != "type param" && !used[key(o)] {
			reportAt(pass, o.Position, o.Kind+" "+o.Name+" is unused")
		}
	}
	return nil, nil
}

// misspelt finds words that are often misspelt, in comments and strings.
var misspelt = &analysis.Analyzer{Name: "misspell", Doc: "find misspelt words", Run: checkWords}

func checkWords(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		f := pass.Fset.File(file.FileStart)
		if strings.HasSuffix(f.Name(), "_test.go") {
			continue // a test of misspelt queries misspells
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			return nil, err
		}
		_, found := words.Replace(string(text))
		for _, d := range found {
			pass.Reportf(f.LineStart(d.Line)+token.Pos(d.Column), "%q is a misspelling of %q", d.Original, d.Corrected)
		}
	}
	return nil, nil
}

var words = func() *misspell.Replacer {
	r := &misspell.Replacer{Replacements: misspell.DictMain}
	r.RemoveRule([]string{"mosquitto"}) // a program
	r.Compile()
	return r
}()

// reportAt reports at a place that is known by name and line.
func reportAt(pass *analysis.Pass, at token.Position, message string) {
	for _, file := range pass.Files {
		if f := pass.Fset.File(file.FileStart); f.Name() == at.Filename {
			pass.Reportf(f.LineStart(at.Line)+token.Pos(at.Column-1), "%s", message)
			return
		}
	}
}

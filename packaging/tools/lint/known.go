package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"honnef.co/go/tools/analysis/facts/deprecated"
	"honnef.co/go/tools/analysis/facts/purity"
	"honnef.co/go/tools/staticcheck/sa5012"
)

// know tells analyzers what they would learn from the sources of other modules: which functions never return, which
// only compute, which want pairs, and what is deprecated. To read all those sources takes longer than all the rest.
func know() {
	tell(ctrlflow.Analyzer, named(neverReturns, nil))
	tell(purity.Analyzer, named(pure, &purity.IsPure{}))
	tell(sa5012.Analyzer, named("strings.NewReplacer", nil))
	sources := &docs{fset: token.NewFileSet(), files: map[string]map[int]string{}}
	tell(deprecated.Analyzer, func(pass *analysis.Pass, o types.Object) (analysis.Fact, bool) {
		if o.Pkg() == nil || strings.HasPrefix(o.Pkg().Path()+"/", pass.Module.Path+"/") {
			return nil, false
		}
		m := sources.deprecation(pass.Fset.Position(o.Pos()))
		return &deprecated.IsDeprecated{Msg: m}, m != ""
	})
}

// tell gives an analyzer a fact about objects of other modules. Some only ask whether there is one, others list them.
func tell(a *analysis.Analyzer, fact func(*analysis.Pass, types.Object) (analysis.Fact, bool)) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		own := *pass
		own.ImportObjectFact = func(o types.Object, f analysis.Fact) bool {
			_, known := fact(pass, o)
			return known || pass.ImportObjectFact(o, f)
		}
		own.AllObjectFacts = func() []analysis.ObjectFact {
			all, seen := pass.AllObjectFacts(), map[types.Object]bool{}
			for _, o := range pass.TypesInfo.Uses {
				if f, known := fact(pass, o); known && !seen[o] {
					all, seen[o] = append(all, analysis.ObjectFact{Object: o, Fact: f}), true
				}
			}
			return all
		}
		return run(&own)
	}
}

// named is a fact about functions by their full names.
func named(names string, f analysis.Fact) func(*analysis.Pass, types.Object) (analysis.Fact, bool) {
	known := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		known[name] = true
	}
	return func(_ *analysis.Pass, o types.Object) (analysis.Fact, bool) {
		fn, ok := o.(*types.Func)
		return f, ok && known[fn.FullName()]
	}
}

const (
	neverReturns = `os.Exit syscall.Exit runtime.Goexit log.Fatal log.Fatalf log.Fatalln log.Panic log.Panicf log.Panicln
		(*testing.common).FailNow (*testing.common).Fatal (*testing.common).Fatalf
		(*testing.common).SkipNow (*testing.common).Skip (*testing.common).Skipf`
	// as honnef.co/go/tools/analysis/facts/purity has them
	pure = `errors.New fmt.Errorf fmt.Sprintf fmt.Sprint sort.Reverse strings.Map strings.Repeat
		strings.Replace strings.Title strings.ToLower strings.ToLowerSpecial strings.ToTitle
		strings.ToTitleSpecial strings.ToUpper strings.ToUpperSpecial strings.Trim strings.TrimFunc
		strings.TrimLeft strings.TrimLeftFunc strings.TrimPrefix strings.TrimRight
		strings.TrimRightFunc strings.TrimSpace strings.TrimSuffix (*net/http.Request).WithContext
		time.Now time.Parse time.ParseInLocation time.Unix time.UnixMicro time.UnixMilli
		(time.Time).Add (time.Time).AddDate (time.Time).After (time.Time).Before (time.Time).Clock
		(time.Time).Compare (time.Time).Date (time.Time).Day (time.Time).Equal (time.Time).Format
		(time.Time).GoString (time.Time).GobEncode (time.Time).Hour (time.Time).ISOWeek (time.Time).In
		(time.Time).IsDST (time.Time).IsZero (time.Time).Local (time.Time).Location
		(time.Time).MarshalBinary (time.Time).MarshalJSON (time.Time).MarshalText (time.Time).Minute
		(time.Time).Month (time.Time).Nanosecond (time.Time).Round (time.Time).Second
		(time.Time).String (time.Time).Sub (time.Time).Truncate (time.Time).UTC (time.Time).Unix
		(time.Time).UnixMicro (time.Time).UnixMilli (time.Time).UnixNano (time.Time).Weekday
		(time.Time).Year (time.Time).YearDay (time.Time).Zone (time.Time).ZoneBounds`
)

// docs are comments of declarations by file and line, as far as they say that something is deprecated.
type docs struct {
	fset  *token.FileSet
	mu    sync.Mutex
	files map[string]map[int]string
}

// deprecation is what the comment of the declaration at a place says of it.
func (d *docs) deprecation(at token.Position) string {
	if rest, ok := strings.CutPrefix(at.Filename, "$GOROOT"); ok { // as the standard library names its own
		at.Filename = filepath.Join(runtime.GOROOT(), rest)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	lines, known := d.files[at.Filename]
	if !known {
		lines = map[int]string{}
		d.files[at.Filename] = lines
		f, err := parser.ParseFile(d.fset, at.Filename, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return "" // of cgo's, or not in Go
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				for _, s := range n.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						d.add(lines, []*ast.Ident{s.Name}, n.Doc, s.Doc)
					case *ast.ValueSpec:
						d.add(lines, s.Names, n.Doc, s.Doc)
					}
				}
			case *ast.FuncDecl:
				d.add(lines, []*ast.Ident{n.Name}, n.Doc)
				return false
			case *ast.Field:
				d.add(lines, n.Names, n.Doc)
			}
			return true
		})
	}
	return lines[at.Line]
}

func (d *docs) add(lines map[int]string, names []*ast.Ident, docs ...*ast.CommentGroup) {
	for _, doc := range docs {
		for paragraph := range strings.SplitSeq(doc.Text(), "\n\n") {
			if m, ok := strings.CutPrefix(paragraph, "Deprecated: "); ok {
				for _, n := range names {
					lines[d.fset.Position(n.Pos()).Line] = strings.ReplaceAll(m, "\n", " ")
				}
			}
		}
	}
}

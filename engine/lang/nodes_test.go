package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"searchmcp/engine/lang/tree"
)

// Each type of node in the rules of a language exists in its grammar. A misspelt type would be ignored.
func TestRulesNameTypes(t *testing.T) {
	for name, l := range known().languages {
		names := tree.NamesOf(name)
		if (names != nil) != (l.Rules != nil) {
			t.Errorf("%s has a grammar: %v; it has rules: %v", name, names != nil, l.Rules != nil)
		}
		for n := range l.Rules {
			if !hasType(names, n) {
				t.Errorf("%s has no node %q", name, n)
			}
		}
	}
}

func hasType(names *tree.Names, name string) bool {
	return slices.Contains(names.Types, tree.Type{Name: name, Named: true})
}

// namesNodes matches a naming with types of nodes or with a field.
var namesNodes = regexp.MustCompile(`\b(first|all|components|field|scriptKey|scriptField)\(([^()]+)\)`)

// Each other type of node and field in the package exists in a grammar.
func TestNodeTypes(t *testing.T) {
	types, fields := map[string]bool{}, map[string]bool{}
	words := func(e ast.Expr, into map[string]bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				for w := range strings.FieldsSeq(text) {
					into[w] = true
				}
			}
			return true
		})
	}
	isType := func(e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			id, ok := e.(*ast.Ident)
			return ok && (id.Name == "kind" || id.Name == "node")
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Type"
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				name := ""
				switch fun := n.Fun.(type) {
				case *ast.Ident:
					name = fun.Name
				case *ast.SelectorExpr:
					name = fun.Sel.Name
				}
				switch name {
				case "firstOf", "allOf", "child", "deep", "nodes":
					words(n.Args[len(n.Args)-1], types)
				case "ChildByFieldName", "byField", "scriptKey", "scriptField", "field":
					words(n.Args[len(n.Args)-1], fields)
				}
			case *ast.BinaryExpr:
				if isType(n.X) && (n.Op == token.EQL || n.Op == token.NEQ) {
					words(n.Y, types)
				}
			case *ast.SwitchStmt:
				if n.Tag != nil && isType(n.Tag) {
					for _, c := range n.Body.List {
						for _, e := range c.(*ast.CaseClause).List {
							words(e, types)
						}
					}
				}
			}
			return true
		})
	}
	tables, err := filepath.Glob("languages/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tables {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range namesNodes.FindAllStringSubmatch(string(text), -1) {
			into := types
			if m[1] == "field" || strings.HasPrefix(m[1], "script") {
				into = fields
			}
			for w := range strings.FieldsFuncSeq(m[2], func(r rune) bool { return r == ',' || r == '>' }) {
				into[w] = true
			}
		}
	}
	if len(types) < 100 || len(fields) < 10 {
		t.Fatalf("found %d types and %d fields", len(types), len(fields))
	}
	known := func(has func(*tree.Names) bool) bool {
		return slices.ContainsFunc(Names(), func(name string) bool {
			n := tree.NamesOf(name)
			return n != nil && has(n)
		})
	}
	for n := range types {
		if !known(func(names *tree.Names) bool { return hasType(names, n) }) {
			t.Errorf("no grammar has a node %q", n)
		}
	}
	for f := range fields {
		if !known(func(names *tree.Names) bool { return names.Fields[f] > 0 }) {
			t.Errorf("no grammar has a field %q", f)
		}
	}
}

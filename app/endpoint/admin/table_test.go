package admin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"searchmcp/app/socket/wire"
)

// TestTableIsComplete checks that each method of app/socket/wire except Hello is served exactly once.
func TestTableIsComplete(t *testing.T) {
	files, err := filepath.Glob("../../socket/wire/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	named := []string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, isValue := n.(*ast.ValueSpec)
			if !isValue || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Method") {
				return true
			}
			sum, isSum := spec.Values[0].(*ast.BinaryExpr)
			if !isSum {
				t.Errorf("%s is no Prefix + name", spec.Names[0].Name)
				return true
			}
			name, err := strconv.Unquote(sum.Y.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			named = append(named, wire.Prefix+name)
			return true
		})
	}
	served := append(Names(), string(wire.MethodHello))
	slices.Sort(named)
	slices.Sort(served)
	if !slices.Equal(named, served) {
		t.Errorf("served are\n%v\nand app/socket/wire names\n%v", served, named)
	}
}

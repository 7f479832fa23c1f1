package treesitter

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/lang/tree"
)

var update = flag.Bool("update", false, "write names.txt of package tree anew")

const namesFile = "../../../lang/tree/names.txt"

// Package tree has a copy of the grammars' node names. After another version of the grammars:
//
//	go test ./engine/index/chunk/treesitter -run TestNames -update
func TestNames(t *testing.T) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(parsers)) {
		types, fields := table(parsers[name])
		fmt.Fprintf(&b, "@%s\n", name)
		for _, ty := range types {
			if ty.Named && ty.Name[0] != '@' && ty.Name[0] != '.' && ty.Name[0] != '"' {
				fmt.Fprintf(&b, "%s\n", ty.Name)
			} else {
				fmt.Fprintf(&b, "%q\n", ty.Name)
			}
		}
		for _, f := range fields[1:] {
			fmt.Fprintf(&b, ".%s\n", f)
		}
	}
	if *update {
		must(t, os.WriteFile(namesFile, []byte(b.String()), 0o644))
		return
	}
	have, err := os.ReadFile(namesFile)
	must(t, err)
	if string(have) != b.String() {
		t.Error("names.txt is of other grammars: write it anew with -update")
	}
	for name, grammar := range parsers {
		types, fields := table(grammar)
		n := tree.NamesOf(name)
		if !slices.Equal(n.Types, types) || len(n.Fields) != len(fields)-1 || len(fields) > 64 {
			t.Errorf("%s: %d types and %d fields, want %d and %d",
				name, len(n.Types), len(n.Fields), len(types), len(fields)-1)
		}
	}
}

package symbol_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
	"searchmcp/engine/search/symbol"
)

var update = flag.Bool("update", false, "write the golden files anew")

var trees = chunk.NewTrees(treesitter.Parse)

func extract(t *testing.T, path, text, name string) symbol.File {
	t.Helper()
	language := lang.OfFile(path, []byte(text))
	d := chunk.Plain(language, text)
	if chunk.HasGrammar(language) {
		f := chunk.File{Language: language, Text: text}
		parsed, err := trees.Tree(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if d, err = trees.Document(f, parsed); err != nil {
			t.Fatal(err)
		}
		defer d.Close()
	}
	out := symbol.Extract(d, name)
	out.Imports = symbol.Imports(d)
	return out
}

var roles = map[symbol.Role]string{symbol.Mention: "mention", symbol.Call: "call", symbol.Import: "import",
	symbol.Key: "key", symbol.String: "string", symbol.Comment: "comment"}

// describe lists the occurrences of a name in a file, in file order, with their source lines.
func describe(f symbol.File, text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	for _, d := range f.Definitions {
		inner := ""
		if d.Inner {
			inner = " inner"
		}
		out = append(out, fmt.Sprintf("%03d:%02d def %s %s%s | %s | %s", d.NameLine, d.Column, d.Kind,
			strings.Join(append(slices.Clone(d.Scope), d.Name), "."), inner, d.Signature, d.Comment))
	}
	for _, r := range f.References {
		s := fmt.Sprintf("%03d:%02d %s", r.Line, r.Column, roles[r.Role])
		if r.Local {
			s += " local"
		}
		if r.Exact {
			s += " exact"
		}
		if r.Receiver != "" {
			s += " on " + r.Receiver
		}
		if r.Type != "" {
			s += " of " + r.Type
		}
		if len(r.In) > 0 {
			s += " in " + strings.Join(r.In, ".")
		}
		out = append(out, s+" | "+strings.TrimSpace(lines[r.Line-1]))
	}
	slices.Sort(out)
	return strings.Join(out, "\n") + "\n"
}

// Each type of node in engine/lang exists in a grammar. A misspelt type would be ignored.
func TestNodes(t *testing.T) {
	known := map[string]bool{}
	for _, l := range lang.Names() {
		if names := tree.NamesOf(l); names != nil {
			for _, n := range names.Types {
				known[n.Name] = known[n.Name] || n.Named
			}
		}
	}
	for _, set := range []map[string]bool{lang.Declaring, lang.Importing, lang.CallNodes, lang.Keyed, lang.KeyedBy} {
		for name := range set {
			if !known[name] {
				t.Errorf("no grammar has the node %s", name)
			}
		}
	}
}

// Each file of testdata uses the name rotate in the forms of its language. Its golden file contains the result.
func TestExtract(t *testing.T) {
	files, err := filepath.Glob("testdata/rotate.*")
	if err != nil || len(files) == 0 {
		t.Fatal("no test files", err)
	}
	languages := map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		languages[lang.OfFile(path, text)] = true
		got := describe(extract(t, path, string(text), "rotate"), string(text))
		golden := path + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", path, got, want)
		}
	}
	for _, l := range strings.Fields(
		"bash c cpp csharp elixir go java javascript kotlin lua php python ruby rust scala swift tsx typescript") {
		if !languages[l] {
			t.Errorf("no test of %s", l)
		}
	}
}

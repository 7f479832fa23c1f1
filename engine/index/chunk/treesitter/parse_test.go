package treesitter

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"

	"searchmcp/engine/lang/tree"
)

// The list of nodes equals the library's tree, each with its place, parent and fields, in every language, also
// after encoding and decoding.
func TestFlat(t *testing.T) {
	extensions := map[string]string{
		".sh": "bash", ".c": "c", ".cpp": "cpp", ".cs": "csharp", ".ex": "elixir", ".go": "go", ".java": "java",
		".js": "javascript", ".kt": "kotlin", ".lua": "lua", ".php": "php", ".py": "python", ".rb": "ruby",
		".rs": "rust", ".scala": "scala", ".swift": "swift", ".tsx": "tsx", ".ts": "typescript",
	}
	seen := map[string]int{}
	for _, pattern := range []string{"../testdata/*", "../testdata/*/*", "../../../search/symbol/testdata/*"} {
		paths, err := filepath.Glob(pattern)
		must(t, err)
		for _, path := range paths {
			language := extensions[filepath.Ext(path)]
			if language == "" {
				continue
			}
			text, err := os.ReadFile(path)
			must(t, err)
			seen[language]++
			for _, cut := range []int{len(text), 2 * len(text) / 3} { // truncated, so that it has errors
				sameTrees(t, path, language, text[:cut])
			}
		}
	}
	for _, l := range extensions {
		if seen[l] == 0 {
			t.Errorf("no file of %s", l)
		}
	}
}

func sameTrees(t *testing.T, path, language string, text []byte) {
	t.Helper()
	p := sitter.NewParser()
	defer p.Close()
	p.SetLanguage(sitter.NewLanguage(parsers[language]))
	want, err := p.ParseCtx(t.Context(), nil, text)
	must(t, err)
	flat, err := Parse(language, string(text))
	must(t, err)
	defer flat.Close()
	b, ok := tree.Encode(flat)
	if !ok {
		t.Fatalf("%s: not written", path)
	}
	read, err := tree.Decode(tree.NamesOf(language), b, len(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer read.Close()
	if again, _ := tree.Encode(read); !bytes.Equal(again, b) {
		t.Errorf("%s: encoding the decoded tree gives other bytes", path)
	}
	_, fields := table(parsers[language])
	sameNodes(t, path, want.RootNode(), flat.Root(), fields[1:])
	withoutMarks(t, path, flat.Root(), read.Root(), fields[1:])
}

func named(n tree.Node) (count int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.IsNamed() {
			count++
		}
	}
	return count
}

// withoutMarks fails if the decoded tree differs from the parsed one by more than unnamed leaves without a field.
func withoutMarks(t *testing.T, path string, parsed, read tree.Node, fields []string) {
	t.Helper()
	if parsed.Symbol() != read.Symbol() || parsed.StartByte() != read.StartByte() || parsed.EndByte() != read.EndByte() ||
		parsed.HasError() != read.HasError() || parsed.IsError() != read.IsError() ||
		named(parsed) != named(read) {
		t.Fatalf("%s: %s at %d to %d is read as %s at %d to %d", path, parsed.Type(), parsed.StartByte(), parsed.EndByte(),
			read.Type(), read.StartByte(), read.EndByte())
	}
	asked := map[tree.Node]string{}
	for _, f := range fields {
		if n := parsed.ChildByFieldName(f); n != nil {
			asked[n] = f
		}
	}
	named := 0
	r := read.FirstChild()
	for p := parsed.FirstChild(); p != nil; p = p.NextSibling() {
		isNamed := parsed.NamedChild(named) == p
		if isNamed {
			named++
		}
		if r == nil || p.Symbol() != r.Symbol() || p.StartByte() != r.StartByte() || p.EndByte() != r.EndByte() {
			if isNamed || p.FirstChild() != nil || asked[p] != "" {
				t.Fatalf("%s: %s at %d is not read", path, p.Type(), p.StartByte())
			}
			continue
		}
		if f := asked[p]; f != "" && read.ChildByFieldName(f) != r {
			t.Errorf("%s: field %s of %s at %d is not read", path, f, parsed.Type(), parsed.StartByte())
		}
		withoutMarks(t, path, p, r, fields)
		r = r.NextSibling()
	}
	if r != nil {
		t.Fatalf("%s: %s at %d is read with more children", path, parsed.Type(), parsed.StartByte())
	}
}

func sameNodes(t *testing.T, path string, want *sitter.Node, got tree.Node, fields []string) {
	if !same(want, got) || int(want.NamedChildCount()) != named(got) || want.HasError() != got.HasError() ||
		want.IsError() != got.IsError() || int(want.Symbol()) != got.Symbol() {
		t.Fatalf("%s: %s at %d to %d is %s at %d to %d", path, want.Type(), want.StartByte(), want.EndByte(),
			got.Type(), got.StartByte(), got.EndByte())
	}
	for _, f := range fields {
		if w, g := want.ChildByFieldName(f), got.ChildByFieldName(f); !same(w, g) {
			t.Errorf("%s: field %s of %s at %d: found %v, want %v", path, f, want.Type(), want.StartByte(), g != nil, w != nil)
		}
	}
	root := got
	for root.Parent() != nil {
		root = root.Parent()
	}
	top := want
	for top.Parent() != nil {
		top = top.Parent()
	}
	if w, g := top.NamedDescendantForPointRange(want.StartPoint(), want.EndPoint()),
		root.Named(int(want.StartByte()), int(want.EndByte())); !same(w, g) {
		t.Fatalf("%s: named at %d to %d: %s, want %s", path, want.StartByte(), want.EndByte(), g.Type(), w.Type())
	}
	child := got.FirstChild()
	named := 0
	for i := range int(want.ChildCount()) {
		w := want.Child(i)
		if child == nil || child.Parent() != got {
			t.Fatalf("%s: %s at %d has no child %d", path, want.Type(), want.StartByte(), i)
		}
		if w.IsNamed() {
			if got.NamedChild(named) != child {
				t.Fatalf("%s: named child %d of %s at %d", path, named, want.Type(), want.StartByte())
			}
			named++
		}
		sameNodes(t, path, w, child, fields)
		child = child.NextSibling()
	}
	if child != nil {
		t.Fatalf("%s: %s at %d has more children", path, want.Type(), want.StartByte())
	}
}

func same(want *sitter.Node, got tree.Node) bool {
	if want == nil || got == nil {
		return want == nil && got == nil
	}
	return want.Type() == got.Type() && want.StartByte() == got.StartByte() && want.EndByte() == got.EndByte()
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

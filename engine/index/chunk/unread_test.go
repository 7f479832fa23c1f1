package chunk

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/lang"

	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/lang/tree"
)

var unreadIn = flag.String("unread", "",
	"list the largest spans that grammars leave unread in the files of this folder")

// unread is a part of a file with a syntax error.
type unread struct {
	path, language, text string
	line, size           int
}

// TestUnread checks how much the grammars of C leave unread in sources full of macros. With -unread it lists the
// unread parts of a folder:
//
//	go test ./engine/index/chunk -run TestUnread -v -unread ~/.cache/searchmcp/quality/source
func TestUnread(t *testing.T) {
	if *unreadIn == "" {
		for _, source := range [][2]string{
			{"c", "LOCAL int f(int a);\nZEXTERN int ZEXPORT g(void);\nlocal uLong h(uLong x) {\n    return x;\n}\n" +
				"int ZEXPORT k(s)\n    char *s;\n{\n    return 0;\n}\n"},
			{"c", "#ifdef COPY\nvoid a(int x) {\n#else\nvoid b(void) {\n#endif\n    c();\n}\n"},
			{"c", "#ifdef __cplusplus\nextern \"C\"\n{\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n"},
			{"cpp", "class FOO_EXPORT Bar : public Baz {\npublic:\n  FOO_INVOKABLE void run();\n};\n" +
				"EXPORT void CALLBACK done(int a) {}\n"},
			{"rust", "macro_rules! each { ($($t:ty)*) => { $(impl Trait for $t { fn get(&self) -> u8 { 0 } })* } }\n"},
			{"rust", "ffi_fn! {\n    fn version() -> u8 {\n        1\n    } ?= 0\n}\nunsafe extern \"C\" {\n    fn f();\n}\n"},
			{"typescript",
				"interface Made {\n  <T>(value: T): Set<T>\n  <K, V>(value: Map<K, V>): Made\n  // named\n" +
					"  (name: string): void\n  <\n    T,\n  >(one: T): T\n}\n"},
			{"csharp", "class A {\n#if X\n    void F() {\n#else\n    void G() {\n#endif\n    }\n}\n"},
		} {
			language, text := source[0], source[1]
			for _, u := range unreadOf(t, "a", language, []byte(text)) {
				t.Errorf("%s: %d: %s", language, u.line, u.text)
			}
		}
		return
	}
	var all []unread
	total, files, broken := map[string]int{}, map[string]int{}, map[string]int{}
	err := filepath.WalkDir(*unreadIn, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.Contains(path, "/.git/") {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) > hugeFile {
			return nil
		}
		language := Language(path, data[:min(len(data), 4096)])
		if !HasGrammar(language) || !Parseable(Text(data)) {
			return nil
		}
		total[language] += len(data)
		files[language]++
		found := unreadOf(t, path, language, data)
		if len(found) > 0 {
			broken[language]++
		}
		all = append(all, found...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]int{}
	for _, u := range all {
		left[u.language] += u.size
	}
	languages := slices.SortedFunc(func(yield func(string) bool) {
		for l := range total {
			if !yield(l) {
				return
			}
		}
	}, func(a, b string) int { return cmp.Compare(left[b]*1000/total[b], left[a]*1000/total[a]) })
	for _, l := range languages {
		fmt.Printf("%-12s %5d files, %4d with something unread, %5.2f %% of %d bytes\n", l, files[l], broken[l],
			100*float64(left[l])/float64(total[l]), total[l])
		var worst []unread
		for _, u := range all {
			if u.language == l {
				worst = append(worst, u)
			}
		}
		slices.SortFunc(worst, func(a, b unread) int { return cmp.Compare(b.size, a.size) })
		for _, u := range worst[:min(len(worst), 12)] {
			fmt.Printf("    %6d %s:%d %.150q\n", u.size, strings.TrimPrefix(u.path, *unreadIn), u.line, u.text)
		}
	}
}

// unreadOf returns the outermost errors of a file's tree.
func unreadOf(t *testing.T, path, language string, data []byte) []unread {
	src, _ := newSource(data)
	g, err := NewTrees(treesitter.Language).grammar(language)
	if err != nil {
		t.Fatal(err)
	}
	made, err := g.parse(src.text)
	if err != nil {
		return []unread{{path, language, err.Error(), 1, len(src.text)}}
	}
	defer made.Close()
	var out []unread
	var walk func(n tree.Node, depth int)
	walk = func(n tree.Node, depth int) {
		if n.IsError() {
			text := src.text[n.StartByte():n.EndByte()]
			out = append(out, unread{path, language, text, src.lineAt(int(n.StartByte())) + 1, len(text)})
			return
		}
		if !n.HasError() || depth > lang.MaxDepth {
			return
		}
		for i := range int(n.NamedChildCount()) {
			walk(n.NamedChild(i), depth+1)
		}
	}
	walk(made.Root(), 0)
	return out
}

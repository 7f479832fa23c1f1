package term

import (
	"bytes"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	all "github.com/alecthomas/chroma/v2/lexers"
)

var update = flag.Bool("update", false, "write the lexers of the pinned chroma")

// coloured are the languages that are coloured at a terminal, by chroma's names.
var coloured = strings.Split(
	"Bash, C, C#, C++, Clojure, CMake, CSS, Dart, Diff, Docker, Elixir, Erlang, Fish, FSharp, Go, GraphQL, Groovy, "+
		"Haskell, HCL, HTML, INI, Java, JavaScript, JSON, Julia, Kotlin, Lua, Makefile, markdown, Nix, Objective-C, OCaml, "+
		"Perl, PHP, PowerShell, properties, Protocol Buffer, Python, R, react, Ruby, Rust, Scala, SCSS, SQL, Swift, "+
		"Terraform, TOML, TypeScript, VimL, vue, XML, YAML, Zig", ", ")

// TestLexers compares the lexers with those of the pinned chroma.
func TestLexers(t *testing.T) {
	want := map[string][]byte{}
	for _, name := range coloured {
		lexer := all.Get(name)
		if v := reflect.ValueOf(lexer).Elem().FieldByName("Lexer"); v.IsValid() { // one around another
			lexer, _ = v.Interface().(chroma.Lexer)
		}
		of, is := lexer.(*chroma.RegexLexer)
		if !is {
			t.Fatalf("%s: %T", name, lexer)
		}
		text, err := chroma.Marshal(of)
		if err != nil { // Go's strings are read by a function, as templates
			if text, err = chroma.Marshal(withoutFunctions(t, of)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		want[strings.ReplaceAll(strings.ToLower(name), " ", "-")+".xml"] = sorted(text)
	}
	have, err := filepath.Glob("lexers/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range have {
		if want[filepath.Base(file)] != nil {
			continue
		}
		if !*update {
			t.Errorf("%s is not one of them", file)
		} else if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range want {
		file := filepath.Join("lexers", name)
		if *update {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s is not that of the pinned chroma (go test ./app/cli/term -run TestLexers -update): %v", file, err)
		}
	}
}

var state = regexp.MustCompile(`(?s)\s*<state [^>]*/>|\s*<state [^>]*>.*?</state>`)

// sorted is a lexer's file with its states in order, which the library writes in any.
func sorted(text []byte) []byte {
	states := state.FindAllString(string(text), -1)
	slices.Sort(states)
	n := 0
	text = state.ReplaceAllFunc(text, func([]byte) []byte { n++; return []byte(states[n-1]) })
	return append(text, '\n')
}

// withoutFunctions is a lexer for which a string is a string where a rule of its is a function, which no file can hold.
func withoutFunctions(t *testing.T, l *chroma.RegexLexer) *chroma.RegexLexer {
	rules, err := l.Rules()
	if err != nil {
		t.Fatal(err)
	}
	rules = rules.Clone()
	for _, state := range rules {
		for i := range state {
			if _, err := xml.Marshal(state[i]); err != nil {
				state[i].Type = chroma.LiteralString
			}
		}
	}
	plain, err := chroma.NewLexer(l.Config(), func() chroma.Rules { return rules })
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// TestColour reads a little of each language as chroma's own lexers do.
func TestColour(t *testing.T) {
	for path, text := range map[string]string{
		"a.go": "// f\nfunc f() string { return \"x\" + 1 }",
		"a.py": "def f(x: int) -> str:\n    \"\"\"Doc.\"\"\"\n    return 'a'",
		"a.ts": "const x: number = 1; // y", "a.html": "<p class=\"a\">b</p><script>let x = 1</script>",
		"README.md": "# T\n\n`a` and\n\n```go\nfunc f()\n```\n",
		"Makefile":  "all: x\n\techo $@", "Dockerfile": "FROM a\nRUN echo b", "a.rs": "fn f<'a>() -> u8 { 1 }",
		"a.vue": "<template><p/></template>",
	} {
		it, err := chroma.Coalesce(all.Match(path)).Tokenise(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tokens(path, text), it.Tokens(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%v\nwant\n%v", path, got, want)
		}
	}
	if got := tokens("a.unheard", "x"); got != nil {
		t.Errorf("%v", got)
	}
}

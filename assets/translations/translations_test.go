package translations

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the texts of the source into en.json and list what other languages lack")

// speakers are the packages with texts for users.
var speakers = []string{"searchmcp/ui/present", "searchmcp/ui/page", "searchmcp/ui", "searchmcp/app/desktop/tray",
	"searchmcp/app/cli"}

func used(t *testing.T) (texts, plurals []string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles"},
		speakers...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	type pkg struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	all := map[string]pkg{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
	found := map[string]map[string]bool{"Text": {}, "Plural": {}}
	for _, path := range speakers {
		fset := token.NewFileSet()
		exports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser,
			error) {
			return os.Open(all[path].Export)
		})
		var files []*ast.File
		for _, name := range all[path].GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(all[path].Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if _, err := (&types.Config{Importer: exports}).Check(path, fset, files, info); err != nil {
			t.Fatal(err)
		}
		for _, v := range info.Types {
			named, ok := types.Unalias(v.Type).(*types.Named)
			if !ok || v.Value == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "searchmcp/assets/translations" {
				continue
			}
			if s := constant.StringVal(v.Value); s != "" {
				found[named.Obj().Name()][s] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found["Text"])), slices.Sorted(maps.Keys(found["Plural"]))
}

func TestComplete(t *testing.T) {
	texts, plurals := used(t)
	if len(texts) < 100 {
		t.Fatalf("only %d texts found in the source", len(texts))
	}
	texts = append(texts, engineTexts(t)...)
	if *update {
		write(t, texts, plurals)
	}
	for _, l := range languages {
		name := l.tag.String() + ".json"
		for _, s := range texts {
			if _, known := l.read().texts[Text(s)]; !known {
				t.Errorf("%s lacks %q", name, s)
			}
		}
		for _, s := range plurals {
			if l.read().forms[Plural(s)]["other"] == "" || l.read().forms[Plural(s)]["one"] == "" {
				t.Errorf("%s lacks the forms of %q", name, s)
			}
		}
		for s := range l.read().texts {
			if !slices.Contains(texts, string(s)) {
				t.Errorf("%s has %q, which is not used", name, s)
			}
		}
		for s := range l.read().forms {
			if !slices.Contains(plurals, string(s)) {
				t.Errorf("%s has forms of %q, which is not used", name, s)
			}
		}
	}
}

// write updates en.json from the source. It derives plurals from the noun; irregular ones are edited by hand.
func write(t *testing.T, texts, plurals []string) {
	t.Helper()
	all := map[string]any{}
	for _, s := range texts {
		all[s] = s
	}
	for _, s := range plurals {
		all[s] = map[string]string{"one": "%s " + s, "other": "%s " + s + "s"}
		if forms, known := english.read().forms[Plural(s)]; known {
			all[s] = forms
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(all); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("en.json", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

var verb = regexp.MustCompile(`%(\[\d\])?[a-z%]`)

func TestVerbs(t *testing.T) {
	count := func(s string) int { return len(verb.FindAllString(strings.ReplaceAll(s, "%%", ""), -1)) }
	for _, l := range languages {
		for key, s := range l.read().texts {
			if count(string(key)) != count(s) {
				t.Errorf("%s: %q for %q", l.tag, s, key)
			}
		}
		for key, forms := range l.read().forms {
			for form, s := range forms {
				if count(s) != 1 {
					t.Errorf("%s: %q for %q, %s", l.tag, s, key, form)
				}
			}
		}
	}
}

func TestFor(t *testing.T) {
	for _, test := range []struct {
		locales []string
		want    string
	}{
		{[]string{"de_DE.UTF-8"}, "Projekte"}, {[]string{"de-AT"}, "Projekte"}, {[]string{"de"}, "Projekte"},
		{[]string{"en_GB"}, "Projects"}, {[]string{"C"}, "Projects"}, {nil, "Projects"}, {[]string{"ja"}, "Projects"},
		{[]string{"ja", "de"}, "Projekte"}, {[]string{"en", "de"}, "Projects"},
	} {
		if got := For(test.locales...).Text("Projects"); got != test.want {
			t.Errorf("%q: %q", test.locales, got)
		}
	}
}

func TestPlural(t *testing.T) {
	german := For("de")
	for _, test := range []struct {
		l    Language
		n    int
		want string
	}{{English, 1, "1 file"}, {English, 0, "0 files"}, {English, 2, "2 files"}, {german, 1, "1 Datei"},
		{german, 5, "5 Dateien"}} {
		if got := fmt.Sprintf(test.l.Plural("file", test.n), fmt.Sprint(test.n)); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

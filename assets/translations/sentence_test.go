package translations

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestWholeSentence(t *testing.T) {
	german := For("de")
	for said, want := range map[string]string{
		"The site can't be used: the address must be an absolute path, an http(s) URL or s3://bucket/key.": "Die " +
			"Website lässt sich nicht verwenden: Die Adresse muss ein absoluter Pfad, eine http(s)-URL oder " +
			"s3://bucket/schlüssel sein.",
		"The site can't be used: fetch index: parse \"x\": bad thing.": "Die Website lässt sich nicht verwenden: " +
			"Index abrufen: „parse \"x\": bad thing“.",
		"The site can't be used: some other words.": "Die Website lässt sich nicht verwenden: „some other words“.",
		"Tracked by Git but not in the index: build/ (3 files): it is always excluded; a.go: an ignore file excludes it; " +
			"and 3 more.": "Von Git erfasst, aber nicht im Index: build/ (3 Dateien): immer ausgeschlossen; a.go: durch " +
			"eine Ignore-Datei ausgeschlossen; und 3 weitere.",
		"line 1, column 3: invalid literal: broken": "Zeile 1, Spalte 3: „invalid literal: broken“",
		"9 of 12 folders are not watched but checked every 30s, because the system's limit of 8192 inotify watches is " +
			"reached; to lift it: sudo sysctl fs.inotify.max_user_watches=524288.": "9 von 12 Ordnern werden nicht " +
			"überwacht, sondern alle 30s geprüft: Die Grenze des Systems von 8192 inotify-Überwachungen ist erreicht; " +
			"anheben mit: sudo sysctl fs.inotify.max_user_watches=524288.",
		"a.epub: files of that kind are not read; save the page as HTML or its text as Markdown": "a.epub: Dateien " +
			"dieser Art werden nicht gelesen; speichern Sie die Seite als HTML oder ihren Text als Markdown",
		"docs/q.pdf: it is too large":           "docs/q.pdf: zu groß",
		"Whatever it is must be what they want": "Whatever it is must be what they want",
		"/home/my files/x is write-protected, so it was left unchanged.": "/home/my files/x ist schreibgeschützt und " +
			"blieb deshalb unverändert.",
	} {
		if got := Sentence(german, said); got != want {
			t.Errorf("%q\nbecame %q\nwant   %q", said, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	german := For("de")
	gone := "This project's folder can't be found. Its index is kept; " +
		"only searches by words, meaning and path answer from it."
	for said, want := range map[string]string{
		"The folder can't be found.":              "Der Ordner wurde nicht gefunden.",
		"The folder '/home/ada/x' doesn't exist.": "Der Ordner „/home/ada/x“ existiert nicht.",
		// The name is a known word.
		"The folder 'Search' doesn't exist.": "Der Ordner „Search“ existiert nicht.",
		"12 of 300 folders can't be watched and are checked every 30s.": "12 von 300 Ordnern können nicht überwacht " +
			"werden und werden alle 30s geprüft.",
		"Not searched: /home/ada/x. The folder can't be read.": "Nicht durchsucht: /home/ada/x. Der " +
			"Ordner ist nicht lesbar.",
		"Project gone: " + gone: "Projekt gone: " + german.Text(Text(gone)),
		"Projects a, b, c, …: Indexing is paused; recent changes may be missing.": "Projekte a, b, c, …: " +
			german.Text("Indexing is paused; recent changes may be missing."),
		"Search by meaning covers 43 % of the project so far; search by words covers all of it.": "Die " +
			"Suche nach Bedeutung erfasst bisher 43 % des Projekts, die Suche nach Wörtern alles.",
		"maxFiles must be a whole number above 0; 50000 is used instead.": "maxFiles " +
			"muss eine ganze Zahl über 0 sein; stattdessen gilt 50000.",
		"A sentence of somebody else.": "A sentence of somebody else.",
		"":                             "",
	} {
		if got := Sentence(german, said); got != want {
			t.Errorf("%q\nbecame %q\nwant   %q", said, got, want)
		}
		if got := Sentence(English, said); got != said {
			t.Errorf("English %q became %q", said, got)
		}
	}
}

var sources = []string{"../../engine", "../../app/desktop/connect", "../../app/endpoint/admin",
	"../../app/endpoint/session"}

// Sentences in the engine that no window shows.
var elsewhere = []string{
	// terminal and bug reports, in English
	"engine/project/omissions.go", "engine/sources/sitebuild.go", "engine/sources/site/build.go",
	"engine/index/embed/download.go", // logged
	"engine/search/report.go",        // regular expressions
	"app/desktop/connect/entry.go",   // an editor's description of the server
}

// sentence matches a sentence for users, which begins with a capital or a name and ends with punctuation. It excludes
// SQL.
var (
	sentence = regexp.MustCompile(`^(?:[A-Z][a-z]|%[sd] ).* .*[.?…]$`)
	verbOf   = regexp.MustCompile(`%[dvq]`)
)

// literals returns the string literals and concatenations in the sources, with %s for other operands, by file.
func literals(t *testing.T, sources []string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, root := range sources {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "quality"):
				return filepath.SkipDir
			case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				s, is := written(n)
				if is && !helps(n) {
					all[path] = append(all[path], verbOf.ReplaceAllString(s, "%s"))
				}
				return !is && !helps(n)
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// composed are sentences that the engine builds from parts.
var composed = []string{"%s is a duplicate of %s", "%s, process %s", "%s, started by %s, process %s",
	"Searched by words only: search by meaning isn't available right now.",
	"Searched by words only: the semantic search takes too long right now.",
	"Searched by words only: the model is still loading.",
	"An ignore file can't be read, so everything that it could exclude is excluded: %s",
	"config.json can't be read: %s", "the global configuration: %s", "line %s, column %s: %s", "must match %s, but is %s",
	"must be a domain like %s, but is %s", "must be a number, but is %s", "must be an array, but is %s",
	"must be an array of strings, but is %s", "Project %s: %s", "Projects %s: %s",
	"This folder has no git repository. Changes are indexed when no file has changed for %s, and before each search.",
	"The git repository can't be watched for commits (%s). Changes are indexed when no file has changed for %s, and " +
		"before each search.",
	"Downloading embedding model... (one-time, ~%sMB) %s %%",
	"Archive database not found: %s.", "The file is not an archive of Search MCP: %s.",
	"The archive database is damaged: %s.", "The archive was created by a newer version of Search MCP: %s.",
	"Another program has switched the archive to write-ahead logging; importing a folder switches it back: %s.",
	// the ends of sentences
	"the system's limit on %s is reached; to lift it: sudo sysctl %s",
	"the system's limit of %s %s is reached; to lift it: sudo sysctl %s",
	"it did not answer in time", "unknown computer %s", "nothing answers at %s", "there is no file or folder %s",
	"reading %s is not permitted", "the address can't be read: %s", "fetch index: %s", "the server answers %s",
	"it is larger than %s MB", "more than %s redirects", "the site sends to another host; if that is meant, add %s",
	"%s file (%s), about %s of index, done in about %s", "%s files (%s), about %s of index, done in about %s",
	"The index of %s files (%s) is removed. The project's own files are not touched.", "%s (%s files)", "and %s more",
	"“%s”", "'realtime', 'lazy' or 'git'", "%s are free", "%s, searchable after about %s", "invalid setting: %s",
	"missing closing )", "missing closing ]",
	"unexpected )", "missing argument to repetition operator: %s", "invalid or unsupported Perl syntax: %s"}

// engineTexts returns the sentences for users in other packages, and their other texts that are translated.
func engineTexts(t *testing.T) []string {
	t.Helper()
	all := slices.Clone(composed)
	for path, texts := range literals(t, []string{"../../engine", "../../app"}) {
		path = filepath.ToSlash(path)
		shown := slices.ContainsFunc(sources, func(s string) bool { return strings.HasPrefix(path, s) }) &&
			!slices.ContainsFunc(elsewhere, func(e string) bool { return strings.HasSuffix(path, e) })
		for _, s := range texts {
			if Known(s) || shown && sentence.MatchString(s) {
				all = append(all, s)
			}
		}
	}
	if len(all) < 200 {
		t.Errorf("only %d sentences found: the test looks in the wrong places", len(all))
	}
	return all
}

// helps reports whether a node documents a setting, for the reference and the terminal.
func helps(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		key, is := n.Key.(*ast.Ident)
		return is && strings.EqualFold(key.Name, "help")
	case *ast.CallExpr:
		name, is := n.Fun.(*ast.Ident)
		return is && (strings.HasSuffix(name.Name, "Field") || name.Name == "toggle") // config.json's fields, settings
	}
	return false
}

func written(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			s, err := strconv.Unquote(n.Value)
			return s, err == nil
		}
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			a, left := written(n.X)
			b, right := written(n.Y)
			if !left {
				a = "%s"
			}
			if !right {
				b = "%s"
			}
			return a + b, left || right
		}
	}
	return "", false
}

package app_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var updateWords = flag.Bool("words", false, "write testdata/words.txt anew")

// dialect are words that the comments of this project used for everything, and that a reader can't look up.
var dialect = regexp.MustCompile(`(?i)\b(tells?|told|says|stands|holds|rest|room|whoever)\b`)

// spare is how many more a package may have than testdata/words.txt has, so that moved code is no failure.
const spare = 5

// TestWords compares how often a package's comments use the words of the dialect with testdata/words.txt, which lists
// what is still there.
func TestWords(t *testing.T) {
	found := map[string]int{}
	goFiles(t, func(file string) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("parse %s: %v", file, err)
			return
		}
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
		for _, c := range parsed.Comments {
			found[name] += len(dialect.FindAllString(c.Text(), -1))
		}
	})
	list := filepath.Join("testdata", "words.txt")
	if *updateWords {
		var b bytes.Buffer
		for _, name := range slices.Sorted(maps.Keys(found)) {
			if found[name] > 0 {
				fmt.Fprintf(&b, "%s %d\n", name, found[name])
			}
		}
		if err := os.WriteFile(list, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		name, count, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(count)
		if _, exists := found[name]; err != nil || !exists {
			t.Errorf("%s: %q names no package and count", list, line)
		}
		allowed[name] = n
	}
	for name, n := range found {
		if n > allowed[name]+spare {
			t.Errorf("the comments of %s have %d of the words %s, at most %d", name, n, dialect, allowed[name]+spare)
		}
	}
}

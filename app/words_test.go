package app_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
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

// avoided matches the words that CONTRIBUTING.md replaces.
var avoided = regexp.MustCompile(`(?i)\b(tells?|telling|told|says?|saying|said|stands?|standing|stood|holds?|holding|held|` +
	`rest|room|whoever|somebody|someone|anybody|nobody|one that|of it|what is)\b`)

// ofLocks matches "hold" with a lock as its object, which is a term of the field.
var ofLocks = regexp.MustCompile(`(?i)\b(holds?|holding) (the )?(([a-z]+\.)+[a-z]+|[a-z]*mu|[a-z]*locks?|syncing)\b|` +
	`\b(is|are|be|never|not) held\b|\bheld (over|by|while|across|during)\b`)

// countAvoided returns the number of avoided words in a text.
func countAvoided(text string) int {
	return len(avoided.FindAllString(ofLocks.ReplaceAllString(text, ""), -1))
}

// TestWords compares the number of avoided words in each package's comments, and in the English texts of window and
// tray, with the exceptions in testdata/words.txt.
func TestWords(t *testing.T) {
	found := map[string]int{}
	goFiles(t, parser.ParseComments|parser.SkipObjectResolution, func(folder, _ string, f *ast.File) {
		for _, c := range f.Comments {
			found[folder] += countAvoided(c.Text())
		}
	})
	const texts = "assets/translations/en.json"
	found[texts] = countAvoidedIn(t, filepath.Join("..", texts))
	list := filepath.Join("testdata", "words.txt")
	if *updateWords {
		var b bytes.Buffer
		for _, name := range slices.Sorted(maps.Keys(found)) {
			if found[name] > 0 {
				fmt.Fprintf(&b, "%s %d\n", name, found[name])
			}
		}
		must(t, os.WriteFile(list, b.Bytes(), 0o600))
	}
	text, err := os.ReadFile(list)
	must(t, err)
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
		if n > allowed[name] {
			t.Errorf("%s has %d of the words that CONTRIBUTING.md replaces (%s), at most %d", name, n, avoided, allowed[name])
		}
	}
}

// countAvoidedIn returns the number of avoided words in the strings of a JSON file.
func countAvoidedIn(t *testing.T, file string) (n int) {
	data, err := os.ReadFile(file)
	must(t, err)
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatalf("parse %s: %v", file, err)
	}
	var count func(v any)
	count = func(v any) {
		switch v := v.(type) {
		case string:
			n += countAvoided(v)
		case map[string]any:
			for _, inner := range v {
				count(inner)
			}
		}
	}
	count(tree)
	return n
}

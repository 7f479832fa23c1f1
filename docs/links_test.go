// Package docs holds no code but the test of the documentation's links. It starts no goroutine.
package docs

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// root is the top of the repository.
const root = ".."

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```")
	code    = regexp.MustCompile("`[^`\n]*`")
)

// pages lists the documentation: every Markdown file but those of test data and of other people's packages.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "dist" || d.Name() == "bin" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		out[filepath.Clean(path)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// anchors are those that code hosts give the headings of a page: a heading that comes again gets a number.
func anchors(text string) map[string]bool {
	out, seen := map[string]bool{}, map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		var b strings.Builder
		for _, r := range strings.ToLower(m[1]) {
			switch {
			case r == ' ':
				b.WriteByte('-')
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				b.WriteRune(r)
			}
		}
		name := b.String()
		if n := seen[name]; n > 0 {
			out[name+"-"+string(rune('0'+n))] = true
		}
		seen[name]++
		out[name] = true
	}
	return out
}

// TestLinks: every relative link leads to a file of the repository, and every anchor to a heading.
func TestLinks(t *testing.T) {
	all := pages(t)
	links := 0
	for page, text := range all {
		plain := code.ReplaceAllString(fenced.ReplaceAllString(text, ""), "")
		for _, m := range link.FindAllStringSubmatch(plain, -1) {
			u, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				continue // the test runs without a network
			}
			links++
			target := page
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(u.Path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", page, m[1])
				continue
			}
			if u.Fragment != "" && !anchors(all[target])[u.Fragment] {
				t.Errorf("%s: %s: no such heading", page, m[1])
			}
		}
	}
	if len(all) < 10 || links < 20 {
		t.Errorf("%d pages with %d links", len(all), links)
	}
}

// TestErrorCodes: the guide says of every error code what helps.
func TestErrorCodes(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "engine", "api", "errors.go"))
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("guide.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`Code = "([A-Z_]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 10 {
		t.Fatalf("%d codes", len(codes))
	}
	for _, c := range codes {
		if !strings.Contains(string(guide), "| `"+c[1]+"` |") {
			t.Errorf("the guide has no row for %s", c[1])
		}
	}
}

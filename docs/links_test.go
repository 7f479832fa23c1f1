package docs

import (
	"bytes"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
)

// anchors returns the anchors that code hosts generate for headings. Repeated headings get a number.
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
			out[name+"-"+strconv.Itoa(n)] = true
		}
		seen[name]++
		out[name] = true
	}
	return out
}

// TestLinks checks that relative links lead to files, anchors to headings, and that pictures can be shown and have an
// alternative text.
func TestLinks(t *testing.T) {
	all := pages(t)
	links, pictures := 0, 0
	for _, p := range all {
		plain := span.ReplaceAllString(fenced.ReplaceAllString(p.text, ""), "code")
		for _, m := range link.FindAllStringSubmatch(plain, -1) {
			picture, words, to := m[1] != "", m[2], m[3]
			u, err := url.Parse(to)
			switch {
			case err != nil:
				t.Errorf("%s: %v", p.path, err)
				continue
			case u.Scheme != "" || u.Host != "": // the test runs without a network
				if u.Scheme != "https" || picture {
					t.Errorf("%s: %s is neither a link with https nor a picture in the repository", p.path, to)
				}
				continue
			}
			links++
			target := p.path
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(p.path), filepath.FromSlash(u.Path))
				if below, in := strings.CutPrefix(filepath.ToSlash(target), "../docs/"); in { // the page is outside docs
					target = filepath.FromSlash(below)
				}
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s does not exist", p.path, to)
				continue
			}
			if u.Fragment != "" && !anchors(all[target].text)[u.Fragment] {
				t.Errorf("%s: %s: no such heading", p.path, to)
			}
			if picture {
				pictures++
				data, err := os.ReadFile(target)
				if filepath.Ext(target) != ".svg" { // the test of its generator, app/bench, checks an SVG
					_, err = png.Decode(bytes.NewReader(data))
				}
				if err != nil {
					t.Errorf("%s: picture %s: %v", p.path, to, err)
				}
				if words == "" {
					t.Errorf("%s: picture %s has no alternative text", p.path, to)
				}
			}
		}
	}
	if links < 20 || pictures < 4 {
		t.Errorf("%d links, %d pictures: the expressions may be outdated", links, pictures)
	}
}

// TestErrorCodes checks that the guide documents exactly the error codes in use.
func TestErrorCodes(t *testing.T) {
	codes := map[string]bool{}
	for file, pattern := range map[string]string{
		"engine/api/errors.go": `Code = "([A-Z_]+)"`,
		"app/cli/cli.go":       `api\.(?:New\(|Code = )"([A-Z_]+)"`, // errors of the terminal itself, in JSON
	} {
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		must(t, err)
		found := regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1)
		if len(found) == 0 {
			t.Errorf("%s has no codes: the expression may be outdated", file)
		}
		for _, m := range found {
			codes[m[1]] = true
		}
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| [^|]+ \\| [^|]+ \\|$").FindAllStringSubmatch(
		pages(t)["guide.md"].text, -1) {
		rows[m[1]] = true
	}
	for c := range codes {
		if !rows[c] {
			t.Errorf("the guide has no row for %s", c)
		}
	}
	for c := range rows {
		if !codes[c] {
			t.Errorf("the guide has a row for %s, which no error has", c)
		}
	}
}

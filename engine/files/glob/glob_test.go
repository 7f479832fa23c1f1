package glob

import (
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		pattern string
		yes, no []string
	}{
		{"**/*", []string{"a", "a/b", ".env/x"}, nil},
		{"**/*.go", []string{"a.go", "x/y/a.go"}, []string{"a.gop", "go"}},
		{"src/**", []string{"src", "src/a", "src/a/b"}, []string{"src2/a", "a/src"}},
		{"src/*.{ts,tsx}", []string{"src/a.ts", "src/a.tsx"}, []string{"src/b/a.ts", "src/a.js"}},
		{"{src/**,lib/**}/*.go", []string{"src/a.go", "lib/x/y.go"}, []string{"cmd/a.go"}},
		{"a{,/**}", []string{"a", "a/b/c"}, []string{"ab", "b/a"}},
		{"{a,{b,c}d}x", []string{"ax", "bdx", "cdx"}, []string{"bx", "x"}},
		{"[{,}]x", []string{"{x", ",x", "}x"}, []string{"[x", "x"}},
		{`\{a,b\}`, []string{"{a,b}"}, []string{"a", "b"}},
		{"a{**/b,c}", []string{"ac"}, []string{"ax/y/b"}}, // "**" crosses folders only between slashes
		{"[^a]x", []string{"bx", "äx"}, []string{"ax", "x"}},
		{"?", []string{"a", "ä"}, []string{"ab", "/"}},
	} {
		g, err := Compile(tc.pattern)
		if err != nil {
			t.Errorf("%s: %v", tc.pattern, err)
			continue
		}
		for _, p := range tc.yes {
			if !g.Match(p) {
				t.Errorf("%s does not match %s", tc.pattern, p)
			}
		}
		for _, p := range tc.no {
			if g.Match(p) {
				t.Errorf("%s matches %s", tc.pattern, p)
			}
		}
	}
}

// hostile contains patterns that take other matchers exponential time or space.
var hostile = []string{
	strings.Repeat("{,**/}", 40) + "z",
	strings.Repeat("{,**/}", 7) + "z",
	strings.Repeat("{a,b,c}", 300),
	strings.Repeat("{,a", 300) + strings.Repeat("}", 300),
	"{" + strings.Repeat("**/*a*a*a*a,", 80) + "z}",
	strings.Repeat("*a", 500) + "z",
	strings.Repeat("**/", 340) + "z",
	strings.Repeat("**/*a", 200) + "z",
	strings.Repeat("{", 1000), strings.Repeat("[", 1000), strings.Repeat(`\`, 1000),
	strings.Repeat("[a-", 300) + "]",
	strings.Repeat("?", 1024), strings.Repeat("*", 1024),
	strings.Repeat("x", 100_000),
}

func TestNoPatternTakesLong(t *testing.T) {
	path := strings.Repeat("aaaaaaaa/", 12) + "aaaaaaaaaaaaaaaa"
	for _, p := range hostile {
		began := time.Now()
		if g, err := Compile(p); err == nil {
			for range 300 {
				g.Match(path)
			}
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%.40s… (%d bytes): %v", p, len(p), took)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, p := range []string{"[", "a]b[", "{a", "a}", "[]", `a\`, strings.Repeat("{a,b}", 9),
		strings.Repeat("a", 1025)} {
		if _, err := Compile(p); err == nil {
			t.Errorf("%.40s was taken", p)
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, p := range append([]string{"src/**/*.{go,md}", "{a,b}/**", "**/x{,.y}"}, hostile...) {
		f.Add(p, "src/a/b.go")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		began := time.Now()
		g, err := Compile(pattern)
		if err != nil {
			return
		}
		got := g.Match(path)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q took %v", pattern, took)
		}
		// doublestar takes years for these patterns, or treats them differently.
		if strings.Contains(pattern, "{") && strings.ContainsAny(pattern, "*[") || strings.Count(pattern, "{") > 6 {
			return
		}
		if want := doublestar.MatchUnvalidated(pattern, path); got != want {
			t.Errorf("Match(%q, %q) = %v, doublestar returns %v", pattern, path, got, want)
		}
	})
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b  string
		limit int
		want  int
		ok    bool
	}{
		{"same", "same", 2, 0, true}, {"kitten", "sitten", 1, 1, true}, {"abcd", "abdc", 1, 1, true},
		{"abc", "abcd", 1, 1, true},
		{"abcd", "abc", 1, 1, true}, {"kitten", "sitting", 2, 0, false}, {"kitten", "sitting", 3, 3, true},
		{"ab", "abcde", 2, 0, false},
		{"über", "uber", 1, 1, true}, {"", "ab", 2, 2, true}, {strings.Repeat("x", 70), strings.Repeat("x", 70), 2, 0, true},
		{"configuartion", "configuration", 2, 1, true}, {"abcdefgh", "", 4, 0, false}, {"watcher", "wacther", 4, 1, true},
	}
	for _, tt := range tests {
		got, ok := Distance(tt.a, tt.b, tt.limit)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("%q %q within %d: %d %v, want %d %v", tt.a, tt.b, tt.limit, got, ok, tt.want, tt.ok)
		}
	}
}

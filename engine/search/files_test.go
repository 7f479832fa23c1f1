package search

import (
	"errors"
	"slices"
	"testing"

	"searchmcp/engine/api"
)

type listing map[api.Corpus][]string

func (l listing) Paths(c api.Corpus) []string { return l[c] }

func TestFiles(t *testing.T) {
	l := listing{
		api.CorpusCode: {"cmd/main.go", "engine/scan/walk.go", "engine/scan/walk_test.go", "engine/watch/watcher.go",
			"src/auth/login.ts", "src/auth/loginForm.tsx"},
		api.CorpusDocs: {"README.md", "docs/authentication.md"},
	}
	for _, tc := range []struct {
		pattern string
		want    []string
	}{
		{"**/auth*.md", []string{"docs/authentication.md"}},
		{"*.go", []string{"cmd/main.go", "engine/scan/walk.go", "engine/scan/walk_test.go", "engine/watch/watcher.go"}},
		{"src/**/*.{ts,tsx}", []string{"src/auth/login.ts", "src/auth/loginForm.tsx"}},
		{"{cmd,auth}/*.*", []string{"cmd/main.go"}},
		{"./cmd/main.go", []string{"cmd/main.go"}},
		{"walk.go", []string{"engine/scan/walk.go"}},
		{"walk", []string{"engine/scan/walk.go", "engine/scan/walk_test.go"}},
		{"scan/", []string{"engine/scan/walk.go", "engine/scan/walk_test.go"}},
		{"login form", []string{"src/auth/loginForm.tsx"}},
		{"watch engine", []string{"engine/watch/watcher.go"}},
		{"readme", []string{"README.md"}},
		{"wacther.go", []string{"engine/watch/watcher.go"}},
		{"autentication", []string{"docs/authentication.md"}},
		{"nothing-like-it", nil},
	} {
		got, total, err := Files(t.Context(), l, api.FileQuery{Pattern: tc.pattern, Limit: 10},
			func(string) bool { return true })
		if err != nil || !slices.Equal(got, tc.want) || total != len(tc.want) {
			t.Errorf("%q: %v, %d, %v; want %v", tc.pattern, got, total, err, tc.want)
		}
	}
	got, total, err := Files(t.Context(), l, api.FileQuery{Pattern: "*.go", Limit: 1},
		func(p string) bool { return p != "cmd/main.go" })
	if err != nil || total != 3 || !slices.Equal(got, []string{"engine/scan/walk.go"}) {
		t.Errorf("limit and denied: %v, %d, %v", got, total, err)
	}
	for _, bad := range []string{"", "  ", "src/[", "{a"} {
		if _, _, err := Files(t.Context(), l, api.FileQuery{Pattern: bad, Limit: 1},
			func(string) bool { return true }); api.CodeOf(err) != api.InvalidPattern {
			t.Errorf("%q: %v", bad, errors.Unwrap(err))
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"watcher", "wacther", 1},
		{"kitten", "sitting", 3}, {"abcdefgh", "", 5}} {
		if got := editDistance(tc.a, tc.b, 4); got != tc.want || editDistance(tc.b, tc.a, 4) != tc.want {
			t.Errorf("%q, %q: %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

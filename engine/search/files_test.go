package search

import (
	"errors"
	"slices"
	"strings"
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
	all := func(string) bool { return true }
	everything := append(slices.Clone(l[api.CorpusDocs]), l[api.CorpusCode]...)
	slices.Sort(everything)
	for _, tc := range []struct {
		pattern       string
		want, similar []string
	}{
		{"**/auth*.md", []string{"docs/authentication.md"}, nil},
		{"*.go", nil, []string{"cmd/main.go", "engine/scan/walk.go", "engine/scan/walk_test.go", "engine/watch/watcher.go"}},
		{"*", []string{"README.md"}, nil},
		{"engine/*", nil, []string{"engine/scan/walk.go", "engine/scan/walk_test.go", "engine/watch/watcher.go"}},
		{"engine/scan", []string{"engine/scan/walk.go", "engine/scan/walk_test.go"}, nil},
		{"", everything, nil},
		{" ./ ", everything, nil},
		{"/", everything, nil},
		{"engine/../cmd", []string{"cmd/main.go"}, nil},
		{"../cmd", nil, []string{"cmd/main.go"}},
		{"**/LOGIN*", nil, []string{"src/auth/login.ts", "src/auth/loginForm.tsx"}},
		{"scan/**", nil, []string{"engine/scan/walk.go", "engine/scan/walk_test.go"}},
		{"main.go,readme.md", nil, []string{"README.md", "cmd/main.go"}},
		{"**/*.ts, cmd/*.go", nil, []string{"cmd/main.go", "src/auth/login.ts"}},
		{"src/**/*.{ts,tsx}", []string{"src/auth/login.ts", "src/auth/loginForm.tsx"}, nil},
		{"./cmd/main.go", []string{"cmd/main.go"}, nil},
		{"engine/scan/", []string{"engine/scan/walk.go", "engine/scan/walk_test.go"}, nil},
		{"walk.go", nil, []string{"engine/scan/walk.go"}},
		{"walk", nil, []string{"engine/scan/walk.go", "engine/scan/walk_test.go"}},
		{"readme", nil, []string{"README.md"}},
		{"wacther.go", nil, []string{"engine/watch/watcher.go"}},
		{"autentication", nil, []string{"docs/authentication.md"}},
		{"logfo", nil, []string{"src/auth/loginForm.tsx"}},
		{"lgnts", nil, []string{"src/auth/login.ts", "src/auth/loginForm.tsx"}},
		{"nothing-like-it", nil, nil},
	} {
		got, err := Files(t.Context(), l, api.FileQuery{Pattern: tc.pattern, Limit: 10}, all)
		if err != nil || !slices.Equal(got.Matches, tc.want) || got.Total != len(tc.want) ||
			!slices.Equal(got.Similar, tc.similar) {
			t.Errorf("%q: %+v, %v; want %v, similar %v", tc.pattern, got, err, tc.want, tc.similar)
		}
	}
	for pattern, want := range map[string]string{"AUTH md": "docs/authentication.md", "none": "",
		"*.md":  "README.md docs/authentication.md",
		"go wa": "engine/scan/walk.go engine/scan/walk_test.go engine/watch/watcher.go"} {
		got, err := Files(t.Context(), l, api.FileQuery{Pattern: pattern, Limit: 10, Words: true}, all)
		if err != nil || strings.Join(got.Matches, " ") != want {
			t.Errorf("words %q: %+v, %v; want %s", pattern, got, err, want)
		}
	}
	got, err := Files(t.Context(), l, api.FileQuery{Pattern: "**/*.go", Limit: 1},
		func(p string) bool { return p != "cmd/main.go" })
	if err != nil || got.Total != 3 || !slices.Equal(got.Matches, []string{"engine/scan/walk.go"}) {
		t.Errorf("limit and denied: %+v, %v", got, err)
	}
	for _, bad := range []string{"src/[", "{a"} {
		if _, err := Files(t.Context(), l, api.FileQuery{Pattern: bad}, all); api.CodeOf(err) != api.InvalidPattern {
			t.Errorf("%q: %v", bad, errors.Unwrap(err))
		}
	}
}

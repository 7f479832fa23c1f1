package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// Grep reads current files through policy and names the enclosing declarations.
func TestGrep(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	root := tree(t, map[string]string{
		"auth/session.go":      symbolShop["auth/session.go"],
		"auth/session_test.go": symbolShop["auth/session_test.go"],
		"third_party/x.go":     "package x\n\nfunc rotate() {}\n",
		"README.md":            "# Shop\n\n## Keys\n\nCall rotate.\n",
		".env":                 "KEY=rotate\n",
		"gone.go":              "package gone // rotate\n",
	})
	create(t, e, root)
	if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	r, err := e.Grep(t.Context(), []string{root}, api.GrepQuery{Pattern: `rotate`})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Files {
		for _, h := range f.Hits {
			got = append(got, fmt.Sprintf("%s:%d %s %d-%d", f.Path, h.Line, h.In, h.StartLine, h.EndLine))
		}
	}
	want := "auth/session.go:6 Sessions.rotate 6-9\nauth/session.go:7 Sessions.rotate 6-9\n" +
		"auth/session.go:14 Expire 13-16\nauth/session.go:15 Expire 13-16\nREADME.md:5 Shop.Keys 3-5\n" +
		"auth/session_test.go:5 testRotate 3-6\n" +
		"third_party/x.go:3 rotate 3-3"
	if strings.Join(got, "\n") != want || r.Total != 7 {
		t.Errorf("%d:\n%s\nwant\n%s", r.Total, strings.Join(got, "\n"), want)
	}
	for _, test := range []struct {
		q     api.GrepQuery
		files int
	}{
		{api.GrepQuery{Pattern: "rotate", Path: "auth"}, 2}, {api.GrepQuery{Pattern: "rotate", Path: "**/*_test.go"}, 1},
		{api.GrepQuery{Pattern: "rotate", Path: root + "/auth/session.go"}, 1},
		{api.GrepQuery{Pattern: "rotate", Language: "golang"}, 3}, {api.GrepQuery{Pattern: "rotate", Path: "nowhere"}, 0},
	} {
		r, err := e.Grep(t.Context(), []string{root}, test.q)
		if err != nil || len(r.Files) != test.files {
			t.Errorf("%+v: %d files, %v", test.q, len(r.Files), err)
		}
	}
	for q, code := range map[api.GrepQuery]api.Code{
		{Pattern: "("}: api.InvalidArgument, {Pattern: "x", Language: "klingon"}: api.InvalidArgument,
		{Pattern: "x", Path: "[z"}: api.InvalidPattern,
	} {
		if _, err := e.Grep(t.Context(), []string{root}, q); api.CodeOf(err) != code {
			t.Errorf("%+v: %v, want %s", q, err, code)
		}
	}
	search := api.Query{Text: "rotate", Corpus: api.CorpusCode, TopK: 3, Language: "klingon"}
	if _, err := e.Search(t.Context(), []string{root}, search); api.CodeOf(err) != api.InvalidArgument ||
		!strings.Contains(err.Error(), "klingon") {
		t.Errorf("search: %v", err)
	}
	search.Language = "golang"
	if r, err := e.Search(t.Context(), []string{root}, search); err != nil || len(r.Hits) == 0 {
		t.Errorf("search: %v, %v", r.Hits, err)
	}
	other := tree(t, map[string]string{"b.go": "package b // rotate\n"})
	create(t, e, other)
	r, err = e.Grep(t.Context(), []string{root, other}, api.GrepQuery{Pattern: "rotate", Hits: 8})
	if err != nil || r.Total != 8 || len(r.Files) != 5 || r.Files[4].Project != filepath.Base(other) {
		t.Errorf("%+v, %v", r, err)
	}
}

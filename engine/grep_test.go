package engine

import (
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// Grep takes a path in several forms, names of languages, and several projects.
func TestGrep(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	root, other := tree(t, symbolShop), tree(t, map[string]string{"b.go": "package b // rotate\n"})
	create(t, e, root)
	create(t, e, other)
	for _, test := range []struct {
		q     api.GrepQuery
		files int
		code  api.Code
	}{
		{api.GrepQuery{Pattern: "rotate"}, 4, ""}, {api.GrepQuery{Pattern: "rotate", Path: "auth"}, 2, ""},
		{api.GrepQuery{Pattern: "rotate", Path: "**/*_test.go"}, 1, ""},
		{api.GrepQuery{Pattern: "rotate", Path: root + "/auth/session.go"}, 1, ""},
		{api.GrepQuery{Pattern: "expire", Language: "golang"}, 0, ""},
		{api.GrepQuery{Pattern: "rotate", Path: "nowhere"}, 0, ""},
		{api.GrepQuery{Pattern: "("}, 0, api.InvalidArgument},
		{api.GrepQuery{Pattern: "x", Language: "klingon"}, 0, api.InvalidArgument},
		{api.GrepQuery{Pattern: "x", Path: "[z"}, 0, api.InvalidPattern},
	} {
		r, err := e.Grep(t.Context(), []string{root}, test.q)
		if len(r.Files) != test.files || api.CodeOf(err) != test.code {
			t.Errorf("%+v: %d files, %v", test.q, len(r.Files), err)
		}
	}
	r, err := e.Grep(t.Context(), []string{root, other}, api.GrepQuery{Pattern: "rotate", Hits: 3})
	if err != nil || r.Total < 10 || len(r.Files) != 5 || r.Files[4].Project != filepath.Base(other) {
		t.Errorf("%+v, %v", r, err)
	}
	search := api.Query{Text: "rotate", Corpus: api.CorpusCode, TopK: 3, Language: "pyhton"}
	const want = "No language is called 'pyhton'. Did you mean python? Languages here: go"
	if _, err := e.Search(t.Context(), []string{root}, search); api.CodeOf(err) != api.InvalidArgument ||
		!strings.HasPrefix(api.Known(err, "").UserMessage, want) {
		t.Errorf("search: %+v", err)
	}
}

package present

import (
	"strings"

	"searchmcp/engine/api"
)

// Typed is what the search field has: words, and the filters lang: and path: among them.
type Typed struct{ Words, Language, Path string }

// TypedOf reads the text of the search field. A path without a wildcard is part of a path.
func TypedOf(text string) (t Typed) {
	var words []string
	for _, w := range strings.Fields(text) {
		lang, isLang := strings.CutPrefix(w, "lang:")
		path, isPath := strings.CutPrefix(w, "path:")
		switch {
		case isLang:
			t.Language = strings.ToLower(lang)
		case isPath && path != "" && !strings.ContainsAny(path, "*?[{"):
			t.Path = "{**/*" + path + "*,**/*" + path + "*/**}"
		case isPath:
			t.Path = path
		default:
			words = append(words, w)
		}
	}
	t.Words = strings.Join(words, " ")
	return t
}

// Filtered reports whether only files of a language or path are searched, which documents of other sources are not.
func (t Typed) Filtered() bool { return t.Language != "" || t.Path != "" }

// Query returns the question to one corpus of projects, beginning behind the results that are there.
func (t Typed) Query(corpus api.Corpus, offset int) api.Query {
	return api.Query{Text: t.Words, Corpus: corpus, Language: t.Language, PathGlob: t.Path, TopK: api.MaxTopK,
		Offset: offset, Detail: api.DetailLong, Explain: true}
}

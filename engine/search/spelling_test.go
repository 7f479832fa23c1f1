package search

import (
	"context"
	"slices"
	"testing"

	"searchmcp/engine/api"
)

func TestIsWord(t *testing.T) {
	for word, want := range map[string]bool{"below": true, "setting": true, "terminal": true, "clash": true,
		"curser": false, "seting": false, "paranthesi": false, "levenstein": false} {
		if got := isWord(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}

// asked is a model that records its input.
type asked chan string

func (a asked) Query(_ context.Context, text string) (api.Vector, error) {
	a <- text
	return api.Vector{}, nil
}

// The model gets corrected words. Names, correct words and change messages remain unchanged, and a correction begins
// like the word.
func TestRespelt(t *testing.T) {
	p := newProject(t, chunkOf("src/basket.go", 1,
		"package src\n\n// checkout pays the filename, not the pilename, and blows the button of loadSession\n"+
			"func (b *Basket) checkout() {}", "checkout"))
	for query, want := range map[string]string{
		"where is the chekout of the buton": "where is the checkout of the button",
		"which filname is paid":             "which filename is paid",
		"what is below the checkout":        "",
		"what does lodSession pay":          "",
		"fix(basket): end the chekout":      "",
		"chekout":                           "",
	} {
		texts := make(asked, 2) // the original query is embedded while its words are looked up
		r := ask(t, p, api.Query{Text: query}, func(q *Request) { q.Embedder, q.Coverage = texts, 1 })
		got := []string{<-texts}
		if want != "" {
			got = append(got, <-texts)
		} else {
			want = query
		}
		if !slices.Contains(got, want) || len(texts) > 0 {
			t.Errorf("%q: embedded %q", query, got)
		}
		if !r.Semantic {
			t.Errorf("%q: %q", query, r.Notes)
		}
	}
}

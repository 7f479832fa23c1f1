package search

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

func TestTreesShip(t *testing.T) {
	shipped, err := parseTrees(treesFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(shipped.Trees) == 0 {
		t.Error("there is no tree")
	}
}

func TestTreesOf(t *testing.T) {
	two := trees{Scale: 2, Trees: []tree{
		{Splits: []int{0, 1}, Limits: []float64{10, 0.5}, Left: []int{-1, -2}, Right: []int{1, -3},
			Leaves: []float64{1, 2, 4}},
		{Leaves: []float64{8}},
	}}
	for _, c := range []struct{ first, second, want float64 }{
		{10, 9, (1 + 8) / 2.0}, // at most the limit: left
		{11, 0.5, (2 + 8) / 2.0},
		{11, 0.6, (4 + 8) / 2.0},
	} {
		rows := []fileRow{{signals: []float64{c.first, c.second}}}
		two.score(rows)
		if got := rows[0].said; got != c.want {
			t.Errorf("of %v and %v: %v, not %v", c.first, c.second, got, c.want)
		}
	}
}

func TestTreesRefused(t *testing.T) {
	good := tree{Splits: []int{0, 1}, Limits: []float64{1, 2}, Left: []int{-1, -2}, Right: []int{1, -3},
		Leaves: []float64{1, 2, 3}}
	write := func(names []string, one tree) []byte {
		raw, err := json.Marshal(trees{Signals: names, Scale: 1, Trees: []tree{one}})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	names := SignalNames()
	if _, err := parseTrees(write(names, good)); err != nil {
		t.Fatal(err)
	}
	loop, missing, short, unknown := good, good, good, good
	loop.Right = []int{0, -3}
	missing.Left = []int{-1, -4}
	short.Limits = []float64{1}
	unknown.Splits = []int{0, len(names)}
	for name, raw := range map[string][]byte{
		"other signals": write(names[1:], good), "a loop": write(names, loop),
		"a missing leaf": write(names, missing), "a missing limit": write(names, short),
		"an unknown signal": write(names, unknown), "no JSON": []byte("trees"),
	} {
		if _, err := parseTrees(raw); err == nil {
			t.Errorf("%s: trees are taken", name)
		}
	}
}

func TestTextShape(t *testing.T) {
	got := textShapeOf("// Sum adds.\nfunc Sum(a, b int) int {\n\treturn a + b\n}\n\n#include <x>\n")
	want := textShape{bytes: 68, lines: 6, comment: 1, indent: 4, letters: 38, capitals: 2, parentheses: 1, punctuation: 2,
		control: 1}
	if got != want {
		t.Errorf("shape %+v, not %+v", got, want)
	}
	if empty := textShapeOf(""); empty.bytes != 1 || empty.lines != 1 { // they divide
		t.Errorf("shape of nothing: %+v", empty)
	}
}

func TestTreesOrderWordsAboutCode(t *testing.T) {
	p := newProject(t,
		chunkOf("limit.go", 1, "func wait(n int) {\n\tfor n > most {\n\t\treturn // requests are too many\n\t}\n}", "wait"),
		chunkOf("names.go", 1, "type requests struct {\n\tmany int\n}", "requests"))
	for id := range p.chunks {
		p.vectors = append(p.vectors, store.VectorHit{ID: id, Path: p.chunks[id].Path, StartLine: 1,
			EndLine: p.chunks[id].EndLine, Score: 0.4})
	}
	for _, c := range []struct {
		text   string
		corpus api.Corpus
		words  bool
		want   bool
	}{
		{"what happens when there are too many requests", api.CorpusCode, false, true},
		{"what happens in wait() when there are too many requests", api.CorpusCode, false, true},
		{"what happens when there are too many requests", api.CorpusCode, true, false}, // no vectors
		{"what happens when there are too many requests", api.CorpusDocs, false, false},
		{"requests", api.CorpusCode, false, false},
	} {
		var observed []string
		req := Request{
			Query:    api.Query{Text: c.text, Corpus: c.corpus, TopK: 10, Explain: true, LexicalOnly: c.words},
			Coverage: 1, Embedder: embedder{}, Allowed: func(string) bool { return true },
			Observe: func(o Observation) {
				observed = append(observed, o.Path)
				if len(o.Signals) != len(SignalNames()) || o.Score <= 0 || slices.ContainsFunc(o.Signals, math.IsNaN) {
					t.Errorf("%+v", o)
				}
			},
		}
		if _, err := Run(t.Context(), p, req); err != nil {
			t.Fatal(err)
		}
		if got := len(observed) > 0; got != c.want {
			t.Errorf("%q of %s, words alone %v: trees see %q", c.text, c.corpus, c.words, observed)
		}
		req.Observe = nil
		r, err := Run(t.Context(), p, req)
		if err != nil {
			t.Fatal(err)
		}
		ordered := false
		for _, h := range r.Hits {
			sum := 0.0
			for _, f := range h.Explain {
				sum += f.Value
				ordered = ordered || f.Name == "learned"
				if f.Name == "learned" && !c.want {
					t.Errorf("%q of %s: %s is ordered by trees", c.text, c.corpus, h.Path)
				}
			}
			if math.Abs(sum-h.Score) > 1e-9 {
				t.Errorf("%s: the parts of the score %v add up to %v: %s", h.Path, h.Score, sum, strings.TrimSpace(h.Text))
			}
		}
		if ordered != c.want {
			t.Errorf("%q of %s, words alone %v: ordered by trees: %v", c.text, c.corpus, c.words, ordered)
		}
	}
}

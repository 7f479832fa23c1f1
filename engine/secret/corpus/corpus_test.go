package corpus

import (
	"maps"
	"testing"
)

func TestCorpus(t *testing.T) {
	c := New(1)
	n := map[Sort]int{}
	texts := map[string]string{}
	for _, f := range c.Files {
		if texts[f.Path] != "" {
			t.Errorf("%s is there twice", f.Path)
		}
		texts[f.Path] = f.Text
	}
	for _, s := range c.Secrets {
		n[s.Sort]++
		if !s.Seen(texts[s.Path]) {
			t.Errorf("%s: %s is not in its file", s.Path, s.Kind)
		}
	}
	t.Log(n, c.Kinds(File), c.Kinds(Key), c.Kinds(Token))
	if len(c.Secrets) < 300 || c.Kinds(File) < 61 || c.Kinds(Key) < 18 || c.Kinds(Token) < 60 {
		t.Errorf("%d secrets of %d, %d and %d kinds", len(c.Secrets), c.Kinds(File), c.Kinds(Key), c.Kinds(Token))
	}
	again, other := New(1), New(2)
	if !maps.EqualFunc(map[string]Document{"": again.Files[3]}, map[string]Document{"": c.Files[3]}, func(a,
		b Document) bool {
		return a.Text == b.Text
	}) ||
		other.Files[3].Text == c.Files[3].Text {
		t.Error("a seed does not make the same corpus, or another one makes it too")
	}
}

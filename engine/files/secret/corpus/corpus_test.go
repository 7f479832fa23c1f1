package corpus

import (
	"maps"
	"strings"
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

// TestPasswords checks that each form contains its password once and nothing else that matches it.
func TestPasswords(t *testing.T) {
	for seed := range uint64(40) {
		c := Passwords(seed)
		n, texts, kept := map[string]int{}, map[string]string{}, map[string]bool{}
		for _, f := range c.Files {
			texts[f.Path] = f.Text
			for _, k := range f.Kept {
				if !strings.Contains(f.Text, k) || kept[k] {
					t.Errorf("%s: %q is not there, or there twice", f.Path, k)
				}
				kept[k] = true
			}
		}
		for _, s := range c.Secrets {
			n[string(s.Sort)+" "+s.Kind]++
			for _, p := range s.Parts {
				if strings.Count(texts[s.Path], p) != 1 {
					t.Errorf("seed %d: %s has %q %d times", seed, s.Path, p, strings.Count(texts[s.Path], p))
				}
			}
		}
		for _, s := range []Sort{Configuration, Code, Command, Prose} {
			if n[string(s)+" chosen"] < 6 || n[string(s)+" chosen"] != n[string(s)+" random"] {
				t.Errorf("%s: %v", s, n)
			}
		}
		if len(c.Secrets) != 200 || len(kept) < 200 {
			t.Errorf("%d passwords and %d harmless lines", len(c.Secrets), len(kept))
		}
	}
}

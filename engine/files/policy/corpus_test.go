package policy

import (
	"path"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/secret/corpus"
)

func TestCorpus(t *testing.T) {
	quiet(t)
	for seed := range uint64(3) {
		root := t.TempDir()
		c := corpus.New(seed)
		texts := map[string]string{}
		if foldsCase(root) {
			spelt := map[string]string{}
			kept := c.Files[:0]
		files:
			for _, f := range c.Files {
				for at := f.Path; at != "."; at = path.Dir(at) {
					if was, ok := spelt[strings.ToLower(at)]; ok && (was != at || at == f.Path) {
						continue files
					}
				}
				for at := f.Path; at != "."; at = path.Dir(at) {
					spelt[strings.ToLower(at)] = at
				}
				kept = append(kept, f)
			}
			c.Files = kept
		}
		for _, f := range c.Files {
			write(t, root, f.Path, f.Text)
		}
		p := newPolicy(t, root, nil)
		for _, f := range c.Files {
			data, _, reason, err := p.Read(f.Path)
			must(t, err)
			texts[f.Path] = string(data)
			for _, k := range f.Harmless {
				if !strings.Contains(string(data), k) {
					t.Errorf("seed %d: %s (%q) lost %q: %q", seed, f.Path, reason, k, data)
				}
			}
			if reason == api.SkipNone && strings.Count(string(data), "\n") != strings.Count(f.Text, "\n") {
				t.Errorf("seed %d: %s had %d lines and has %d", seed, f.Path, strings.Count(f.Text, "\n"),
					strings.Count(string(data), "\n"))
			}
		}
		missed, tokens, others := c.Leaks(func(s corpus.Secret) bool { return s.Seen(texts[s.Path]) })
		for _, s := range others {
			t.Errorf("seed %d: %s %q (%s) is seen: %.300q", seed, s.Sort, s.Kind, s.Path, texts[s.Path])
		}
		if missed*20 > tokens {
			t.Errorf("seed %d: %d of %d tokens are seen", seed, missed, tokens)
		}
	}
}

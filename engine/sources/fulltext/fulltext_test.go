package fulltext

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	for in, want := range map[string][]string{
		"Hello, World-2":   {"hello", "world", "2"},
		"Café ÉCOLE naïve": {"cafe", "ecole", "naive"},
		"search_code()":    {"search", "code"},
		"日本語 go":           {"日本", "本語", "go"},
		"中":                {"中"},
		"go言語":             {"go", "言語"},
		"Straße ﬁne":       {"straße", "fine"},
		"\xff\xfe ok":      {"ok"},
		"":                 nil,
		"co\u00adope\u00adration zero\u200bwidth nach\u2060bar": {"cooperation", "zerowidth", "nachbar"},
		"Do\u00adnau über\u00admut":                             {"donau", "ubermut"},
		// In these scripts the character separates words.
		"អ្នក\u200bប្រើ": {Fold("អ្នក"), Fold("ប្រើ")},
	} {
		var got []string
		for _, w := range Words(in) {
			got = append(got, w.Text)
			if w.Start >= w.End || w.End > len(in) {
				t.Errorf("%q: %+v is no place", in, w)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func TestTerms(t *testing.T) {
	for in, want := range map[string][]string{
		"how do I install the tool": {"install", "tool"},
		"what is it":                {"what", "is", "it"},
		"go go Go":                  {"go"},
		" ?! ":                      nil,
	} {
		if diff := cmp.Diff(want, Terms(in)); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func library() *Index {
	ix := New(2, 3)
	ix.Put("install", "Installation guide",
		"Download the archive, unpack it and run the installer. Configuration comes later.")
	ix.Put("config", "Configuration", "Every setting of the configuration file, with its default.")
	ix.Put("auth", "Authentication", "Log in with a token. Tokens expire. See configuration for the settings.")
	ix.Put("faq", "Questions", "Questions people ask about install problems and much else.")
	return ix
}

func found(t testing.TB, ix *Index, q Query) ([]Hit, int) {
	t.Helper()
	hits, total, err := ix.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return hits, total
}

func ids(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func TestSearch(t *testing.T) {
	ix := library()
	for q, want := range map[string]string{
		"configuration": "config", "configuartion": "config", "confguration": "config", "config": "config",
		"instalation":      "install",
		"authentification": "auth", "how do I install it": "install", "token expire": "auth", "INSTALLER": "install",
		"qestions": "faq",
	} {
		hits, total := found(t, ix, Query{Text: q, Limit: 3})
		if len(hits) == 0 || hits[0].ID != want || total < len(hits) {
			t.Errorf("%q: %v of %d, want %s first", q, ids(hits), total, want)
		}
		for i, h := range hits {
			if h.Score < 0 || h.Score > 1 || i > 0 && h.Score > hits[i-1].Score || len(h.Words) == 0 {
				t.Errorf("%q: %+v", q, h)
			}
		}
	}
	for _, q := range []string{"", "zzzz", "??"} {
		if hits, total := found(t, ix, Query{Text: q, Limit: 3}); len(hits) != 0 || total != 0 {
			t.Errorf("%q found %v", q, ids(hits))
		}
	}
	if hits, _ := found(t, ix, Query{Text: "configuration", Limit: 9, Fields: []int{0}}); !slices.Equal(ids(hits),
		[]string{"config"}) {
		t.Error("titles only:", ids(hits))
	}
	if hits, _ := found(t, ix, Query{Text: "configuration", Limit: 9,
		Only: func(id string) bool { return id != "config" }}); slices.Contains(ids(hits), "config") || len(hits) != 2 {
		t.Error("filter:", ids(hits))
	}
}

func TestChange(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda")
	text := func() string {
		var b []string
		for range 1 + rng.IntN(20) {
			b = append(b, words[rng.IntN(len(words))])
		}
		return strings.Join(b, " ")
	}
	changed, now := New(1, 2), map[string][2]string{}
	for range 3000 {
		id := fmt.Sprint(rng.IntN(120))
		if rng.IntN(3) == 0 {
			changed.Remove(id)
			delete(now, id)
			continue
		}
		now[id] = [2]string{text(), text()}
		changed.Put(id, now[id][0], now[id][1])
	}
	fresh := New(1, 2)
	for id, d := range now {
		fresh.Put(id, d[0], d[1])
	}
	for _, q := range append(words, "alpha beta", "gama", "thet") {
		a, n := found(t, changed, Query{Text: q, Limit: 500})
		b, m := found(t, fresh, Query{Text: q, Limit: 500})
		for i := range a {
			slices.Sort(a[i].Words)
		}
		for i := range b {
			slices.Sort(b[i].Words)
		}
		if diff := cmp.Diff(b, a); diff != "" || n != m {
			t.Fatalf("%q: %d and %d\n%s", q, n, m, diff)
		}
	}
}

func TestExcerpt(t *testing.T) {
	text := strings.Repeat("filler words here ", 30) + "the installation steps are as follows " +
		strings.Repeat("more filler ", 30)
	got := Excerpt(text, []string{"installation", "steps"}, 80)
	if !strings.HasPrefix(got, "...") || !strings.HasSuffix(got, "...") ||
		!strings.Contains(got, "installation steps") || len(got) > 90 {
		t.Errorf("%q", got)
	}
	if got := Excerpt("short\ntext", []string{"none"}, 80); got != "short text" {
		t.Errorf("%q", got)
	}
	if got := Excerpt(strings.Repeat("é", 300), nil, 101); !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("conf guration", "über")
	f.Fuzz(func(t *testing.T, q, text string) {
		ix := library()
		ix.Put("x", text, text)
		hits, total := found(t, ix, Query{Text: q, Limit: 10})
		if total < len(hits) {
			t.Fatal(total)
		}
		for _, h := range hits {
			if !(h.Score >= 0 && h.Score <= 1) {
				t.Fatal(h)
			}
			if e := Excerpt(text, h.Words, 60); utf8.ValidString(text) && !utf8.ValidString(e) {
				t.Fatalf("%q", e)
			}
		}
	})
}

func TestFormsAndParts(t *testing.T) {
	ix := New(1)
	for id, text := range map[string]string{"a": "Webhooks deliver events", "b": "slow queries are logged",
		"c": "a port is open", "d": "reports support it"} {
		ix.Put(id, text)
	}
	for query, want := range map[string]string{"hook": "a", "query": "b", "logging": "b", "delivery": "a", "port": "c",
		"ports": "c", "hoo": ""} {
		hits, _ := found(t, ix, Query{Text: query, Limit: 5})
		got := ""
		for _, h := range hits {
			got += h.ID
		}
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestJoinedWords(t *testing.T) {
	ix := New(1)
	ix.Put("a", "Wi-Fi for Node.js. Hosts on the host-whitelist.")
	for _, query := range []string{"wifi", "nodejs", "hostwhitelist", "Wi-Fi", "node.js"} {
		if hits, _ := found(t, ix, Query{Text: query, Limit: 1}); len(hits) != 1 {
			t.Errorf("%s: %+v", query, hits)
		}
	}
}

func TestWordsOfAHit(t *testing.T) {
	x := New(1)
	x.Put("a", "topic29 here, forms: topics29. "+strings.Repeat("and so on ", 50)+"topic290 topic291 topic292 topic293")
	x.Put("b", "topic290 and topic291")
	hits, _ := found(t, x, Query{Text: "topic29", Limit: 2})
	if len(hits) != 1 || hits[0].ID != "a" || !slices.Equal(hits[0].Words, []string{"topic29"}) {
		t.Errorf("%+v", hits)
	}
}

func TestPrepare(t *testing.T) {
	x := New(1)
	x.Put("a", "wombats dig")
	if x.Prepare(); x.changes.Size() != 0 || x.words == nil {
		t.Errorf("%d changes are left to the first search", x.changes.Size())
	}
}

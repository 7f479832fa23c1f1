package named

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		query string
		want  api.NamedQuery
	}{
		{`+python "machine learning"`, api.NamedQuery{Must: []string{"python"}, Phrases: []string{"machine learning"}}},
		{`rate limiting API`, api.NamedQuery{Terms: []string{"rate", "limiting", "api"}}},
		{`e-mail -spam`, api.NamedQuery{Terms: []string{"e-mail"}, MustNot: []string{"spam"}}},
		{`-"two words" +"must have"`, api.NamedQuery{Phrases: []string{"must have"}, MustNot: []string{"two words"}}},
		{`"unclosed phrase`, api.NamedQuery{Phrases: []string{"unclosed phrase"}}},
		{`+ - ""`, api.NamedQuery{}},
		{`C`, api.NamedQuery{Terms: []string{"c"}}},
		{`a rate`, api.NamedQuery{Terms: []string{"rate"}}},
		{`c++`, api.NamedQuery{Terms: []string{"c++"}}},
		{`framework -node.js`, api.NamedQuery{Terms: []string{"framework"}, MustNot: []string{"node.js"}}},
		{`+C memory`, api.NamedQuery{Terms: []string{"memory"}, Must: []string{"c"}}},
		{`-x`, api.NamedQuery{MustNot: []string{"x"}}},
	} {
		for _, list := range []*[]string{&tc.want.Terms, &tc.want.Must, &tc.want.MustNot, &tc.want.Phrases} {
			if *list == nil {
				*list = []string{}
			}
		}
		if diff := cmp.Diff(&tc.want, DefaultTokenizer.parse(tc.query).parsed()); diff != "" {
			t.Errorf("%s: %s", tc.query, diff)
		}
	}
}

func filled(t *testing.T, docs map[string]string) *Registry {
	t.Helper()
	r := New(0)
	for id, text := range docs {
		if _, _, err := r.NamedAdd("", id, text, nil); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func wantFound(t *testing.T, r *Registry, ids map[string]string) {
	t.Helper()
	for query, want := range ids {
		a, err := r.NamedSearch("", query, 20)
		must(t, err)
		var got []string
		for _, res := range a.Results {
			got = append(got, res.DocID)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want || a.Total != len(got) {
			t.Errorf("%s: %v, want %q (%+v)", query, got, want, a.Parsed)
		}
	}
}

func TestScoreByHand(t *testing.T) {
	r := filled(t, map[string]string{"a": "cat cat dog", "b": "dog bird", "c": "bird bird bird"})
	a, err := r.NamedSearch("", "cat dog", 10)
	must(t, err)
	// N=3, df(cat)=1, df(dog)=2. The lengths 3, 2, 3 are 8/3 on average.
	wantA := (math.Sqrt2*math.Log(1+3.0/1) + math.Log(1+3.0/2)) / (0.8 + 0.2*3/(8.0/3))
	wantB := math.Log(1+3.0/2) / (0.8 + 0.2*2/(8.0/3))
	if len(a.Results) != 2 || a.Results[0].DocID != "a" || math.Abs(a.Results[0].Score-wantA) > 1e-4 ||
		math.Abs(a.Results[1].Score-wantB) > 1e-4 {
		t.Fatalf("want a %.4f, b %.4f; got %+v", wantA, wantB, a.Results)
	}
}

func TestOperators(t *testing.T) {
	wantFound(t, filled(t, map[string]string{
		"py-ml":  "Python for machine learning",
		"py-web": "Python web machine, learning none",
		"go-ml":  "Go and machine learning",
	}), map[string]string{
		`+python "machine learning"`: "py-ml py-web", // punctuation does not break a phrase
		`+python -web`:               "py-ml",
		`-python machine`:            "go-ml",
		`+python +go`:                "",
		`-"machine learning" python`: "",
		`"learning machine"`:         "",
		`nothing`:                    "",
	})
}

func TestErrors(t *testing.T) {
	r := New(0)
	_, _, blank := r.NamedAdd("", "doc-001", " \n", nil)
	_, _, unknown := r.NamedAdd("nope", "doc-001", "text", nil)
	_, search := r.NamedSearch("nope", "x", 1)
	for want, err := range map[string]error{
		"Content must be a non-empty string": blank,
		"Index not found: nope":              unknown,
		"Index already exists: default":      r.Create("default", Memory, DefaultTokenizer),
		"Unknown backend: disk":              r.Create("x", "disk", DefaultTokenizer),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	if search == nil || search.Error() != "Index not found: nope" {
		t.Errorf("search of an unknown index: %v", search)
	}
	for _, name := range []string{"", "a b", "../x", strings.Repeat("n", 65), "naïve"} {
		if r.Create(name, "memory", DefaultTokenizer) == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
}

func TestReindexIsIdempotent(t *testing.T) {
	r := New(0)
	add := func() (bool, int) {
		replaced, n, err := r.NamedAdd("", "doc-001", "Python rate limiting with token buckets",
			json.RawMessage(`{"author":"Smith"}`))
		must(t, err)
		return replaced, n
	}
	if replaced, n := add(); replaced || n != 6 {
		t.Fatalf("first: replaced %v, %d tokens; the specification's example has 6", replaced, n)
	}
	before, used := r.indexes[Default], r.used
	if replaced, _ := add(); !replaced {
		t.Fatal("the second time is not a replacement")
	}
	if r.used != used || len(before.docs) != 1 {
		t.Fatal("indexing the same document again changed the index")
	}
	if _, _, err := r.NamedAdd("", "doc-001", "other words", nil); err != nil {
		t.Fatal(err)
	}
	if a, _ := r.NamedSearch("", "python", 5); a.Total != 0 {
		t.Fatal("the old content is still found")
	}
}

func TestMemoryLimit(t *testing.T) {
	r := New(64 << 10)
	var err error
	n := 0
	for ; err == nil && n < 1000; n++ {
		_, _, err = r.NamedAdd("", fmt.Sprint(n), strings.Repeat("some words to keep ", 20), nil)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "Index memory limit reached") {
		t.Fatalf("after %d documents: %v", n, err)
	}
	if err := r.Drop(Default); err != nil || r.used != 0 {
		t.Fatalf("emptying the default index leaves %d bytes, %v", r.used, err)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("Python for machine learning", `+python "machine learning" -x`)
	f.Add("日本語 text \xff broken", `"日本語`)
	f.Fuzz(func(t *testing.T, content, query string) {
		r := New(0)
		if _, _, err := r.NamedAdd("", "d", content, nil); err != nil {
			return
		}
		a, err := r.NamedSearch("", query, 10)
		must(t, err)
		for _, res := range a.Results {
			if len(res.Highlights) > maxHighlights || math.IsNaN(res.Score) || res.Score <= 0 {
				t.Fatalf("%+v", res)
			}
			for _, h := range res.Highlights {
				if utf8.ValidString(content) && !utf8.ValidString(h) {
					t.Fatalf("a highlight cuts a character: %q", h)
				}
			}
		}
	})
}

func TestTermsOfText(t *testing.T) {
	wantFound(t, filled(t, map[string]string{
		"c": "memory in C", "cpp": "memory in C++", "cs": "memory in C#", "node": "a framework for node.js",
		"node2": "a framework for node and for js",
		"snake": "the user_id of an account", "camel": "parse the HTTPServerName", "jp": "日本語の文章です", "fr": "un café au lait",
		"api":   "protects APIs from abuse",
		"query": "several queries", "v": "uses utf8 everywhere",
	}), map[string]string{
		"+C memory": "c", "c++": "cpp", "C#": "cs", "c": "c", "+C++ memory": "cpp", "memory -C -c#": "cpp",
		"framework -node.js": "node2", "+node.js": "node", "framework -js": "", "user": "snake", "user_id": "snake",
		"userId": "snake", "server": "camel",
		"HTTPServerName": "camel", "http server name": "camel", "日本語": "jp", "文章": "jp", "cafe": "fr", "café": "fr",
		"API": "api", "query": "query",
		`"query"`: "", `"several queries"`: "query", "utf": "v", "utf8": "v", "+framework,memory": "",
	})
}

func TestTokenizerWithoutLowercase(t *testing.T) {
	r := New(0)
	must(t, r.Create("exact", Memory, Tokenizer{MinLength: 3}))
	if _, n, err := r.NamedAdd("exact", "a", "Go runs APIs at café", nil); err != nil || n != 3 {
		// runs, APIs, café: "AP" and "Is" are no words
		t.Errorf("%d tokens, %v", n, err)
	}
	for query, want := range map[string]int{"API": 0, "apis": 0, "run": 0, "runs": 1, "cafe": 0, "café": 1,
		"+Go": 0, "+Go +runs": 1, "-Go +runs": 1, `"Go runs"`: 1, "Go": 0, "go": 0} {
		if a, err := r.NamedSearch("exact", query, 5); err != nil || a.Total != want {
			t.Errorf("%s: %d, %v", query, a.Total, err)
		}
	}
}

func TestHighlightsShowThePhrase(t *testing.T) {
	filler := strings.Repeat(" More filler text goes on so that windows differ.", 4)
	text := "The machine broke." + filler + " Another machine was bought." + filler + " A third machine hums." + filler +
		" Now machine learning begins."
	a, err := filled(t, map[string]string{"a": text}).NamedSearch("", `"machine learning" bought`, 1)
	if err != nil || len(a.Results) != 1 {
		t.Fatal(a, err)
	}
	h := a.Results[0].Highlights
	if len(h) != 2 || !strings.Contains(h[0], "machine learning") || !strings.Contains(h[1], "bought") {
		t.Errorf("%q", h)
	}
}

func TestMetadataIsUnchanged(t *testing.T) {
	r := New(0)
	given := `{"big":12345678901234567890,"f":1.10,"neg":-0.0,"z":null}`
	if _, _, err := r.NamedAdd("", "a", "words", json.RawMessage(given)); err != nil {
		t.Fatal(err)
	}
	if a, err := r.NamedSearch("", "words", 1); err != nil || string(a.Results[0].Metadata) != given {
		t.Errorf("%s, %v", a.Results[0].Metadata, err)
	}
}

// must fails the test if err is not nil.
func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

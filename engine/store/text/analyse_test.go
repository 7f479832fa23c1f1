package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
)

func tokensOf(s string) (out []string) {
	var a Tokenizer
	a.Tokens(s, func(tok []byte, whole bool) {
		if whole {
			out = append(out, "="+string(tok))
		} else {
			out = append(out, string(tok))
		}
	})
	return out
}

func TestTokens(t *testing.T) {
	for in, want := range map[string]string{
		"getUserName":            "=getusername get user name",
		"get_user_name":          "=getusername get user name",
		"HTTPServer":             "=httpserver http server",
		"parseJSON":              "=parsejson parse json",
		"JSONParser v2":          "=jsonparser json parser v2",
		"sha256":                 "=sha256 sha 256",
		"sha256Sum":              "=sha256sum sha 256 sum",
		"utf8":                   "utf8",
		"x2 h264":                "x2 h264",
		"base64Encode":           "=base64encode base 64 encode",
		"MAX_RETRIES":            "=maxretries max retry",
		"__init__":               "init",
		"_x":                     "x",
		"___":                    "",
		"foo.bar(baz)":           "foo bar baz",
		"indexes files statuses": "index file status",
		"class bus this":         "class bus thi",
		"größeÄndern":            "=größeändern größe ändern",
		"日本語処理":                  "日本 本語 語処 処理",
		"字":                      "字",
		"検索engine":               "検索 engine",
		"don't":                  "don t",
		"a\x00b\xff":             "a b",
		strings.Repeat("a", 49):  "",
		strings.Repeat("a", 300): "",
	} {
		if d := cmp.Diff(want, strings.Join(tokensOf(in), " ")); d != "" {
			t.Errorf("%q (-want +got):\n%s", in, d)
		}
	}
}

// For any text, tokens are short, in lower case and without separators, and the parts of an identifier form the whole.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"getHTTPResponse2XX", "a_b__c", "日本go語", "\xff\xfe", "ǅUngla", "İstanbul", "0x1F600"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, tok := range tokensOf(s) {
			tok = strings.TrimPrefix(tok, "=")
			if tok == "" || len(tok) > maxToken || strings.ContainsAny(tok, " _\x00\n") ||
				(utf8.ValidString(s) && !utf8.ValidString(tok)) {
				t.Errorf("%q gives token %q", s, tok)
			}
		}
		for _, w := range Analyse(s) {
			if len(w.Parts) == 0 {
				t.Errorf("%q gives an empty word", s)
			}
		}
	})
}

func TestAnalyse(t *testing.T) {
	words := Analyse("how does the parseConfig work")
	var got []string
	for _, w := range words {
		got = append(got, w.Whole+":"+strings.Join(w.Parts, ","))
	}
	if want := []string{"parseconfig:parse,config", "work:work"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if words := Analyse("to be or not"); len(words) != 4 {
		t.Errorf("a query of stop words alone keeps %d of them", len(words))
	}
	if words := Analyse(" ,;. "); len(words) != 0 {
		t.Errorf("punctuation gives %v", words)
	}
}

func FuzzKey(f *testing.F) {
	f.Add("a/b.go", "0123456789abcdef", "go", 1, 20)
	f.Add("ä b.go", "", "", 0, 0)
	f.Fuzz(func(t *testing.T, path, hash, lang string, start, end int) {
		if path == "" || strings.Contains(path+hash+lang, sep) || start != int(uint16(start)) || end != int(uint16(end)) {
			return
		}
		c := api.Chunk{Path: path, ContentHash: hash, Language: lang, StartLine: start, EndLine: end, Ordinal: end}
		k := KeyOf(c)
		if got, err := parseKey(k.String()); err != nil || got != k || got.ID() != api.ChunkID(path, hash, end) {
			t.Errorf("%+v came back as %+v, %v", k, got, err)
		}
	})
}

func FuzzStored(f *testing.F) {
	f.Add([]byte{Form, 0}, "text")
	f.Fuzz(func(t *testing.T, damaged []byte, text string) {
		_, _ = decodeChunk(Key{}, damaged) // must not panic
		_ = decode(Key{}, damaged, &Unit{})
		c := cut("a.go", text+"x")[0]
		c.Symbols, c.Breadcrumb = []string{text, ""}, nil
		got, err := decodeChunk(KeyOf(c), encodeChunk(c))
		if err != nil || cmp.Diff(c, got) != "" {
			t.Errorf("%v: %s", err, cmp.Diff(c, got))
		}
	})
}

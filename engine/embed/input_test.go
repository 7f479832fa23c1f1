package embed

import (
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

func TestSplit(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"hello world":          "hello world",
		"getUserName":          "get User Name",
		"HTTPServer":           "HTTP Server",
		"parseURLs":            "parse URLs",
		"userIDsByName":        "user IDs By Name",
		"URLset":               "UR Lset", // no dictionary: an acronym is taken to end before the last capital
		"max_retry_count":      "max retry count",
		"__init__":             "  init  ",
		"MAX_SIZE":             "MAX SIZE",
		"utf8Decode":           "utf8Decode",
		"sha256":               "sha256",
		"x.getY()":             "x.get Y()",
		"größeÄndern":          "größe Ändern",
		"ДлинаСтроки":          "Длина Строки",
		"a\xffB":               "a\xffB",
		"I am OK":              "I am OK",
		"std::unique_ptr<Foo>": "std::unique ptr<Foo>",
	} {
		if got := string(appendSplit(nil, in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// FuzzSplit: splitting only adds spaces and turns underscores into them.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"fooBar_baz", "ÄÖ_ü", "\xc3\x28A", "ABCdEF"} {
		f.Add(s)
	}
	bare := strings.NewReplacer(" ", "", "_", "")
	f.Fuzz(func(t *testing.T, s string) {
		got := string(appendSplit([]byte("before "), s))
		rest, ok := strings.CutPrefix(got, "before ")
		if !ok || bare.Replace(rest) != bare.Replace(s) {
			t.Fatalf("%q became %q", s, got)
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("%q became invalid", s)
		}
	})
}

func TestInput(t *testing.T) {
	got := Input(api.Chunk{
		Path: "engine/store/files/journal.go", Breadcrumb: []string{"Journal", "func (j *Journal) Append"}, Symbols: []string{"Append", "flush"},
		Text: "// Append adds an entry.\nfunc (j *Journal) Append(e Entry) error {\n\tif e.Path == \"\" {\n\t\treturn errEmpty\n\t}\n\n\treturn j.write(e)\n}\n",
	})
	want := "store files journal Journal func (j *Journal) Append flush\n" +
		"// Append adds an entry.\nfunc (j *Journal) Append(e Entry) error {\nif e.Path == \"\" {\nreturn errEmpty\nreturn j.write(e)\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestInputBounds(t *testing.T) {
	long := strings.Repeat("word ", 10_000)
	for name, c := range map[string]api.Chunk{
		"long line":       {Path: "a.txt", Text: long},
		"many lines":      {Path: "a.txt", Text: strings.Repeat("some words here\n", 5000)},
		"long breadcrumb": {Path: "a.md", Breadcrumb: []string{long, long}, Text: "the text itself\n"},
		"nothing":         {},
		"no words":        {Path: "x", Text: "{\n}\n---\n"},
	} {
		got := Input(c)
		if len(got) > inputBytes+len(c.Text)+2*len(long) || strings.Contains(got, "---") {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		if name == "many lines" && len(got) > inputBytes+64 {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

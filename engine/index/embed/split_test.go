package embed

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplit(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"hello world":          "hello world",
		"getUserName":          "get User Name",
		"HTTPServer":           "HTTP Server",
		"parseURLs":            "parse URLs",
		"userIDsByName":        "user IDs By Name",
		"URLset":               "UR Lset", // without a dictionary, an acronym ends before the last capital
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
		if got := string(AppendSplit(nil, in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"fooBar_baz", "ÄÖ_ü", "\xc3\x28A", "ABCdEF"} {
		f.Add(s)
	}
	bare := strings.NewReplacer(" ", "", "_", "")
	f.Fuzz(func(t *testing.T, s string) {
		got := string(AppendSplit([]byte("before "), s))
		rest, ok := strings.CutPrefix(got, "before ")
		if !ok || bare.Replace(rest) != bare.Replace(s) {
			t.Fatalf("%q became %q", s, got)
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("%q became invalid", s)
		}
	})
}

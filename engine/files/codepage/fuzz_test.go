package codepage

import (
	"testing"
	"unicode/utf8"
)

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"\x82\xb1\x82\xf1", "\xc4\xe3\xba\xc3", "caf\xe9 cr\xe8me", "\xff\xfe\x00", "\x1b$B$3",
		"\x8f\xa1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, ok := Decode(s)
		if ok && (g.Name == "" || !utf8.ValidString(g.Text)) {
			t.Fatalf("%+v of %q", g, s)
		}
		if len(g.Text) > 4*len(s)+4 {
			t.Fatalf("%d bytes of %d", len(g.Text), len(s))
		}
		MostlyUTF8(s)
	})
}

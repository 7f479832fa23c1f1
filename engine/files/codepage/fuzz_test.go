package codepage

import (
	"testing"
	"unicode/utf8"
)

// FuzzDecode: bytes of any encoding, or of none, become text or are refused.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"\x82\xb1\x82\xf1", "\xc4\xe3\xba\xc3", "caf\xe9 cr\xe8me", "\xff\xfe\x00", "\x1b$B$3",
		"\x8f\xa1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, name, ok := Decode(s)
		if ok && (name == "" || !utf8.ValidString(text)) {
			t.Fatalf("%q of %q", text, name)
		}
		if len(text) > 4*len(s)+4 {
			t.Fatalf("%d bytes of %d", len(text), len(s))
		}
		MostlyUTF8(s)
	})
}

package display

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain ünïcode 日本 👍🏽\n\tx":   "plain ünïcode 日本 👍🏽\n\tx",
		"a\r\nb\rc":                  "a\nb\nc",
		"\x1b[2J\x07\x7f\u0085":      `\x1b[2J\x07\x7f\u0085`,
		"\u202e\u2066\u200b\ufeff":   `\u202e\u2066\u200b\ufeff`,
		"\U000e0041\U000e0101\u3164": `\U000e0041\U000e0101\u3164`,
		"\xff\xfe":                   "\ufffd\ufffd",
		"\u2028x\u17b4\u034f":        `\u2028x\u17b4\u034f`,
	} {
		wantEqual(t, Visible(in), want, "%q: Visible", in)
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("x\x1b\u202e\r\n\xff")
	f.Fuzz(func(t *testing.T, s string) {
		v := Visible(s)
		if !utf8.ValidString(v) || strings.ContainsFunc(v, Hidden) {
			t.Errorf("%q gives %q", s, v)
		}
		wantEqual(t, Visible(v), v, "Visible")
	})
}

func TestWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", time.Millisecond: "1s", 45 * time.Second: "45s", 80 * time.Second: "1m 20s", 2 * time.Minute: "2m",
		2*time.Hour + 5*time.Minute + 59*time.Second: "2h 5m", 3 * time.Hour: "3h",
	} {
		wantEqual(t, Duration(d), want, "%s: Duration", d)
	}
	for n, want := range map[int64]string{0: "0B", 512: "512B", 2048: "2KB", 45 << 20: "45MB",
		3 << 29: "1.5GB", -1: "0B"} {
		wantEqual(t, Size(n), want, "Size")
	}
	wantEqual(t, CutBytes("aä", 2), "a", "CutBytes")
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 100)
	for in, want := range map[string]string{
		"Claude Code": "Claude Code", "  a \n\t b\u00a0c ": "a b c", " \n ": "", "": "",
		"update is ready.\nChoose Go on.": "update is ready. Choose Go on.", "a\u202eb\x1b[2J": `a\u202eb\x1b[2J`,
		long: long[:MaxName-1] + "…",
	} {
		wantEqual(t, Name(in), want, "%q: Name", in)
	}
}

func TestLine(t *testing.T) {
	wantEqual(t, Line("a\nNo file is read.\t\u202ex"), `a\nNo file is read.\t\u202ex`, "Line")
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

package endpoint

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain ünïcode 日本 👍🏽\n\tx":   "plain ünïcode 日本 👍🏽\n\tx",
		"a\r\nb\rc":                  "a\nb\\x0dc",
		"\x1b[2J\x07\x7f\u0085":      `\x1b[2J\x07\x7f\u0085`,
		"\u202e\u2066\u200b\ufeff":   `\u202e\u2066\u200b\ufeff`,
		"\U000e0041\U000e0101\u3164": `\U000e0041\U000e0101\u3164`,
		"\xff\xfe":                   "\ufffd\ufffd",
		"\u2028x":                    `\u2028x`,
	} {
		if got := visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("x\x1b\u202e\r\n\xff")
	f.Fuzz(func(t *testing.T, s string) {
		v := visible(s)
		if !utf8.ValidString(v) || strings.ContainsFunc(v, hidden) {
			t.Errorf("%q gives %q", s, v)
		}
		if again := visible(v); again != v {
			t.Errorf("%q gives %q, then %q", s, v, again)
		}
	})
}

func TestWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", time.Millisecond: "1s", 45 * time.Second: "45s", 80 * time.Second: "1m 20s", 2 * time.Minute: "2m",
		2*time.Hour + 5*time.Minute + 59*time.Second: "2h 5m", 3 * time.Hour: "3h",
	} {
		if got := length(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0B", 512: "512B", 2048: "2KB", 45 << 20: "45MB", 3 << 29: "1.5GB", -1: "0B"} {
		if got := size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	if got := cutBytes("aä", 2); got != "a" {
		t.Errorf("%q", got)
	}
	if got := quote("/a b/it's"); got != `'/a b/it'\''s'` {
		t.Error(got)
	}
}

func TestInstructionsAreShortEnough(t *testing.T) {
	if len(instructions) >= 2<<10 {
		t.Errorf("%d bytes: clients cut after 2 KB", len(instructions))
	}
}

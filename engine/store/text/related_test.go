package text

import "testing"

func TestRelated(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"parse", "parser", true}, {"parsing", "parsed", true}, {"compress", "compression", true}, {"retry", "retries", true},
		{"serialize", "serialization", true}, {"stop", "stopped", true}, {"authenticate", "authentication", true},
		{"throttle", "throttling", true}, {"same", "same", true},
		{"randomised", "random", true},
		{"form", "format", false}, {"port", "portal", false}, {"run", "runner", false}, {"content", "context", false},
		{"general", "generate", false}, {"", "s", false},
	} {
		if got := Related(tc.a, tc.b); got != tc.want || Related(tc.b, tc.a) != tc.want {
			t.Errorf("Related(%q, %q) = %v", tc.a, tc.b, got)
		}
	}
}

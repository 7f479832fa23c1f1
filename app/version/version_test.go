package version

import "testing"

func TestCompare(t *testing.T) {
	// Oldest first; versions of one line are equal.
	order := [][]string{
		{"dev"}, {"0.1.0-dev.9+abcd", "0.1.0-dev.9+ef01.dirty"}, {"0.1.0-dev.10"}, {"0.1.0-rc.1"}, {"0.1.0", "0.1.0+abcd"},
		{"0.2.0"}, {"0.10.0"}, {"1.0.0"},
	}
	sign := func(n int) int { return max(-1, min(1, n)) }
	for i, as := range order {
		for j, bs := range order {
			for _, a := range as {
				for _, b := range bs {
					if got := sign(Compare(a, b)); got != sign(i-j) {
						t.Errorf("Compare(%q, %q) = %d", a, b, got)
					}
				}
			}
		}
	}
}

func TestValid(t *testing.T) {
	for v, want := range map[string]bool{
		"1.2.3": true, "0.1.0-dev.9+abcd": true, "1.2": false, "v1.2.3": false, "": false, "dev": false,
		"1.2.3\n": false, "01.2.3": false,
	} {
		if Valid(v) != want {
			t.Errorf("Valid(%q) = %v", v, !want)
		}
	}
}

package main

import (
	"strings"
	"testing"

	"searchmcp/packaging/native"
)

func TestOlder(t *testing.T) {
	for _, c := range []struct {
		have, want string
		older      bool
	}{
		{"2.36", "2.35", false},
		{"2.35", "2.35", false},
		{"2.31", "2.35", true},
		{"2.4", "2.35", true},
		{"2", "2.35", true},
		{"3.0", "2.35", false},
		{"2.35.1", "2.35", false},
	} {
		if got := older(c.have, c.want); got != c.older {
			t.Errorf("older(%q, %q) = %v, want %v", c.have, c.want, got, c.older)
		}
	}
}

func TestFitsNamesWhatIsMissing(t *testing.T) {
	lib := native.Library{Library: "lancedb", MinGlibc: "2.35"}
	err := fits(lib, "2.31")
	if err == nil || !strings.Contains(err.Error(), "2.31") || !strings.Contains(err.Error(), "2.35") {
		t.Errorf("glibc 2.31 against 2.35: %v", err)
	}
	if err := fits(lib, "2.36"); err != nil {
		t.Errorf("glibc 2.36 against 2.35: %v", err)
	}
	if err := fits(lib, ""); err != nil {
		t.Errorf("unknown glibc must pass: %v", err)
	}
}

package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCurrent checks that the committed pages match the code.
func TestCurrent(t *testing.T) {
	pages, err := render("../../docs/reference")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range pages {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not current; make reference writes it:\n%s", path, diff)
		}
	}
}

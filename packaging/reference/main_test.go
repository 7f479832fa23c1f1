package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCurrent checks that the committed pages match the code.
func TestCurrent(t *testing.T) {
	const folder = "../../docs/reference"
	want := pages()
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(text, string(got)); diff != "" {
			t.Errorf("%s is not current; make reference writes it:\n%s", name, diff)
		}
	}
	there, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil || len(there) != len(want) {
		t.Errorf("%d pages, %d files, %v", len(want), len(there), err)
	}
}

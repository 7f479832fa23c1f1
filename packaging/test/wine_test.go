package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSkipsUnderWine checks that every test in the list of skips exists and has a reason.
func TestSkipsUnderWine(t *testing.T) {
	top := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(top, "packaging", "windows", "wine", "skips.txt"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		folder, rest, _ := strings.Cut(line, " ")
		name, reason, _ := strings.Cut(rest, " ")
		if reason == "" || seen[folder+name] {
			t.Errorf("%q: no reason, or there twice", line)
		}
		seen[folder+name] = true
		files, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(folder), "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%q: no tests in %s (%v)", line, folder, err)
			continue
		}
		found := name == "*"
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(source), "\nfunc "+name+"(")
		}
		if !found {
			t.Errorf("%q: %s has no such test", line, folder)
		}
	}
	if len(seen) == 0 {
		t.Error("no row was read: is the list still recognised?")
	}
}

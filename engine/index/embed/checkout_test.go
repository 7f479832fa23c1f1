//go:build !release

package embed

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A program that was moved after its build does not use the checkout it was compiled from.
func TestTreesOf(t *testing.T) {
	file, err := filepath.Abs("checkout.go")
	must(t, err)
	root, err := filepath.Abs("../../..")
	must(t, err)
	temp := t.TempDir()
	for dir, want := range map[string][]string{
		temp: nil, "": nil, filepath.Join(temp, "go-build123", "b001"): {root}, filepath.Join(root, "bin"): {root},
	} {
		if got := treesOf(dir, file); !slices.Equal(got, want) {
			t.Errorf("treesOf(%q) = %q, want %q", dir, got, want)
		}
	}
}

func TestModuleRoot(t *testing.T) {
	mine, other := t.TempDir(), t.TempDir()
	for dir, mod := range map[string]string{mine: "module searchmcp\n\ngo 1.26\n", other: "module searchmcpx\n"} {
		must(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	}
	if got := moduleRoot(filepath.Join(mine, "a", "b")); got != mine {
		t.Errorf("found %q", got)
	}
	if got := moduleRoot(other); got == other {
		t.Error("took another module")
	}
}

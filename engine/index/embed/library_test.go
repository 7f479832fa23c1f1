package embed

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestLibraryPath(t *testing.T) {
	dir := t.TempDir()
	want := filepath.Join(dir, libraryName())
	must(t, os.WriteFile(want, nil, 0o600))
	for _, env := range []string{dir, want} {
		t.Setenv(LibraryEnv, env)
		if got, err := LibraryPath(); err != nil || got != want {
			t.Errorf("%s=%s: %s, %v", LibraryEnv, env, got, err)
		}
	}
	// An untrusted project must not be able to provide the library through a relative path or the working directory.
	t.Chdir(dir)
	for _, env := range []string{".", libraryName(), ""} {
		t.Setenv(LibraryEnv, env)
		if got, err := LibraryPath(); err == nil && filepath.Dir(got) == dir {
			t.Errorf("%s=%q: took the working directory's %s", LibraryEnv, env, got)
		} else if err != nil && !errors.Is(err, ErrLibrary) {
			t.Error(err)
		}
	}
}

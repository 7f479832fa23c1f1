package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLogFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	secret, path := filepath.Join(dir, "secret"), filepath.Join(dir, "app.log")
	if err := os.WriteFile(secret, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, path); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	for range 2 {
		log := Log(path, 1)
		if _, err := log.Write([]byte("line\n")); err != nil {
			t.Fatal(err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{secret: "mine", path: "line\nline\n"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s contains %q: %v", filepath.Base(name), got, err)
		}
	}
}

func TestLogAgain(t *testing.T) {
	path, before := filepath.Join(t.TempDir(), "a.log"), runtime.NumGoroutine()
	for range 30 {
		l := Log(path, 1)
		if _, err := l.Write([]byte("a line\n")); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := runtime.NumGoroutine() - before; n > 5 {
		t.Errorf("%d goroutines are left", n)
	}
}

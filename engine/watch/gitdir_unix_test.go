//go:build unix

package watch

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestGitFilesThatArePipes: a repository that somebody packed pipes into is read without waiting for their other end.
func TestGitFilesThatArePipes(t *testing.T) {
	for _, pipe := range []string{"HEAD", "packed-refs"} {
		dir := t.TempDir()
		must(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o700))
		if pipe != "HEAD" {
			write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
		}
		must(t, syscall.Mkfifo(filepath.Join(dir, ".git", pipe), 0o600))
		done := make(chan struct{})
		go func() {
			defer close(done)
			if r, err := gitAt(dir); err == nil {
				_, _ = r.read() // what it says doesn't matter
			}
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: waits", pipe)
		}
	}
}

//go:build unix

package repo

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestGitFilesThatArePipes(t *testing.T) {
	for _, pipe := range []string{"HEAD", "packed-refs"} {
		dir := t.TempDir()
		must(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o700))
		if pipe != "HEAD" {
			must(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o600))
		}
		must(t, syscall.Mkfifo(filepath.Join(dir, ".git", pipe), 0o600))
		done := make(chan struct{})
		go func() {
			defer close(done)
			if r, err := At(dir); err == nil {
				_, _ = r.Head()
				_, _ = Commits(t.Context(), dir, 1)
			}
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("%s: waits", pipe)
		}
	}
}

func TestGitGetsNoPipes(t *testing.T) {
	for _, pipe := range []string{"index", "objects/info/alternates", "objects/pack/pack-1.idx",
		"objects/info/commit-graph", "objects/info/commit-graphs/commit-graph-chain", "objects/11/" + strings.Repeat("1", 38),
		"other/info/alternates", "other/pack/pack-1.idx"} {
		dir := filepath.Join(t.TempDir(), "[a]")
		git := filepath.Join(dir, ".git")
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(git, pipe)), 0o700))
		must(t, os.MkdirAll(filepath.Join(git, "objects/info"), 0o700))
		if strings.HasPrefix(pipe, "other") {
			must(t, os.WriteFile(filepath.Join(git, "objects/info/alternates"), []byte("../other\n"), 0o600))
		}
		must(t, os.WriteFile(filepath.Join(git, "HEAD"), []byte(strings.Repeat("1", 40)+"\n"), 0o600))
		must(t, syscall.Mkfifo(filepath.Join(git, pipe), 0o600))
		g, err := At(dir)
		must(t, err)
		if pipe == "index" {
			err = g.Tracked(t.Context(), dir, func(string) {})
		} else {
			_, err = Commits(t.Context(), dir, 1)
		}
		if err == nil || !strings.Contains(err.Error(), "is not a file") {
			t.Errorf("%s: %v", pipe, err)
		}
	}
}

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo/repotest"
)

func TestRepositoryAbove(t *testing.T) {
	t.Parallel()
	outer := tree(t, map[string]string{"mine/package.json": "{}", "mine/src/a.js": "function wombat() {}",
		"mine/clone/.git/HEAD": "ref: refs/heads/main", "mine/.gitignore": "clone/"})
	mine := filepath.Join(outer, "mine")
	e := openOpt(t, t.TempDir(), nil)
	create(t, e, mine)
	for _, head := range []bool{false, true} {
		must(t, os.MkdirAll(filepath.Join(outer, ".git"), 0o700))
		if head {
			write(t, filepath.Join(outer, ".git", "HEAD"), "ref: refs/heads/main")
		}
		if root, ok := e.DetectRoot(filepath.Join(mine, "src")); !ok || root != mine {
			t.Errorf("with a head %v: %q", head, root)
		}
		if root, _ := e.DetectRoot(outer); head != (root == outer) {
			t.Errorf("above, with a head %v: %q", head, root)
		}
	}
	if root, _ := e.DetectRoot(filepath.Join(mine, "clone")); root != filepath.Join(mine, "clone") {
		t.Errorf("a clone that the project leaves out: %q", root)
	}
}

// A bare repository is recognized by its content, and its preview names the checkouts.
func TestBareRepository(t *testing.T) {
	t.Parallel()
	repotest.Need(t)
	source := tree(t, map[string]string{"keep.go": "package p\n\nfunc KeepIt() {}\n"})
	top := t.TempDir()
	bare := filepath.Join(top, "work", ".bare")
	repotest.Git(t, source, "init", "-q", "-b", "main")
	repotest.Git(t, source, "add", ".")
	repotest.Git(t, source, "commit", "-q", "-m", "one")
	repotest.Git(t, top, "clone", "-q", "--bare", source, filepath.Join(top, "in", "x.git"))
	repotest.Git(t, top, "clone", "-q", "--bare", source, bare)
	repotest.Git(t, bare, "worktree", "add", "-q", "../main", "main")
	repotest.Git(t, bare, "worktree", "add", "-q", "-b", "feat", "../feat")
	write(t, filepath.Join(top, "work", ".git"), "gitdir: ./.bare\n")
	e := openOpt(t, t.TempDir(), nil)
	for folder, files := range map[string]int{"in": 0, "in/x.git": 0, "work": 0, "work/main": 1} {
		p, err := e.Preview(t.Context(), filepath.Join(top, folder))
		if err != nil || p.Files != files {
			t.Errorf("%s: %d files, %v, want %d", folder, p.Files, err, files)
		}
		warned := strings.Contains(strings.Join(p.Warnings, ""), "Index one of these instead: feat, main.")
		if warned != (folder == "work") {
			t.Errorf("%s: %q, checkouts %q", folder, p.Warnings, p.Examples[api.SkipCheckout])
		}
	}
	create(t, e, filepath.Join(top, "work", "main"))
	if hits := find(t, e, filepath.Join(top, "work", "main"), "KeepIt").Hits; len(hits) == 0 || hits[0].Path != "keep.go" {
		t.Errorf("hits in a checkout: %+v", hits)
	}
}

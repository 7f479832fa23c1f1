package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/files/repo/repotest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func commit(t testing.TB, dir, message string, files ...string) {
	t.Helper()
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f))
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must(t, os.WriteFile(name, []byte(message), 0o600))
	}
	repotest.Git(t, dir, "add", "-A")
	repotest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", message)
}

func repository(t testing.TB) string {
	t.Helper()
	repotest.Need(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	repotest.Git(t, dir, "init", "-q", "-b", "main")
	commit(t, dir, "begin", "a.go", "sub/b.go", "sub/deep/c.go")
	commit(t, dir, "repair the parser\n\nIt took an empty line for the end.", "sub/b.go")
	commit(t, dir, "nothing")
	must(t, os.Remove(filepath.Join(dir, "a.go")))
	commit(t, dir, "drop a, add d", "sub/deep/d.go")
	must(t, os.Remove(filepath.Join(dir, "sub", "b.go")))
	commit(t, dir, "make a folder of b", "sub/b.go/b.go")
	repotest.Git(t, dir, "checkout", "-q", "-b", "other")
	commit(t, dir, "on a branch", "sub/deep/c.go")
	repotest.Git(t, dir, "checkout", "-q", "main")
	commit(t, dir, "on main", "e.go")
	repotest.Git(t, dir, "merge", "-q", "--no-ff", "-m", "merge other", "other")
	return dir
}

func summary(commits []Commit) string {
	var lines []string
	for _, c := range commits {
		slices.Sort(c.Files)
		first, _, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
		lines = append(lines, first+": "+strings.Join(c.Files, " "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestCommits(t *testing.T) {
	dir := repository(t)
	whole := `begin: a.go sub/b.go sub/deep/c.go
drop a, add d: sub/deep/d.go
make a folder of b: sub/b.go/b.go
on a branch: sub/deep/c.go
on main: e.go
repair the parser: sub/b.go`
	below := `begin: b.go deep/c.go
drop a, add d: deep/d.go
make a folder of b: b.go/b.go
on a branch: deep/c.go
repair the parser: b.go`
	tree := filepath.Join(t.TempDir(), "tree")
	repotest.Git(t, dir, "worktree", "add", "-q", "--detach", tree, "main")
	packed := filepath.Join(t.TempDir(), "packed")
	repotest.Git(t, dir, "clone", "-q", "--no-local", "file://"+dir, packed)
	repotest.Git(t, packed, "gc", "-q")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "removed"))
	for _, tt := range []struct{ folder, want string }{
		{dir, whole},
		{filepath.Join(dir, "sub"), below},
		{tree, whole},
		{packed, whole},
		{filepath.Join(packed, "sub"), below},
	} {
		got, err := Commits(t.Context(), tt.folder, 100)
		must(t, err)
		if summary(got) != tt.want {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.folder, summary(got), tt.want)
		}
	}
	if got, err := Commits(t.Context(), dir, 2); err != nil || len(got) != 2 {
		t.Errorf("two were asked for, %d came, %v", len(got), err)
	}
	got, err := Commits(t.Context(), dir, 100)
	must(t, err)
	i := slices.IndexFunc(got, func(c Commit) bool { return strings.HasPrefix(c.Message, "repair") })
	if !strings.Contains(got[i].Message, "empty line") {
		t.Errorf("a message without its body: %q", got[i].Message)
	}
}

func TestCommitsEnd(t *testing.T) {
	dir := repository(t)
	shallow := filepath.Join(t.TempDir(), "shallow")
	repotest.Git(t, dir, "clone", "-q", "--depth", "2", "file://"+dir, shallow)
	got, err := Commits(t.Context(), shallow, 100)
	if err != nil || strings.Contains(summary(got), "begin") {
		t.Errorf("a shallow clone: %v\n%s", err, summary(got))
	}
	empty := t.TempDir()
	repotest.Git(t, empty, "init", "-q")
	if got, err := Commits(t.Context(), empty, 100); err != nil || got != nil {
		t.Errorf("before the first commit: %v, %v", got, err)
	}
	if _, err := Commits(t.Context(), t.TempDir(), 100); !errors.Is(err, ErrNone) {
		t.Errorf("no repository: %v", err)
	}
	many := make([]string, maxFiles+1)
	for i := range many {
		many[i] = fmt.Sprintf("many/%d.go", i)
	}
	commit(t, dir, "rename everything", many...)
	if got, err := Commits(t.Context(), dir, 100); err != nil || strings.Contains(summary(got), "rename") {
		t.Errorf("a commit of %d files is summary of, %v", len(many), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Commits(ctx, dir, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCommitsOfDamaged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "packed")
	repotest.Git(t, t.TempDir(), "clone", "-q", "--no-local", "file://"+repository(t), dir)
	repotest.Git(t, dir, "gc", "-q")
	packs, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*"))
	must(t, err)
	for _, pack := range packs {
		whole, err := os.ReadFile(pack)
		must(t, err)
		must(t, os.Chmod(pack, 0o600))
		for at := 0; at < len(whole); at += 31 {
			bad := slices.Clone(whole)
			bad[at] ^= 0xff
			must(t, os.WriteFile(pack, bad, 0o600))
			if got, err := Commits(t.Context(), dir, 100); err == nil && len(got) > 6 {
				t.Errorf("%s, byte %d: %d commits", filepath.Base(pack), at, len(got))
			}
		}
		must(t, os.WriteFile(pack, whole, 0o600))
	}
	if got, err := Commits(t.Context(), dir, 100); err != nil || len(got) != 6 {
		t.Errorf("repaired: %d commits, %v", len(got), err)
	}
}

func TestGitDirectories(t *testing.T) {
	dir := repository(t)
	tree := filepath.Join(t.TempDir(), "tree")
	repotest.Git(t, dir, "worktree", "add", "-q", tree, "other")
	repotest.Git(t, dir, "pack-refs", "--all")
	for _, work := range []string{dir, tree} {
		r, err := At(work)
		must(t, err)
		if want := repotest.Git(t, work, "rev-parse", "--absolute-git-dir"); r.Dir != want {
			t.Errorf("git directory %s, want %s", r.Dir, want)
		}
		if want := filepath.Join(dir, ".git"); r.Common != want {
			t.Errorf("common directory %s, want %s", r.Common, want)
		}
		h, err := r.Head()
		must(t, err)
		if want := repotest.Git(t, work, "rev-parse", "HEAD"); h.commit != want {
			t.Errorf("commit %q, want %s", h.commit, want)
		}
	}
	for _, bad := range []string{"", "gitdir: nowhere", "gitdir:", "nonsense"} {
		d := t.TempDir()
		must(t, os.WriteFile(filepath.Join(d, ".git"), []byte(bad), 0o600))
		if _, err := At(d); err == nil {
			t.Errorf("a .git file of %q was taken for a repository", bad)
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "outside"), []byte("secret"), 0o600))
	if got := (Git{Common: filepath.Join(dir, ".git")}).ref("../outside"); got != "" {
		t.Errorf("a reference led out of the repository: %q", got)
	}
}

package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo/repotest"
)

func repository(t testing.TB) string {
	t.Helper()
	repotest.Need(t)
	dir := t.TempDir()
	repotest.Git(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "a.go"), "1")
	repotest.Git(t, dir, "add", "-A")
	repotest.Git(t, dir, "commit", "-q", "-m", "one")
	repotest.Git(t, dir, "branch", "other")
	write(t, filepath.Join(dir, "b.go"), "2")
	repotest.Git(t, dir, "add", "-A")
	repotest.Git(t, dir, "commit", "-q", "-m", "two")
	return dir
}

var quickGit = gitTimes{quiet: 50 * time.Millisecond, settleAfterMove: 700 * time.Millisecond,
	poll: 100 * time.Millisecond}

type gitDesk struct{ *desk }

func followGit(t *testing.T, dir string, open func(*queue) source) *gitDesk {
	t.Helper()
	o := OrchestratorOptions{Root: dir, Strategy: api.Git, Idle: time.Hour, open: open, times: quickGit}
	return &gitDesk{orchestrateInto(t, o, make(chan Batch, 100))}
}

func (g *gitDesk) following(dir string) *gitDesk {
	g.t.Helper()
	late := time.After(patience)
	for i := 0; ; i++ {
		repotest.Git(g.t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("handshake %d", i))
		g.in <- changed(fmt.Sprintf("handshake%d", i))
		select {
		case <-g.out:
			if strings.Contains(g.o.Stats().Note, "no git repository") {
				continue // released because a repository was found, but not yet followed
			}
			g.settled()
			return g
		case <-time.After(time.Second):
		case <-late:
			g.t.Fatal("the repository is not followed")
		}
	}
}

func (g *gitDesk) settled() {
	g.t.Helper()
	late := time.After(patience)
	for {
		asked := make(chan time.Duration, 1)
		g.o.calls <- func(m *machine) { asked <- time.Until(m.settling) }
		until := <-asked
		if until <= 0 {
			break
		}
		select {
		case <-g.out:
		case <-time.After(until):
		case <-late:
			g.t.Fatal("never settled")
		}
	}
	for len(g.out) > 0 {
		<-g.out
	}
}

func (g *gitDesk) note(text string) {
	g.t.Helper()
	late := time.After(patience)
	for done := false; !done; done = strings.Contains(g.o.Stats().Note, text) {
		select {
		case g.in <- changed("tick.go"):
		case <-late:
			g.t.Fatalf("no note with %q", text)
		}
	}
}

func (g *gitDesk) next() Batch {
	g.t.Helper()
	select {
	case b := <-g.out:
		return b
	case <-time.After(patience):
		g.t.Fatal("nothing was handed on")
		return Batch{}
	}
}

func (g *gitDesk) held(path string) {
	g.t.Helper()
	g.in <- changed(path)
	g.in <- Batch{} // received after the previous batch was recorded
	must(g.t, g.o.BeforeSearch(context.Background()))
	if n := g.o.Stats().Pending; n == 0 || len(g.out) > 0 {
		g.t.Errorf("%s was not held back: %d pending, %d handed on", path, n, len(g.out))
	}
}

func TestGitCommitHandsOnTheDirtySet(t *testing.T) {
	dir := repository(t)
	g := followGit(t, dir, nil).following(dir)
	write(t, filepath.Join(dir, "a.go"), "22")
	g.held("a.go")
	repotest.Git(t, dir, "add", "-A") // staging is not a commit
	g.held("a.go")
	repotest.Git(t, dir, "commit", "-q", "-m", "three")
	if b := g.next(); !b.Rescan || b.Cause != CauseGit {
		t.Errorf("%+v", b)
	}
	g.in <- changed("late.go")
	wantList(t, g.next().Paths, []string{"late.go"}, "paths")
	g.settled()
	g.held("later.go")
	wantEqual(t, g.o.Stats().Note, "", "note")
}

func TestGitMovesThatChangeFiles(t *testing.T) {
	dir := repository(t)
	g := followGit(t, dir, nil).following(dir)
	for _, step := range [][]string{
		{"checkout", "-q", "other"},
		{"checkout", "-q", "-b", "topic/deep"},
		{"merge", "-q", "--no-edit", "main"},
		{"reset", "-q", "--hard", "HEAD~1"},
		{"rebase", "-q", "main"},
		{"checkout", "-q", "--detach", "main~1"},
		{"checkout", "-q", "main"},
	} {
		repotest.Git(t, dir, step...)
		if b := g.next(); !b.Rescan || b.Cause != CauseGit {
			t.Errorf("git %s: %+v", strings.Join(step, " "), b)
		}
		g.settled()
	}
}

func TestGitWorktreeAndSubmodule(t *testing.T) {
	dir := repository(t)
	tree := filepath.Join(t.TempDir(), "tree")
	repotest.Git(t, dir, "worktree", "add", "-q", tree, "other")
	outer := repository(t)
	repotest.Git(t, outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", dir, "sub")
	repotest.Git(t, outer, "commit", "-q", "-m", "with submodule")
	for name, root := range map[string]string{
		"worktree": tree, "submodule": filepath.Join(outer, "sub"), "folder below": filepath.Join(outer, "inside"),
	} {
		t.Run(name, func(t *testing.T) {
			write(t, filepath.Join(root, "new.go"), "1")
			g := followGit(t, root, nil).following(root)
			repotest.Git(t, root, "add", "-A")
			g.held("new.go")
			repotest.Git(t, root, "commit", "-q", "-m", "in "+name)
			if b := g.next(); !b.Rescan || b.Cause != CauseGit {
				t.Errorf("%+v", b)
			}
		})
	}
	for _, hooks := range []string{filepath.Join(dir, ".git/hooks"), filepath.Join(outer, ".git/hooks")} {
		entries, err := os.ReadDir(hooks)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".sample") {
				t.Errorf("hook %s", e.Name())
			}
		}
	}
}

func TestGitWithoutRepository(t *testing.T) {
	dir := repository(t)
	hidden := filepath.Join(t.TempDir(), "git")
	must(t, os.Rename(filepath.Join(dir, ".git"), hidden))
	g := followGit(t, dir, nil)
	g.note("no git repository")
	must(t, g.o.BeforeSearch(context.Background())) // as with the lazy strategy
	if b := g.next(); !slices.Contains(b.Paths, "tick.go") {
		t.Errorf("%+v", b)
	}
	must(t, os.Rename(hidden, filepath.Join(dir, ".git")))
	g.following(dir)
	wantEqual(t, g.o.Stats().Note, "", "note")
	g.held("x.go")
	must(t, os.RemoveAll(filepath.Join(dir, ".git")))
	g.note("no git repository")
}

func TestGitFirstCommit(t *testing.T) {
	dir := repository(t)
	must(t, os.RemoveAll(filepath.Join(dir, ".git")))
	repotest.Git(t, dir, "init", "-q", "-b", "main")
	g := followGit(t, dir, nil).following(dir)
	repotest.Git(t, dir, "add", "-A")
	g.held("a.go")
	repotest.Git(t, dir, "commit", "-q", "-m", "first")
	if b := g.next(); !contains([]Batch{b}, "a.go") {
		t.Errorf("%+v", b)
	}
}

func TestGitPolledWithoutWatches(t *testing.T) {
	dir := repository(t)
	g := followGit(t, dir, func(*queue) source { return noSource{} })
	g.note("is read every 100ms")
	write(t, filepath.Join(dir, "a.go"), "22")
	repotest.Git(t, dir, "commit", "-q", "-a", "-m", "x")
	if b := g.next(); b.Cause != CauseGit || !contains([]Batch{b}, "a.go") {
		t.Errorf("%+v", b)
	}
}

package policy

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo/repotest"
)

func gitEnv(t testing.TB) (home string) {
	t.Helper()
	repotest.Need(t)
	quiet(t)
	t.Setenv("GIT_CEILING_DIRECTORIES", "")
	return os.Getenv("HOME")
}

func checkIgnore(t testing.TB, dir string, paths []string) map[string]bool {
	t.Helper()
	cmd := exec.Command("git", "-C", dir, "check-ignore", "--no-index", "-z", "--stdin")
	cmd.Stdin = strings.NewReader("./" + strings.Join(paths, "\x00./") + "\x00") // "./" for names with a colon
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("git check-ignore: %v\n%s", err, stderr.String())
	}
	hit := map[string]bool{}
	for p := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		hit[strings.TrimPrefix(p, "./")] = true
	}
	return hit
}

func write(t testing.TB, root, rel, content string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(rel))
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, []byte(content), 0o644))
}

func newPolicy(t testing.TB, root string, change func(*api.Config)) *Policy {
	t.Helper()
	r := api.DefaultConfig()
	if change != nil {
		change(&r)
	}
	p, err := New(root, r)
	must(t, err)
	return p
}

var (
	treeNames = []string{"a", "b", "ab", "foo", "bar.c", "x.o", "a b", "#c", "!d", "foo.txt", "b[1]", "é.c", "A", "sp ",
		"a-b", "a\\b", "FOO", "Bar.C", "X.o"}
	atoms = []string{"a", "b", "ab", "foo", "bar.c", "x.o", "*", "?", "**", "*.c", "*.o", "[ab]", "[!a]", "[^b]*", "[a-c]",
		"f*o", "fo?",
		"a\\ b", "a b", "\\#c", "#c", "\\!d", "!d", "*.t?t", "[[:alpha:]]", "[[:alpha:]]*", "[[:bogus:]]", "b\\[1\\]",
		"b[[]1]", "[]-]", "é.c", "\\a", "foo\\", "[a", "***", "a**", "**b", "a**b", "[A-Z]", "sp\\ ", "sp ", "a[-x]b",
		"a\\\\b", "[\\a-c]", "?*", "*?", "Foo", "BAR.c", "*.C", "[[:upper:]]*", "[B-F]?o*"}
)

const letters = "aab/*?[]!^-\\.:x**/"

func randomPattern(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(5) == 0 {
		b.WriteString("!")
	}
	if r.IntN(4) == 0 {
		b.WriteString("/")
	}
	for i := range 1 + r.IntN(3) {
		if i > 0 {
			b.WriteString("/")
		}
		b.WriteString(atoms[r.IntN(len(atoms))])
		for r.IntN(5) == 0 {
			b.WriteString(atoms[r.IntN(len(atoms))])
		}
		for r.IntN(3) == 0 {
			b.WriteByte(letters[r.IntN(len(letters))])
		}
	}
	if r.IntN(4) == 0 {
		b.WriteString("/")
	}
	switch r.IntN(12) {
	case 0:
		b.WriteString("  ")
	case 1:
		b.WriteString("\t")
	case 2:
		b.WriteString("\r")
	}
	return b.String()
}

func randomIgnore(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(10) == 0 {
		b.WriteString("\ufeff")
	}
	for range 1 + r.IntN(5) {
		b.WriteString(randomPattern(r))
		b.WriteString("\n")
	}
	s := b.String()
	if r.IntN(3) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

func randomTree(t testing.TB, r *rand.Rand, root, dir string, depth int) (keys []string) {
	for range 2 + r.IntN(4) {
		key := path.Join(dir, treeNames[r.IntN(len(treeNames))])
		abs := filepath.Join(root, key)
		if _, err := os.Lstat(abs); err == nil {
			continue
		}
		if depth > 0 && r.IntN(2) == 0 {
			must(t, os.Mkdir(abs, 0o755))
			if r.IntN(3) == 0 {
				write(t, root, key+"/.gitignore", randomIgnore(r))
			}
			keys = append(keys, key+"/")
			keys = append(keys, randomTree(t, r, root, key, depth-1)...)
			continue
		}
		write(t, root, key, "text\n")
		keys = append(keys, key)
	}
	return keys
}

func checkout(t testing.TB, seed int) string {
	t.Helper()
	main := filepath.Join(t.TempDir(), "work")
	repotest.Git(t, filepath.Dir(main), "init", "-q", main)
	if seed%3 == 0 {
		return main
	}
	repotest.Git(t, main, "commit", "-q", "--allow-empty", "-m", "first")
	other := filepath.Join(filepath.Dir(main), "other")
	if seed%3 == 1 {
		repotest.Git(t, main, "worktree", "add", "-q", "--detach", other)
		return other
	}
	repotest.Git(t, filepath.Dir(main), "init", "-q", other)
	repotest.Git(t, other, "submodule", "--quiet", "add", "-f", main, "sub")
	return filepath.Join(other, "sub")
}

func TestGitAgrees(t *testing.T) {
	home := gitEnv(t)
	rounds, compared, ignoredCount := 90, 0, 0
	if testing.Short() {
		rounds = 20
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		root := checkout(t, seed)
		fold := seed%4 == 3 // as on a file system that ignores case
		repotest.Git(t, root, "config", "core.ignoreCase", fmt.Sprint(fold))
		write(t, root, ".gitignore", randomIgnore(r))
		exclude := repotest.Git(t, root, "rev-parse", "--path-format=absolute", "--git-path", "info/exclude")
		write(t, filepath.Dir(exclude), "exclude", randomIgnore(r))
		write(t, home, ".config/git/ignore", randomIgnore(r))
		keys := randomTree(t, r, root, "", 3)
		asked := make([]string, len(keys)) // without the slash, because git checks the disk for folders
		for i, key := range keys {
			asked[i] = strings.TrimSuffix(key, "/")
		}
		want := checkIgnore(t, root, asked)
		p := newPolicy(t, root, nil)
		p.fold = fold
		for i, key := range asked {
			got := p.Path(key)
			if key != keys[i] {
				got = p.Dir(key)
			}
			compared++
			if want[key] {
				ignoredCount++
			}
			if want[key] != (got == api.SkipIgnored) {
				t.Errorf("seed %d, %q: git ignores it: %v, policy: %q", seed, key, want[key], got)
			}
		}
		if t.Failed() {
			return
		}
	}
	if ignoredCount == 0 || ignoredCount == compared {
		t.Fatalf("the trees prove nothing: %d of %d ignored", ignoredCount, compared)
	}
	t.Logf("%d paths of %d trees compared, %d ignored", compared, rounds, ignoredCount)
}

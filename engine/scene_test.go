package engine

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/files/scan"
)

// scene is a project in a real git repository that undergoes random changes.
type scene struct {
	t    *testing.T
	rng  *rand.Rand
	root string
	done int
	made []string
	shut []string
	// outside is the target of links that leave the project.
	outside string
}

func newScene(t *testing.T, seed uint64) *scene {
	t.Helper()
	root, err := scan.CanonicalRoot(t.TempDir())
	must(t, err)
	s := &scene{t: t, rng: rand.New(rand.NewPCG(seed, 1)), root: root, outside: t.TempDir()}
	s.must(os.WriteFile(filepath.Join(s.outside, "secret.go"), []byte("package secret\n"), 0o644))
	t.Cleanup(func() {
		if t.Failed() {
			for _, line := range s.made[max(0, len(s.made)-120):] {
				t.Log(line)
			}
		}
	})
	s.git("init", "-q", "-b", "main")
	for range 25 {
		s.write(s.newPath(), s.text())
	}
	s.git("add", "-A", "-f")
	s.git("commit", "-q", "-m", "first")
	return s
}

func (s *scene) log(format string, args ...any) {
	s.made = append(s.made, fmt.Sprintf(format, args...))
}

func (s *scene) git(args ...string) {
	cmd := exec.Command("git", args...)
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.log("git %v: %v %s", args, err, out) // git may refuse a checkout over changed files
	}
}

func (s *scene) must(err error) {
	if err != nil {
		s.t.Helper()
		s.t.Fatal(err)
	}
}

var (
	dirNames  = []string{"", "", "src", "src/pay", "docs", "lib", "lib/deep/er", "build", "my dir", "Ünïcode"}
	baseNames = []string{"a", "b", "main", "util", "read me", "zahl", "naïve", "test_x", "LICENSE", "x'y"}
	suffixes  = []string{".go", ".go", ".py", ".md", ".txt", ".ts", ".rs", "", ".json", ".env", ".png", ".key"}
	words     = strings.Fields(
		"charge refund order label parcel address retry token window buffer parse merge branch cache vector")
	ignores = []string{"*.txt", "build/", "!keep.md", "src/*", "/lib", "**/deep/**", "*.py", "!*.py", "# comment",
		"x'y*", "[ab].go", "my dir/"}
)

func pick[T any](s *scene, from []T) T { return from[s.rng.IntN(len(from))] }

func (s *scene) newPath() string {
	return filepath.Join(s.root, pick(s, dirNames), pick(s, baseNames)+pick(s, suffixes))
}

// text sometimes returns content that must not be indexed.
func (s *scene) text() string {
	switch s.rng.IntN(24) {
	case 0:
		return ""
	case 1:
		return "\x00\x01\x02 binary"
	case 2:
		return "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n"
	case 3:
		return strings.Repeat("wide line of text\n", 70000) // over 1 MB
	}
	var b strings.Builder
	for f := range 1 + s.rng.IntN(6) {
		fmt.Fprintf(&b, "// %s %s.\nfunc %s%d() {\n", pick(s, words), pick(s, words), pick(s, words), f)
		for range s.rng.IntN(30) {
			fmt.Fprintf(&b, "\t%s(%s, %d)\n", pick(s, words), pick(s, words), s.rng.IntN(1000))
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

func (s *scene) write(path, text string) {
	for dir := filepath.Dir(path); len(dir) > len(s.root); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			s.must(os.Remove(dir))
		}
	}
	s.must(os.MkdirAll(filepath.Dir(path), 0o755))
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		s.must(os.RemoveAll(path))
	}
	s.must(os.WriteFile(path, []byte(text), 0o644))
}

func (s *scene) entries(dirs bool) []string {
	var out []string
	s.must(filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			return filepath.SkipDir
		case path != s.root && d.IsDir() == dirs:
			out = append(out, path)
		}
		return nil
	}))
	return out
}

type operation struct {
	name   string
	weight int
	do     func(s *scene) string
}

func one(dirs bool, f func(s *scene, path string)) func(*scene) string {
	return func(s *scene) string {
		list := s.entries(dirs)
		if len(list) == 0 {
			return "nothing there"
		}
		path := pick(s, list)
		f(s, path)
		return path
	}
}

var operations = []operation{
	{"create", 18, func(s *scene) string { p := s.newPath(); s.write(p, s.text()); return p }},
	{"rewrite", 10, one(false, func(s *scene, p string) { s.write(p, s.text()) })},
	{"append", 6, one(false, func(s *scene, p string) {
		if f, err := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0); err == nil { // not through a dangling link
			_, err = f.WriteString("// appended " + pick(s, words) + "\n")
			s.must(err)
			s.must(f.Close())
		}
	})},
	{"atomic save", 6, one(false, func(s *scene, p string) {
		tmp := p + ".tmp~"
		s.must(os.WriteFile(tmp, []byte(s.text()), 0o644))
		s.must(os.Rename(tmp, p))
	})},
	{"touch", 3, one(false, func(s *scene, p string) {
		if _, err := os.Stat(p); err == nil {
			s.must(os.Chtimes(p, time.Time{}, time.Now().Add(-time.Duration(s.rng.IntN(1e6))*time.Second)))
		}
	})},
	{"delete", 6, one(false, func(s *scene, p string) { s.must(os.Remove(p)) })},
	{"rename", 6, one(false, func(s *scene, p string) { s.move(p, s.newPath()) })},
	{"chmod", 4, one(false, func(s *scene, p string) {
		if info, err := os.Lstat(p); err == nil && info.Mode().IsRegular() {
			s.must(os.Chmod(p, pick(s, []os.FileMode{0o755, 0o600, 0})))
			s.shut = append(s.shut, p)
		}
	})},
	{"delete folder", 2, one(true, func(s *scene, p string) { s.must(os.RemoveAll(p)) })},
	{"rename folder", 3, one(true, func(s *scene, p string) {
		s.move(p, filepath.Join(s.root, pick(s, dirNames), fmt.Sprint("moved", s.rng.IntN(5))))
	})},
	{"link for file", 3, one(false, func(s *scene, p string) {
		target := pick(s, append(s.entries(false), filepath.Join(s.outside, "secret.go"), "nowhere"))
		s.must(os.Remove(p))
		s.must(os.Symlink(target, p))
	})},
	{"link for folder", 2, one(true, func(s *scene, p string) {
		target := pick(s, append(s.entries(true), s.outside))
		s.must(os.RemoveAll(p))
		s.must(os.Symlink(target, p))
	})},
	{"file for folder", 1, one(true, func(s *scene, p string) {
		s.must(os.RemoveAll(p))
		s.must(os.WriteFile(p, []byte(s.text()), 0o644))
	})},
	{"gitignore", 4, func(s *scene) string { return s.ignore(".gitignore") }},
	{"searchignore", 2, func(s *scene) string { return s.ignore(".searchignore") }},
	{"exclude", 2, func(s *scene) string {
		s.write(filepath.Join(s.root, ".git/info/exclude"), s.patterns())
		return ".git/info/exclude"
	}},
	{"commit", 2, func(s *scene) string { s.git("add", "-A"); s.git("commit", "-q", "-m", "more"); return "" }},
	{"branch", 2, func(s *scene) string {
		name := fmt.Sprint("b", s.rng.IntN(4))
		s.git("checkout", "-q", "-B", name)
		return name
	}},
	{"switch", 3, func(s *scene) string {
		name := pick(s, []string{"main", "b0", "b1", "b2", "b3"})
		s.git("checkout", "-q", "-f", name)
		return name
	}},
	{"reset", 1, func(s *scene) string { s.git("reset", "-q", "--hard", "HEAD~1"); return "" }},
	{"clean", 1, func(s *scene) string { s.git("clean", "-q", "-f", "-d"); return "" }},
	{"stash", 1, func(s *scene) string { s.git("stash", "-u", "-q"); s.git("stash", "pop", "-q"); return "" }},
}

func (s *scene) ignore(name string) string {
	dir := s.root
	if dirs := s.entries(true); len(dirs) > 0 && s.rng.IntN(2) == 0 {
		dir = pick(s, dirs)
	}
	path := filepath.Join(dir, name)
	if s.rng.IntN(3) == 0 {
		_ = os.Remove(path)
	} else {
		s.write(path, s.patterns())
	}
	return path
}

func (s *scene) patterns() string {
	var b strings.Builder
	for range s.rng.IntN(4) {
		b.WriteString(pick(s, ignores) + "\n")
	}
	return b.String()
}

func (s *scene) move(from, to string) {
	if strings.HasPrefix(to, from+"/") || strings.HasPrefix(from, to+"/") {
		return
	}
	s.must(os.MkdirAll(filepath.Dir(from), 0o755))
	for dir := filepath.Dir(to); len(dir) > len(s.root); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			return
		}
	}
	s.must(os.MkdirAll(filepath.Dir(to), 0o755))
	_ = os.Rename(from, to) // may fail over an entry of another kind
}

// burst makes unreadable files readable at its end, because an index keeps files that it can't read.
func (s *scene) burst(n int) {
	s.t.Helper()
	var bag []operation
	for _, o := range operations {
		bag = append(bag, slices.Repeat([]operation{o}, o.weight)...)
	}
	for range n {
		o := pick(s, bag)
		s.log("%s %s", o.name, o.do(s))
		s.done++
	}
	for _, p := range s.shut {
		if info, err := os.Lstat(p); err == nil && info.Mode().IsRegular() {
			s.must(os.Chmod(p, 0o644))
		}
	}
	s.shut = nil
}

package scan

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestDetectRoot(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	home := filepath.Join(base, "home")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	write(t, home, "package.json", "code/repo/pkg/go.mod", "code/repo/pkg/src/x.go", "store/HEAD",
		"code/tree/sub/package.json", "code/js/package.json", "code/js/py/pyproject.toml",
		"code/js/py/rs/Cargo.toml", "code/js/py/rs/src/x.rs", "code/both/go.mod", "code/both/package.json", "plain/x.txt",
		"fake/go.mod/x")
	write(t, home, "code/repo/.git/HEAD", ".git/HEAD", "code/js/hollow/x.go")
	for path, text := range map[string]string{"code/tree/.git": "gitdir: ../../store\n",
		"code/js/py/.git": "gitdir: /gone\n"} {
		must(t, os.WriteFile(filepath.Join(home, path), []byte(text), 0o600))
	}
	must(t, os.Mkdir(filepath.Join(home, "code/js/hollow/.git"), 0o700))
	for _, c := range []struct{ dir, root, marker string }{
		{"code/repo/pkg/src", "code/repo", ".git"}, // .git in a parent wins over go.mod
		{"code/repo", "code/repo", ".git"},
		{"code/tree/sub", "code/tree", ".git"},        // a worktree
		{"code/js/hollow", "code/js", "package.json"}, // .git is empty
		{"code/js/py/rs/src", "code/js/py/rs", "Cargo.toml"},
		{"code/js/py", "code/js/py", "pyproject.toml"},
		{"code/both", "code/both", "package.json"},
		{"plain", "", ""}, // markers in the home folder are ignored
		{"fake", "", ""},  // go.mod is a folder
		{"", "", ""},
	} {
		root, marker, ok := DetectRoot(filepath.Join(home, c.dir))
		want := ""
		if c.root != "" {
			want = filepath.Join(home, c.root)
		}
		if root != want || marker != c.marker || ok != (want != "") {
			t.Errorf("DetectRoot(%q) = %q, %q, %v; want %q, %q", c.dir, root, marker, ok, want, c.marker)
		}
	}
	if os.Getuid() == 0 {
		git, own := filepath.Join(home, "code/repo/.git"), filepath.Join(home, "own")
		foreign := func(what, changed string) {
			must(t, os.Lchown(changed, 4242, -1))
			if root, marker, _ := DetectRoot(filepath.Join(home, "code/repo/pkg/src")); marker != "go.mod" {
				t.Errorf("with another user's %s around it: %q", what, root)
			}
		}
		must(t, os.Rename(git, own))
		must(t, os.Symlink(own, git))
		foreign("link to a repository", git)
		must(t, os.Remove(git))
		must(t, os.WriteFile(git, []byte("gitdir: "+own), 0o600))
		foreign("repository behind a file", own)
		must(t, os.Remove(git))
		must(t, os.Rename(own, git))
		foreign("repository", git)
	}
	if root, _, ok := DetectRoot(string(filepath.Separator)); ok {
		t.Errorf("DetectRoot of the file system's root: %q", root)
	}
}

func TestCanonicalRoot(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	write(t, base, "real/x.go", "cafe\u0301/x.go")
	real := filepath.Join(base, "real")
	if err := os.Symlink(real, filepath.Join(base, "link")); err != nil {
		t.Skip(err)
	}
	for _, dir := range []string{real, real + "/", filepath.Join(base, "link"), real + "/../real/."} {
		got, err := CanonicalRoot(dir)
		if err != nil || got != real {
			t.Errorf("CanonicalRoot(%q) = %q, %v", dir, got, err)
		}
	}
	if spelling(real) != real {
		t.Errorf("spelling(%q) = %q", real, spelling(real))
	}
	for _, dir := range []string{filepath.Join(base, "nowhere"), filepath.Join(real, "x.go")} {
		if got, err := CanonicalRoot(dir); err == nil {
			t.Errorf("CanonicalRoot(%q) = %q", dir, got)
		}
	}
	decomposed := filepath.Join(base, "cafe\u0301")
	got, err := CanonicalRoot(decomposed)
	must(t, err)
	if _, err := os.Stat(filepath.Join(got, "x.go")); err != nil {
		t.Errorf("the canonical root can't be opened: %v", err)
	}
	if ProjectID(got) != ProjectID(norm.NFC.String(decomposed)) {
		t.Error("two normal forms of one root have two identities")
	}
}

func TestWithoutPrefix(t *testing.T) {
	for path, want := range map[string]string{
		`\\?\C:\code`: `C:\code`, `\\?\UNC\server\share\code`: `\\server\share\code`, `\\?\unc\s\x`: `\\s\x`,
		`C:\code`: `C:\code`, `\\server\share`: `\\server\share`, `\\?\Volume{1}\code`: `\\?\Volume{1}\code`, `\\?\`: `\\?\`,
	} {
		if got := withoutPrefix(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestProjectID(t *testing.T) {
	id, legacy := ProjectID("/Users/dev/my-project"), LegacyID("/Users/dev/my-project")
	if len(id) != 32 || len(legacy) != 16 || strings.Trim(id, "0123456789abcdef") != "" {
		t.Errorf("ids %q, %q", id, legacy)
	}
	// printf %s /Users/dev/my-project | sha256sum
	if runtime.GOOS != "windows" && id != "96292a799589b94e171512dc8c40fb53" {
		t.Errorf("ProjectID = %s", id)
	}
	if ProjectID("/Users/dev/my-project/") != id || !strings.HasPrefix(id, legacy) ||
		ProjectID("/Users/dev/my-project2") == id {
		t.Error("ids depend on a trailing slash or not on the path")
	}
}

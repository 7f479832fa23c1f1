//go:build unix

package policy

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy/policytest"
)

func TestPermissions(t *testing.T) {
	if !policytest.Unprivileged(t) {
		return
	}
	root := quiet(t)
	write(t, root, "closed.go", "x")
	write(t, root, "open.go", "x")
	write(t, root, "dir/x.go", "x")
	write(t, root, "names/x.go", "x")
	write(t, root, "rules/.gitignore", "*.go\n")
	for name, mode := range map[string]os.FileMode{"closed.go": 0, "dir": 0, "names": 0o444, "rules/.gitignore": 0} {
		file := filepath.Join(root, name)
		must(t, os.Chmod(file, mode))
		t.Cleanup(func() { must(t, os.Chmod(file, 0o755)) })
	}
	p := newPolicy(t, root, nil)
	for _, key := range []string{"closed.go", "dir/x.go", "names/x.go"} {
		_, _, reason, err := p.Read(key)
		if reason != api.SkipUnreadable || api.CodeOf(err) != api.PermissionDenied || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Read(%q) = %q, %v", key, reason, err)
		}
		stamp, reason, err := p.Stat(key)
		if reason != api.SkipUnreadable || err == nil || (stamp == Stamp{}) != (key != "closed.go") {
			t.Errorf("Stat(%q) = %+v, %q, %v", key, stamp, reason, err)
		}
	}
	entries, err := p.ReadDir(".")
	must(t, err)
	for _, e := range entries {
		if (e.Reason == api.SkipUnreadable) != (e.Path == "closed.go") {
			t.Errorf("%s: %q", e.Path, e.Reason)
		}
	}
	if _, err := p.ReadDir("dir"); api.CodeOf(err) != api.PermissionDenied {
		t.Errorf("ReadDir of a closed folder: %v", err)
	}
	if _, err := p.ReadDir("names"); api.CodeOf(err) != api.PermissionDenied {
		t.Errorf("ReadDir of a folder without execute permission: %v", err)
	}
	if _, err := p.ReadDir("rules"); err != nil {
		t.Error(err)
	}
	if len(p.Problems()) != 1 {
		t.Errorf("an unreadable ignore file: problems %v", p.Problems())
	}
	must(t, os.Chmod(root, 0))
	defer os.Chmod(root, 0o755)
	if _, err := p.ReadDir("."); !errors.Is(err, ErrRootGone) {
		t.Errorf("a closed root: %v", err)
	}
}

func TestUnreadableIgnoreFiles(t *testing.T) {
	quiet(t)
	for name, make := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) }, // must not block
		"folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"link":   func(path string) error { return os.Symlink("elsewhere", path) },
		"long": func(path string) error {
			return os.WriteFile(path, bytes.Repeat([]byte("#\n"), maxIgnoreFile/2+1), 0o644)
		},
	} {
		root := t.TempDir()
		write(t, root, "a/private.txt", "x")
		write(t, root, "a/b/private.txt", "x")
		write(t, root, "c/open.txt", "x")
		must(t, make(filepath.Join(root, "a", searchIgnore)))
		p := newPolicy(t, root, nil)
		for _, key := range []string{"a/private.txt", "a/b/private.txt"} {
			if _, _, reason, _ := p.Read(key); reason != api.SkipIgnored {
				t.Errorf("%s: %s: %q", name, key, reason)
			}
		}
		if r := p.Path("c/open.txt"); r != api.SkipNone {
			t.Errorf("%s: the folder beside it: %q", name, r)
		}
		if len(p.Problems()) != 1 {
			t.Errorf("%s: problems %v", name, p.Problems())
		}
	}
}

func TestSpecialFiles(t *testing.T) {
	root := quiet(t)
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe.go"), 0o644))
	t.Chdir(root) // a socket's path has at most 104 bytes
	l, err := net.Listen("unix", "sock")
	must(t, err)
	defer l.Close()
	p := newPolicy(t, root, nil)
	for _, key := range []string{"pipe.go", "sock"} {
		if data, _, reason, err := p.Read(key); data != nil || reason != api.SkipSpecial || err != nil {
			t.Errorf("Read(%q) = %q, %v", key, reason, err)
		}
		if _, reason, _ := p.Stat(key); reason != api.SkipSpecial {
			t.Errorf("Stat(%q) = %q", key, reason)
		}
	}
	entries, err := p.ReadDir(".")
	must(t, err)
	for _, e := range entries {
		if e.Reason != api.SkipSpecial {
			t.Errorf("%s: %q", e.Path, e.Reason)
		}
	}
}

func TestMissingIsNotUnreadable(t *testing.T) {
	root := quiet(t)
	write(t, root, "dir/a.go", "x")
	write(t, root, "dir/sub/b.go", "x")
	p := newPolicy(t, root, nil)
	for _, file := range []string{"dir/sub/b.go", "dir/a.go"} {
		d, err := p.openDir(path.Dir(file))
		must(t, err)
		defer d.Close()
		must(t, os.Chmod(filepath.Join(root, file), 0o040))
		info, err := os.Stat(filepath.Join(root, file))
		must(t, err)
		gone := file
		if path.Base(path.Dir(file)) == "sub" {
			gone = path.Dir(file)
		}
		must(t, os.RemoveAll(filepath.Join(root, gone)))
		if err := d.readable(path.Base(file), info); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", file, err)
		}
		if _, reason, err := p.Stat(file); reason != api.SkipNone || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v", file, reason, err)
		}
	}
}

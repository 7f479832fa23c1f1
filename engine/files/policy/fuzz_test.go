package policy

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/api"
)

var seeds = []string{
	"a/b.go", "../x", "a/../../x", "/etc/passwd", `..\..\x`, `C:\x`, ".e\u200bnv", "a\u202eb", "e\u0301", "a//b/./c", "",
	".", "\x00", "\xff",
	".env", "x/.ENV", ".env.local", "a/.git/config", "link/x", "dir/../link/x", "CON", "a:b", "..\u200b/..\u200b/x",
	"\u2025/x", ".\u200b./x",
}

func FuzzClean(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, rel string, windows bool) {
		got, err := clean(rel, windows)
		if err != nil {
			if api.CodeOf(err) != api.InvalidArgument {
				t.Fatalf("clean(%q): %v", rel, err)
			}
			return
		}
		if !utf8.ValidString(got) || !norm.NFC.IsNormalString(got) || strings.ContainsFunc(got, invisible) ||
			strings.ContainsRune(got, 0) {
			t.Fatalf("clean(%q) = %q", rel, got)
		}
		if local := filepath.IsLocal(got); !local && windows == (runtime.GOOS == "windows") || strings.HasPrefix(got, "/") ||
			got != "." && strings.Contains("/"+got+"/", "/../") {
			t.Fatalf("clean(%q) = %q leaves the root", rel, got)
		}
		if again, err := clean(got, windows); err != nil || again != got {
			t.Fatalf("clean(%q) = %q, but clean of that is %q, %v", rel, got, again, err)
		}
	})
}

func FuzzSafeJoin(f *testing.F) {
	outside, root := f.TempDir(), f.TempDir()
	write(f, outside, "x", "outside")
	write(f, root, "dir/x", "inside")
	write(f, root, "a/b.go", "inside")
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		f.Skip(err)
	}
	real, err := filepath.EvalSymlinks(root)
	must(f, err)
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, rel string) {
		got, err := SafeJoin(real, rel)
		if err != nil {
			if api.CodeOf(err) == "" {
				t.Fatalf("SafeJoin(%q): %v has no code", rel, err)
			}
			return
		}
		at, err := filepath.EvalSymlinks(got)
		if err != nil || at != got || at != real && !strings.HasPrefix(at, real+string(filepath.Separator)) {
			t.Fatalf("SafeJoin(%q) = %q, which is %q, %v", rel, got, at, err)
		}
	})
}

func FuzzPolicy(f *testing.F) {
	root := f.TempDir()
	secrets := []string{".env", "sub/.env.local", "sub/server.key", "node_modules/x.js", ".git/config"}
	for _, s := range secrets {
		write(f, root, s, "SECRET")
		f.Add(s, s, "!"+s)
	}
	write(f, root, "sub/ok.go", "fine")
	for _, s := range seeds {
		f.Add(s, "**/*", "!*")
	}
	f.Fuzz(func(t *testing.T, rel, include, ignore string) {
		must(t, os.WriteFile(filepath.Join(root, ".searchignore"), []byte(ignore), 0o644))
		p, err := New(root, api.Config{Include: []string{include}, RespectGitignore: true, IndexDocs: true})
		if err != nil {
			if api.CodeOf(err) != api.InvalidPattern {
				t.Fatalf("New: %v", err)
			}
			return
		}
		for _, s := range secrets {
			if p.Path(s) == api.SkipNone {
				t.Fatalf("include %q, .searchignore %q: Path(%q) lets it pass", include, ignore, s)
			}
		}
		for _, name := range []string{rel, "sub/" + rel} {
			data, _, reason, _ := p.Read(name)
			if strings.Contains(string(data), "SECRET") || data != nil && reason != "" {
				t.Fatalf("Read(%q) = %q, %q", name, data, reason)
			}
			if key, err := Clean(name); err == nil && p.Path(key) == api.SkipNone && denied(key) {
				t.Fatalf("Path(%q) lets a denied file pass", key)
			}
		}
	})
}

func denied(key string) bool {
	folder, rest, more := strings.Cut(key, "/")
	return deniedName(folder, more, foldsByDefault) || (more && denied(rest))
}

func FuzzIgnore(f *testing.F) {
	for _, s := range []string{"*.o\n!a", "[", "[[:alpha:]]", "a/**/b", "**", "\\", strings.Repeat("*a", 60), "[]-a]",
		"[!]", "/", "//", "!", "a\\ \\  "} {
		f.Add([]byte(s), "a/b/c.o", true, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, name string, dir, fold bool) {
		if len(data) > 1<<12 || len(name) > 1<<12 {
			return
		}
		list := &ignoreList{patterns: parseIgnore(data, fold), fold: fold}
		list.match(name, name[strings.LastIndexByte(name, '/')+1:], dir)
	})
}

func FuzzGitConfig(f *testing.F) {
	f.Add([]byte("[core]\n\texcludesFile = \"~/x\" # c\n[include]\n\tpath = config\n\tpath = config\n"))
	f.Add([]byte("[include]\npath=\\\n\\\nconfig\n[core\nexcludesfile"))
	f.Add(bytes.Repeat([]byte("a\\\n"), 10_000))
	file := filepath.Join(f.TempDir(), "config")
	f.Fuzz(func(t *testing.T, data []byte) {
		must(t, os.WriteFile(file, data, 0o600))
		g := gitConfig{home: "/home/x", budget: maxConfigFiles, read: func(string) {}}
		if _, _ = g.excludesFile(file, 0); g.budget < -len(data) {
			t.Fatalf("%d files", maxConfigFiles-g.budget)
		}
	})
}

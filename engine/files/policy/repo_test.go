package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo/repotest"
)

func expect(t *testing.T, p *Policy, want map[string]api.Reason) {
	t.Helper()
	for key, reason := range want {
		if got := p.Path(key); got != reason {
			t.Errorf("%s: Path(%q) = %q, want %q; rules %+v", filepath.Base(p.Root()), key, got, reason,
				p.Rules())
		}
	}
}

func same(reason api.Reason, keys ...string) map[string]api.Reason {
	want := map[string]api.Reason{}
	for _, key := range keys {
		want[key] = reason
	}
	return want
}

func commit(t *testing.T, dir string) {
	t.Helper()
	repotest.Git(t, dir, "add", "-A")
	repotest.Git(t, dir, "commit", "-q", "-m", "x", "--allow-empty")
}

func TestGlobalExcludes(t *testing.T) {
	home := gitEnv(t)
	root := t.TempDir()
	repotest.Git(t, root, "init", "-q")
	write(t, home, ".config/git/ignore", "*.default\n")
	expect(t, newPolicy(t, root, nil), map[string]api.Reason{"a.default": api.SkipIgnored, "a.mine": "", "a.repo": ""})

	write(t, home, "my rules", "*.mine\n")
	write(t, home, "more.inc", "[core]\n\texcludesFile = \"~/my rules\" ; comment\n")
	write(t, home, ".gitconfig", "# x\n[user]\n\tname = x\n[include]\n\tpath = more.inc\n")
	expect(t, newPolicy(t, root, nil), map[string]api.Reason{"a.default": "", "a.mine": api.SkipIgnored})

	write(t, home, "repo-rules", "*.repo\n")
	repotest.Git(t, root, "config", "core.excludesFile", filepath.Join(home, "repo-rules"))
	p := newPolicy(t, root, nil)
	expect(t, p, map[string]api.Reason{"a.mine": "", "a.repo": api.SkipIgnored})
	if out := checkIgnore(t, root, []string{"a.repo", "a.mine"}); !out["a.repo"] || out["a.mine"] {
		t.Errorf("git sees it otherwise: %v", out)
	}
	for _, file := range []string{"repo-rules", ".gitconfig", "more.inc", ".config/git/config"} {
		if !slices.Contains(p.ExternalIgnoreFiles(), filepath.Join(home, file)) {
			t.Errorf("ExternalIgnoreFiles() = %q lacks %s", p.ExternalIgnoreFiles(), file)
		}
	}
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "xdg"))
	write(t, home, "xdg/git/ignore", "*.xdg\n")
	other := t.TempDir()
	must(t, os.Remove(filepath.Join(home, ".gitconfig")))
	expect(t, newPolicy(t, other, nil), map[string]api.Reason{"a.xdg": api.SkipIgnored, "a.default": ""})
}

func TestConfigString(t *testing.T) {
	for raw, want := range map[string]string{
		" plain ": "plain", ` "quoted ; # x" `: "quoted ; # x", `a b  ; c`: "a b", `a\\b\t`: "a\\b\t", `"a\"b"`: `a"b`,
		"": "", `" x "`: " x ", `x#y`: "x",
	} {
		if got := configString(raw); got != want {
			t.Errorf("configString(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestNestedRepositories(t *testing.T) {
	gitEnv(t)
	root := t.TempDir()
	repotest.Git(t, root, "init", "-q")
	write(t, root, ".gitignore", "*.outer\n/skipped/\n.worktrees-ignored/\n")
	write(t, root, ".searchignore", "*.ours\n")
	write(t, root, "main.go", "x")
	commit(t, root)

	for _, name := range []string{"inner", "skipped"} {
		must(t, os.Mkdir(filepath.Join(root, name), 0o755))
		repotest.Git(t, filepath.Join(root, name), "init", "-q")
	}
	write(t, root, "inner/.gitignore", "*.inner\n")
	write(t, root, "inner/.git/info/exclude", "*.info\n")

	module := t.TempDir()
	repotest.Git(t, module, "init", "-q")
	write(t, module, ".gitignore", "*.module\n")
	commit(t, module)
	repotest.Git(t, root, "submodule", "--quiet", "add", module, "sub")

	must(t, os.MkdirAll(filepath.Join(root, "empty", ".git"), 0o755)) // no HEAD
	write(t, root, "lost/.git", "gitdir: nowhere\n")
	repotest.Git(t, root, "worktree", "add", "-q", "copies/second")
	p := newPolicy(t, root, nil)
	expect(t, p, map[string]api.Reason{
		"a.outer": api.SkipIgnored, "inner/a.outer": "", "inner/x/a.outer": "", "inner/a.inner": api.SkipIgnored,
		"inner/x/a.info": api.SkipIgnored,
		"skipped/a.go":   api.SkipIgnored, "sub/a.outer": "", "sub/x/a.module": api.SkipIgnored,
		"empty/a.outer": api.SkipIgnored, "lost/a.outer": api.SkipIgnored,
		"a.ours": api.SkipIgnored, "inner/a.ours": api.SkipIgnored, "sub/a.ours": api.SkipIgnored,
		"copies/second/main.go": api.SkipCheckout, "copies/x.go": "",
	})
	if out := checkIgnore(t, filepath.Join(root, "sub"), []string{"x/a.module", "a.outer"}); !out["x/a.module"] ||
		out["a.outer"] {
		t.Errorf("git sees the submodule otherwise: %v", out)
	}
	must(t, os.Mkdir(filepath.Join(root, "copies", "third"), 0o755))
	if reason := p.Dir("copies/third"); reason != api.SkipNone {
		t.Fatal(reason)
	}
	repotest.Git(t, root, "worktree", "add", "-q", "copies/third") // not yet in the policy's cache
	if now, then := p.DirNow("copies/third"), p.Dir("copies/third"); now != api.SkipCheckout || then != now {
		t.Errorf("a new checkout: %q, then %q", now, then)
	}
	write(t, root, ".searchignore", "!copies/second/\n")
	expect(t, newPolicy(t, root, nil), map[string]api.Reason{"copies/second/main.go": api.SkipCheckout})
	named := newPolicy(t, root, func(r *api.Config) { r.Include = []string{"**/*", "copies/second/**"} })
	expect(t, named, map[string]api.Reason{"copies/second/main.go": ""})
	expect(t, newPolicy(t, root, func(r *api.Config) { r.RespectGitignore = false }),
		map[string]api.Reason{"copies/second/main.go": "", "a.outer": ""})
}

func TestRootInsideRepository(t *testing.T) {
	gitEnv(t)
	top := t.TempDir()
	repotest.Git(t, top, "init", "-q")
	write(t, top, ".gitignore", "*.o\n/pkg/app/only\n/elsewhere\npkg/app/deep/*.c\ngenerated/\nstarred/*\n")
	write(t, top, "pkg/.gitignore", "*.p\n/app/anchored\n!keep.o\n")
	write(t, top, ".git/info/exclude", "*.info\n/pkg/app/info-anchored\n")
	write(t, top, "pkg/app/.gitignore", "*.own\n")
	write(t, top, "generated/x.go", "x")
	write(t, top, "starred/x.go", "x")
	p := newPolicy(t, filepath.Join(top, "pkg", "app"), nil)
	keys := []string{"a.o", "x/a.o", "keep.o", "only", "x/only", "elsewhere", "a.p", "anchored", "x/anchored", "deep/a.c",
		"deep/x/a.c", "a.info",
		"info-anchored", "x/info-anchored", "a.own", "a.go"}
	want := checkIgnore(t, filepath.Join(top, "pkg", "app"), keys)
	for _, key := range keys {
		if got := p.Path(key) == api.SkipIgnored; got != want[key] {
			t.Errorf("Path(%q) ignored: %v, git: %v", key, got, want[key])
		}
	}
	if len(want) < 5 {
		t.Fatalf("git ignores only %v", want)
	}
	expect(t, newPolicy(t, filepath.Join(top, "generated"), nil), map[string]api.Reason{"x.go": "",
		"a.zip": api.SkipBinary})
	expect(t, newPolicy(t, filepath.Join(top, "starred"), nil), map[string]api.Reason{"x.go": api.SkipIgnored})
}

func TestConditionalIncludes(t *testing.T) {
	home := gitEnv(t)
	root := filepath.Join(home, "Work", "shop")
	write(t, home, "Work/shop/own-rules", "*.own\n")
	repotest.Git(t, root, "init", "-q", "-b", "feature/x")
	write(t, home, "rules", "*.gen\n")
	write(t, home, "more.inc", "[core]\n\texcludesFile = ~/rules\n")
	paths := []string{"a.gen", "a.own", "a.txt"}
	for _, condition := range []string{"gitdir:~/Work/", "gitdir:~/work/", "gitdir/i:~/work/", "gitdir:Work/",
		"gitdir:./Work/**",
		"gitdir:shop/.git", "gitdir:*/shop/", "gitdir:~/play/", "onbranch:feature/", "onbranch:main", "onbranch:feature/*",
		"made:up"} {
		write(t, home, ".gitconfig", "[includeIf \""+condition+"\"]\n\tpath = more.inc\n")
		want, git := map[string]api.Reason{}, checkIgnore(t, root, paths)
		for _, path := range paths {
			if want[path] = ""; git[path] {
				want[path] = api.SkipIgnored
			}
		}
		t.Run(condition, func(t *testing.T) { expect(t, newPolicy(t, root, nil), want) })
	}
	repotest.Git(t, root, "config", "core.excludesFile", "own-rules")
	expect(t, newPolicy(t, root, nil), map[string]api.Reason{"a.own": api.SkipIgnored, "a.gen": "", "a.txt": ""})
	if out := checkIgnore(t, root, paths); !out["a.own"] {
		t.Errorf("git sees it otherwise: %v", out)
	}
}

func TestConfigThatIncludesItself(t *testing.T) {
	gitEnv(t)
	root := t.TempDir()
	repotest.Git(t, root, "init", "-q")
	config := strings.Repeat("[include]\n\tpath = config\n", 12) + "[core]\n\texcludesFile = " + filepath.Join(root,
		"rules") + "\n"
	write(t, root, ".git/config", config)
	write(t, root, "rules", "*.repo\n")
	begun := time.Now()
	expect(t, newPolicy(t, root, nil), map[string]api.Reason{"a.repo": api.SkipIgnored})
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
}

package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"searchmcp/engine/api"
)

// quiet hides the user's configuration of Git and returns an empty folder.
func quiet(t testing.TB) (root string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return t.TempDir()
}

func TestDenyList(t *testing.T) {
	quiet(t)
	p := newPolicy(t, t.TempDir(), func(r *api.Config) {
		r.Include = []string{"**/*", ".env", "**/node_modules/**", "*.pem"} // must not override the deny list
	})
	expect(t, p, same(api.SkipDenied,
		"node_modules/x.js", "a/node_modules/b/c.js", "jspm_packages/x", "bower_components/x", "vendor/x.go",
		"sub/vendor/x.go", ".venv/x", "venv/x",
		".git/config", "a/.git/HEAD", ".git", "sub/.git", ".hg/x", ".svn/x",
		"dist/x", "build/x", "out/x", "target/x", "__pycache__/x.py", ".next/x", ".nuxt/x", "deep/er/build/x",
		".env", "a/.env", ".env.local", "a/.env.example", "cert.pem", "a/b.key", "x.p12", "x.pfx", ".pem",
		".env/inside", "x.key/inside",
		".ENV", ".Env.Local", "CERT.PEM", "a/Server.KEY", ".GIT/config",
		"x.log", "x.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "Gemfile.lock", "poetry.lock", "Cargo.lock",
		".idea/x.xml", ".vscode/settings.json", ".DS_Store", "a/.x.swp", "x.swo", "coverage/x", ".nyc_output/x",
		".pytest_cache/x",
		".e\ufe0fnv", // contains an invisible variation selector
	))
	if got := p.Path(".env."); got != api.SkipDenied && (runtime.GOOS != "windows" || got != api.SkipPath) { // .env there
		t.Errorf("Path(.env.) = %q", got)
	}
	expect(t, p, same(api.SkipNone,
		"src/main.go", "builder/x.go", "environment.go", ".envs.go", "keys.go", "a/log/x.go", "locks.txt", "vendors/x.go",
		"output/x.go",
		"bin/build", "scripts/target", "env", ".github/workflows/ci.yml", "dist.go", "monkey", "x.keynote.md",
	))
	for _, dir := range []string{"node_modules", "a/.git", "x/coverage", "b/.env", "certs.pem", "node_modules/a/b"} {
		if got := p.Dir(dir); got != api.SkipDenied {
			t.Errorf("Dir(%q) = %q, want %q", dir, got, api.SkipDenied)
		}
	}
}

func TestDenyFoldsCase(t *testing.T) {
	for _, c := range []struct {
		name             string
		dir, exact, fold bool
	}{
		{"Node_Modules", true, false, true}, {"BUILD", true, false, true}, {"build", true, true, true},
		{"PACKAGE-LOCK.JSON", false, false, true},
		{"gemfile.lock", false, true, true}, {"X.LOG", false, false, true}, {".ENV", false, true, true},
		{".Git", true, true, true},
		{".ds_store", false, false, true}, {"x.KEY", false, true, true}, {"x.\u212aEY", false, true, true},
		{"build", false, false, false},
	} {
		if got := deniedName(c.name, c.dir, false); got != c.exact {
			t.Errorf("deniedName(%q) = %v, want %v", c.name, got, c.exact)
		}
		if got := deniedName(c.name, c.dir, true); got != c.fold {
			t.Errorf("deniedName(%q) with folding = %v, want %v", c.name, got, c.fold)
		}
	}
}

func TestUnsafeNames(t *testing.T) {
	quiet(t)
	p := newPolicy(t, t.TempDir(), nil)
	for _, key := range []string{
		"", ".", "..", "../x", "a/../b", "a//b", "/etc/passwd", "./a", "a/.", ".e\u200bnv", "a\u202eog.txt", "x\u200d.go",
		"\ufeffx", "a\nb", "a\x00b", "a\x7f",
		"bad\xff.go", "soft\u00adhyphen.go", strings.Repeat("x", maxPath+1),
	} {
		if got := p.Path(key); got != api.SkipPath {
			t.Errorf("Path(%q) = %q, want %q", key, got, api.SkipPath)
		}
		if data, _, reason, err := p.Read(key); data != nil || reason != api.SkipPath || err != nil {
			t.Errorf("Read(%q) = %v, %q, %v", key, data, reason, err)
		}
	}
	expect(t, p, map[string]api.Reason{strings.Repeat("a/", MaxDepth+1) + "x.go": api.SkipDepth,
		strings.Repeat("a/", MaxDepth) + "x.go": api.SkipNone})
}

func TestOwnData(t *testing.T) {
	root := quiet(t)
	data := filepath.Join(root, "home", ".mcp", "search")
	for _, dir := range []string{filepath.Join(data, "indexes"), filepath.Join(root, "other", "search")} {
		must(t, os.MkdirAll(dir, 0o755))
	}
	for _, name := range []string{"foreign/app.lock", "foreign/indexes/1/project.json", "src/app.lock/a.go",
		"lib/app.lock", "lib/indexes.go"} {
		write(t, root, name, "{}")
	}
	Exclude(data)
	for from, keys := range map[string]map[string]api.Reason{
		root: {"home/.mcp/search/indexes/x.json": api.SkipOwnData, "home/.mcp/search/x": api.SkipOwnData,
			"home/.mcp/searching/x": "", "other/search/x": "", "home/.mcp/x": "", "foreign/indexes/x": api.SkipOwnData,
			"foreign/settings.json": api.SkipOwnData, "src/x": "", "lib/x": ""},
		filepath.Join(root, "home", ".mcp"): {"search/x": api.SkipOwnData, "x": ""},
		data:                                {"x.json": api.SkipOwnData},
		filepath.Join(data, "indexes"):      {"x.json": api.SkipOwnData},
	} {
		expect(t, newPolicy(t, from, nil), keys)
	}
}

func TestSecrets(t *testing.T) {
	root := quiet(t)
	p := newPolicy(t, root, nil)
	expect(t, p, same(api.SkipSecret,
		"id_rsa", ".ssh/id_ed25519", "keys/id_dsa", "id_ecdsa", "id_ecdsa_sk", "ID_RSA", "id_rsa.bak", "id_rsa_work",
		"id_ed25519-old",
		".netrc", "_netrc", ".npmrc", "a/.npmrc", ".pypirc", ".aws/credentials", "credentials", ".git-credentials",
		"credentials.json", "credentials.yml.enc",
		".cargo/credentials.toml", ".docker/config.json", ".kube/config", ".gnupg/anything", ".ssh/work",
		"client_secret_12.json",
		"service-account-prod.json", ".pgpass", ".htpasswd", "release.jks", "x.ppk", "secrets.yaml", ".envrc",
	))
	expect(t, p, same(api.SkipNone, "id_rsa.pub", "id_rsa.go", "credentials.go", "credentials/main.go", "src/secrets.ts",
		".ssh/id_rsa.pub", ".ssh/config", "docker/config.json",
		"kube/config", "internal/credentials_test.py", "npmrc.md",
	))
	for _, c := range []struct {
		include []string
		key     string
		want    api.Reason
	}{
		{[]string{"**/*", ".npmrc"}, ".npmrc", ""},
		{[]string{"**/*", "**/.npmrc"}, "a/.npmrc", ""},
		{[]string{"**/*", "/.npmrc"}, "a/.npmrc", api.SkipSecret},
		{[]string{"**/*", "config/credentials.json"}, "config/credentials.json", ""},
		{[]string{"**/*.json"}, "credentials.json", api.SkipSecret},
		{[]string{"*"}, ".netrc", api.SkipSecret},
		{[]string{".aws/**"}, ".aws/credentials", api.SkipSecret},
		{[]string{"**/*", "id_*"}, "id_rsa", api.SkipSecret},
		{[]string{"**/*", ".env"}, ".env", api.SkipDenied},
	} {
		expect(t, newPolicy(t, root, func(r *api.Config) { r.Include = c.include }), same(c.want, c.key))
	}
}

func TestGlobs(t *testing.T) {
	root := quiet(t)
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"src/", []string{"src/a.go", "src/x/y.go", "lib/src/a.go"}, []string{"src.go", "bin/src"}},
		{"/src/", []string{"src/a.go"}, []string{"lib/src/a.go"}},
		{"src", []string{"src/a.go", "bin/src", "lib/src/a.go"}, []string{"srcs/a.go"}},
		{"src/**", []string{"src/a.go", "src/x/y.go"}, []string{"lib/src/a.go", "a.go"}},
		{"./src/**", []string{"src/a.go"}, []string{"a.go"}},
		{"src/*", []string{"src/a.go", "src/x/y.go"}, []string{"a.go"}}, // matches the folder src/x
		{"src/*.go", []string{"src/a.go"}, []string{"src/x/a.go", "src/a.ts"}},
		{"*.go", []string{"a.go", "x/y/a.go"}, []string{"a.ts", "a.go.bak"}},
		{"/*.go", []string{"a.go"}, []string{"x/a.go"}},
		{"**/x", []string{"x", "a/b/x", "x/inside.go"}, []string{"xx", "a/xy"}},
		{"**/*.go", []string{"a.go", "x/a.go"}, []string{"a.py"}},
		{"docs/**/*.md", []string{"docs/a.md", "docs/x/a.md"}, []string{"a.md", "docs/a.txt"}},
		{"*.{ts,tsx}", []string{"a.ts", "x/b.tsx"}, []string{"a.js"}},
		{"a[0-9].c", []string{"a1.c", "x/a2.c"}, []string{"ab.c"}},
		{"Makefile", []string{"Makefile", "x/Makefile"}, []string{"Makefile.am"}},
		{"cafe\u0301.txt", []string{"caf\u00e9.txt", "cafe\u0301.txt"}, []string{"cafe.txt"}},
		{"a/b/c", []string{"a/b/c", "a/b/c/d.go"}, []string{"x/a/b/c", "a/b/d"}},
	} {
		in := newPolicy(t, root, func(r *api.Config) { r.Include = []string{c.pattern} })
		ex := newPolicy(t, root, func(r *api.Config) { r.Exclude = []string{c.pattern} })
		t.Run(c.pattern, func(t *testing.T) {
			expect(t, in, same(api.SkipNone, c.yes...))
			expect(t, in, same(api.SkipNotInclude, c.no...))
			expect(t, ex, same(api.SkipExcluded, c.yes...))
			expect(t, ex, same(api.SkipNone, c.no...))
		})
	}
	for _, bad := range []string{"[a", "a{b", "!x", "../x", "a/../b", "x\\"} {
		if _, err := New(root, api.Config{Include: []string{bad}}); api.CodeOf(err) != api.InvalidPattern {
			t.Errorf("include %q: error %v, want %s", bad, err, api.InvalidPattern)
		}
	}
	p := newPolicy(t, root, func(r *api.Config) { r.Include = []string{"src/app/**", "*.md"} })
	if p.Dir("lib") != api.SkipNone {
		t.Error("*.md can match below lib")
	}
	p = newPolicy(t, root, func(r *api.Config) { r.Include = []string{"src/app/**"} })
	if p.Dir("src") != api.SkipNone || p.Dir("src/app/x") != api.SkipNone || p.Dir("lib") != api.SkipNotInclude ||
		p.Dir("src/lib") != api.SkipNotInclude {
		t.Error("Walk visited folders without possible matches, or omitted other folders")
	}
}

func TestOrderAndDocs(t *testing.T) {
	root := quiet(t)
	write(t, root, ".gitignore", "ignored*\n")
	rules := func(r *api.Config) {
		r.Exclude = []string{"excl*", "ignored-excl", "excluded.pem"}
		r.Include = []string{"**/*.go", "**/*.md", "**/*.png", "README.MD"}
		r.IndexDocs = false
	}
	p := newPolicy(t, root, rules)
	expect(t, p, map[string]api.Reason{
		"excluded.pem": api.SkipDenied, "ignored-excl": api.SkipExcluded, "ignored.png": api.SkipIgnored,
		"x.png": api.SkipBinary, "x.zip": api.SkipBinary,
		"x.txt": api.SkipNotInclude, "x.md": api.SkipDocsOff, "README.MD": api.SkipDocsOff, "x.go": api.SkipNone,
		"excl.npmrc": api.SkipExcluded,
	})
	p = newPolicy(t, root, func(r *api.Config) { r.DocPatterns = []string{"**/*.md", "handbook/"} })
	for key, want := range map[string]api.Corpus{"a.md": api.CorpusDocs, "A.MD": api.CorpusDocs,
		"handbook/x/y.go": api.CorpusDocs, "a.go": api.CorpusCode} {
		if got := p.Corpus(key); got != want {
			t.Errorf("Corpus(%q) = %q, want %q", key, got, want)
		}
	}
	p = newPolicy(t, root, nil)
	for key, want := range map[string]api.Corpus{"CMakeLists.txt": api.CorpusCode, "lib/cmakelists.TXT": api.CorpusCode,
		"notes.txt": api.CorpusDocs, "requirements.txt": api.CorpusDocs, "robots.txt": api.CorpusDocs,
		"a.cmake": api.CorpusCode} {
		if got := p.Corpus(key); got != want {
			t.Errorf("by default, Corpus(%q) = %q, want %q", key, got, want)
		}
	}
	p = newPolicy(t, root, func(r *api.Config) { r.DocPatterns = []string{"**/*.txt"} })
	if got := p.Corpus("CMakeLists.txt"); got != api.CorpusDocs {
		t.Errorf("with **/*.txt, Corpus(CMakeLists.txt) = %q", got)
	}
	p = newPolicy(t, root, func(r *api.Config) { r.RespectGitignore = false; r.Include = nil })
	expect(t, p, same(api.SkipNone, "ignored.go"))
}

func TestSearchIgnore(t *testing.T) {
	root := quiet(t)
	write(t, root, ".gitignore", "generated/\n*.gen.go\nx.env2\n")
	write(t, root, ".searchignore", "!generated/\n!keep.gen.go\nfixtures/\n!.env\n!id_rsa\n!excluded.go\n")
	write(t, root, "sub/.searchignore", "!fixtures/\n/only-here.go\n")
	write(t, root, "generated/api.go", "x")
	write(t, root, "sub/fixtures/a.go", "x")
	for _, respect := range []bool{true, false} {
		p := newPolicy(t, root, func(r *api.Config) { r.RespectGitignore = respect; r.Exclude = []string{"excluded.go"} })
		want := map[string]api.Reason{
			"generated/api.go": api.SkipIgnored, "keep.gen.go": api.SkipIgnored, "fixtures/a.go": api.SkipIgnored,
			"sub/fixtures/a.go": "",
			"sub/only-here.go":  api.SkipIgnored, "only-here.go": "", ".env": api.SkipDenied, "id_rsa": api.SkipSecret,
			"excluded.go":  api.SkipExcluded,
			"other.gen.go": api.SkipIgnored,
		}
		if !respect {
			want["generated/api.go"], want["keep.gen.go"], want["other.gen.go"] = "", "", ""
		}
		expect(t, p, want)
	}
}

func TestOnlyIncludeWidens(t *testing.T) {
	root := quiet(t)
	write(t, root, ".gitignore", "local/\nnotes.txt\nbuild-*.txt\n")
	write(t, root, ".searchignore", "!local/\n!notes.txt\n")
	write(t, root, "local/deep/a.go", "x")
	for _, c := range []struct {
		include []string
		want    map[string]api.Reason
	}{
		{nil, map[string]api.Reason{"local/a.go": api.SkipIgnored, "notes.txt": api.SkipIgnored}},
		{[]string{"**/*"}, map[string]api.Reason{"local/a.go": api.SkipIgnored, "notes.txt": api.SkipIgnored}},
		{[]string{"**/*", "local/**"}, map[string]api.Reason{"local/a.go": "", "local/deep/a.go": "",
			"notes.txt": api.SkipIgnored}},
		{[]string{"**/*", "local/deep/a.go"}, map[string]api.Reason{"local/deep/a.go": "", "a.go": "",
			"local/deep/b.go": api.SkipIgnored, "local/a.go": api.SkipIgnored, "local/other/a.go": api.SkipIgnored}},
		{[]string{"**/*", "local/deep/*.txt"}, map[string]api.Reason{"local/deep/a.txt": "",
			"local/deep/a.go": api.SkipIgnored, "local/a.txt": api.SkipIgnored}},
		{[]string{"**/*", "local/deep"}, map[string]api.Reason{"local/deep/a.go": "", "local/deep/x/b.go": "",
			"local/b.go": api.SkipIgnored}},
		{[]string{"**/*", "local/deep/**/*.go"}, map[string]api.Reason{"local/deep/x/y/b.go": "",
			"local/deep/x/b.txt": api.SkipIgnored}},
		{[]string{"**/*", "notes.txt", "build-*.txt"}, map[string]api.Reason{"notes.txt": "", "x/notes.txt": "",
			"build-1.txt": api.SkipIgnored}},
	} {
		p := newPolicy(t, root, func(r *api.Config) { r.Include = c.include })
		expect(t, p, c.want)
	}
}

func TestRefreshSeesNewRules(t *testing.T) {
	root := quiet(t)
	write(t, root, "a/x.go", "x")
	p := newPolicy(t, root, nil)
	if got := p.Path("a/x.go"); got != "" {
		t.Fatalf("before: %q", got)
	}
	write(t, root, "a/.gitignore", "x.go\n")
	write(t, root, "data/app.lock", "")
	write(t, root, "indexes/x.go", "")
	if p.Dir("data") != "" {
		t.Error("a folder with a lock alone is a data folder")
	}
	write(t, root, "data/indexes/x", "")
	for _, name := range []string{"a/.gitignore", ".gitignore", ".searchignore", ".git/info/exclude", "sub/.git",
		".git/config", "data/indexes", "data/app.lock"} {
		if !p.IsIgnoreFile(name) {
			t.Errorf("IsIgnoreFile(%q) = false", name)
		}
	}
	for _, name := range []string{"a/x.go", "config", "info/exclude", ".git/HEAD", "gitignore", "indexes"} {
		if p.IsIgnoreFile(name) {
			t.Errorf("IsIgnoreFile(%q) = true", name)
		}
	}
	p.Refresh()
	if got := p.Dir("data"); got != api.SkipOwnData {
		t.Errorf("a data folder: %q", got)
	}
	if got := p.Path("a/x.go"); got != api.SkipIgnored {
		t.Errorf("after: %q", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	root := quiet(t)
	for i := range 20 {
		write(t, root, fmt.Sprintf("d%d/.gitignore", i), "*.o\n")
	}
	p := newPolicy(t, root, nil)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 300 {
				dir := fmt.Sprintf("d%d", i%20)
				if got := p.Path(dir + "/x.o"); got != api.SkipIgnored {
					t.Errorf("%s: %q", dir, got)
				}
				if p.Path(dir+"/x.c") != api.SkipNone {
					t.Error("x.c is skipped")
				}
				if w == 0 && i%10 == 0 {
					p.Refresh()
				}
				if _, err := p.ReadDir(dir); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestBroad(t *testing.T) {
	home := filepath.Join(t.TempDir(), "people", "me")
	must(t, os.MkdirAll(home, 0o755))
	if runtime.GOOS == "windows" {
		t.Setenv("USERPROFILE", home)
	}
	t.Setenv("HOME", home)
	wide := []string{home, home + "/", filepath.Dir(home)}
	if runtime.GOOS != "windows" {
		wide = append(wide, "/", "/home", "/home/somebody", "/Users/somebody", "/usr", "/tmp", "/etc", "/Volumes")
	}
	for _, root := range wide {
		if !IsTooBroad(root) {
			t.Errorf("IsTooBroad(%q) = false", root)
		}
	}
	for _, root := range []string{filepath.Join(home, "project"), "/srv/app", "/home/somebody/code", "/opt/thing"} {
		if IsTooBroad(root) {
			t.Errorf("IsTooBroad(%q) = true", root)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

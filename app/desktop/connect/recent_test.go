package connect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// home creates a home folder with projects and files.
func home(t *testing.T, projects []string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range projects {
		check(t, os.MkdirAll(filepath.Join(dir, p), 0o755))
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		check(t, os.MkdirAll(filepath.Dir(path), 0o755))
		uri := "file:///" + strings.TrimPrefix(filepath.ToSlash(dir), "/") // file:///C:/… on Windows
		text = strings.ReplaceAll(strings.ReplaceAll(text, "file://@@", uri), "@@", filepath.ToSlash(dir))
		check(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func TestRecent(t *testing.T) {
	dir := home(t, []string{"code/empty", "code/fresh/.git", "code/shop.git/objects",
		"code/shop.git/refs"}, map[string]string{
		"code/shop/go.mod": "", "code/blog/.git/HEAD": "", "code/blog/post.md": "", "code/api/main.go": "",
		"code/jvm/.editorconfig":  "",
		"code/with space/a b.txt": "", "code/shop.git/HEAD": "ref: refs/heads/main",
		".config/Code/User/workspaceStorage/1/workspace.json":   `{"folder": "file://@@/code/shop"}`,
		".config/Code/User/workspaceStorage/2/workspace.json":   `{"folder": "vscode-remote://ssh/srv/app"}`,
		".config/Code/User/workspaceStorage/3/workspace.json":   `{"workspace": "file://@@/x.code-workspace"}`,
		".config/Cursor/User/workspaceStorage/1/workspace.json": `{"folder": "file://@@/code/with%20space"}`,
		".config/Cursor/User/workspaceStorage/2/workspace.json": `{"folder": "file://@@/code/gone"}`,
		".config/Cursor/User/workspaceStorage/3/workspace.json": `{"folder": "file://@@"}`,
		".config/Cursor/User/workspaceStorage/4/workspace.json": `half a te`,
		".claude.json":       `{"projects": {"@@/code/blog": {}, "@@/code/shop": {}, "@@/code/empty": {}, "@@/code/fresh": {}, "@@/code/shop.git": {}, "/": {}}}`,
		".codex/config.toml": "model = \"x\"\n[projects.\"@@/code/api\"]\ntrust_level = \"trusted\"\n",
		".config/JetBrains/GoLand2026.1/options/recentProjects.xml": `<application><component><option name="additionalInfo"><map>
			<entry key="$USER_HOME$/code/jvm"><value><RecentProjectMetaInfo>
			<option name="projectOpenTimestamp" value="4000000000000"/></RecentProjectMetaInfo></value></entry></map></option></component></application>`,
	})
	old := time.Now().Add(-time.Hour)
	check(t, os.Chtimes(filepath.Join(dir, ".config/Code/User/workspaceStorage/1"), old, old))
	m := &Machine{OS: "linux", Home: dir, Getenv: func(string) string { return "" }}
	var got []string
	for _, f := range m.recent(t.Context()) {
		got = append(got, fmt.Sprintf("%s %s", f.Editor, strings.TrimPrefix(filepath.ToSlash(f.Dir),
			filepath.ToSlash(dir)+"/code/")))
	}
	if len(got) != 5 || got[0] != "GoLand jvm" || got[3] != "VS Code shop" || got[4] != "Claude Code blog" {
		t.Errorf("%q", got)
	}
	for _, want := range []string{"Cursor with space", "Codex api"} {
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%q lacks %s", got, want)
		}
	}
}

func TestRecentNothing(t *testing.T) {
	for _, m := range []*Machine{{OS: "linux", Home: t.TempDir(), Getenv: func(string) string { return "" }}} {
		if f := m.recent(t.Context()); f != nil {
			t.Errorf("%+v", f)
		}
	}
}

func FuzzFromURI(f *testing.F) {
	for _, s := range []string{"file:///code/shop", "file:///C:/code", "vscode-remote://x/y", "file://host/x", "%zz",
		"file:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if path, ok := fromURI(s); !ok && path != "" {
			t.Errorf("%q gives %q", s, path)
		}
	})
}

package connect

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

const paragraph = noteBegin + "\n" + note + "\n" + noteEnd + "\n"

func noted(t *testing.T, m *Machine, dir, editor string, remove bool) []string {
	t.Helper()
	plans, err := Note(dir, editor, remove)
	check(t, err)
	var names []string
	for _, p := range plans {
		names = append(names, p.Editor)
		wantEqual(t, m.do(t, p, nil), "", "do")
	}
	return names
}

func TestNote(t *testing.T) {
	for _, test := range []struct {
		name, editor   string
		files          map[string]string
		where, content string // after adding
		removed        string // "gone": the file
	}{
		{"a new AGENTS.md", "codex", nil, "AGENTS.md", paragraph, "gone"},
		{"a new CLAUDE.md", "claude-code", nil, "CLAUDE.md", paragraph, "gone"},
		{"at the end", "cursor", map[string]string{"AGENTS.md": "# Rules\n"}, "AGENTS.md", "# Rules\n\n" + paragraph,
			"# Rules\n"},
		{"without a last newline", "cursor", map[string]string{"AGENTS.md": "x"}, "AGENTS.md", "x\n\n" + paragraph, "x\n"},
		{"lines of Windows", "cursor", map[string]string{"AGENTS.md": "# Rules\r\n"}, "AGENTS.md",
			"# Rules\r\n\r\n" + strings.ReplaceAll(paragraph, "\n", "\r\n"), "# Rules\r\n"},
		{"an import", "claude-code", map[string]string{"AGENTS.md": "a\n", "CLAUDE.md": "@AGENTS.md\n"}, "AGENTS.md",
			"a\n\n" + paragraph, "a\n"},
		{"both, apart", "claude-code", map[string]string{"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}, "CLAUDE.md",
			"c\n\n" + paragraph, "c\n"},
		{"an older paragraph", "codex", map[string]string{"AGENTS.md": "a\n" + noteBegin + "\nold\n" + noteEnd + "\nb\n"},
			"AGENTS.md", "a\n" + paragraph + "b\n", "a\nb\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, dir := machine(t, "linux"), t.TempDir()
			for name, data := range test.files {
				check(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644))
			}
			if where := noted(t, m, dir, test.editor, false); len(where) != 1 || where[0] != test.where {
				t.Fatalf("written to %v", where)
			}
			path := filepath.Join(dir, test.where)
			wantEqual(t, string(read(t, path)), test.content, "read")
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o044 == 0 && runtime.GOOS != "windows" {
				t.Errorf("others can't read it: %v", err)
			}
			wantEqual(t, len(noted(t, m, dir, test.editor, false)), 0, "written twice: noted")
			noted(t, m, dir, test.editor, true)
			got := read(t, path)
			if test.removed == "gone" && got != nil || test.removed != "gone" && string(got) != test.removed {
				t.Errorf("removed: %q, want %q", got, test.removed)
			}
		})
	}
}

func TestNoteRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{noteBegin + "\n", noteEnd + "\n" + noteBegin + "\n", paragraph + paragraph} {
		check(t, os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte(text), 0o644))
		for _, remove := range []bool{false, true} {
			if plans, err := Note(dir, "codex", remove); api.CodeOf(err) != CodeForm {
				t.Errorf("%.40q: %+v, %v", text, plans, err)
			}
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	outside := filepath.Join(t.TempDir(), "secret.md")
	check(t, os.WriteFile(outside, []byte("x"), 0o644))
	for _, target := range []string{outside, outside + ".new"} {
		project := t.TempDir()
		check(t, os.Symlink(target, filepath.Join(project, "AGENTS.md")))
		if plans, err := Note(project, "codex", false); err == nil {
			t.Errorf("a link to %s is followed: %+v", target, plans)
		}
	}
}

func TestNoteRoot(t *testing.T) {
	m := machine(t, "linux")
	deep := m.inHome("work", "p", "a", "b")
	check(t, os.MkdirAll(deep, 0o755))
	check(t, os.Mkdir(m.inHome(".git"), 0o755)) // version-controlled dotfiles
	if root, ok := m.NoteRoot(deep); ok {
		t.Errorf("%s is no project", root)
	}
	check(t, os.Mkdir(m.inHome("work", "p", ".git"), 0o755))
	if root, ok := m.NoteRoot(deep); !ok || root != m.inHome("work", "p") {
		t.Errorf("%s, %v", root, ok)
	}
}

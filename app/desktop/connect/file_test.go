package connect

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

func TestSymlinkIsFollowed(t *testing.T) {
	m := machine(t, "linux")
	dotfiles := t.TempDir()
	target := filepath.Join(dotfiles, "cursor.json")
	check(t, os.WriteFile(target, []byte("{}\n"), 0o640))
	path := m.put(t, "cursor", nil)
	if err := os.Symlink(target, path); err != nil && runtime.GOOS == "windows" && os.Getenv("CI") == "" {
		t.Skip("links need a privilege: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	p, err := m.Connect("cursor", false)
	backup := m.do(t, p, err)
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" {
		t.Errorf("the mode has changed: %v", err)
	}
	if filepath.Dir(backup) != dotfiles || !bytes.Contains(read(t, target), []byte(program)) {
		t.Errorf("backup %s of %s", backup, read(t, target))
	}

	check(t, os.Remove(target))
	if p, err = m.Connect("cursor", false); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Apply(t.Context(), p); err == nil {
		t.Error("a link to nowhere was written through")
	}
}

func TestApplyRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		before  []byte
		between func(path string) error
		code    api.Code
	}{
		"a new file": {nil, func(path string) error { return os.WriteFile(path, nil, 0o600) }, CodeChanged},
		"a file changed meanwhile": {[]byte("{}"),
			func(path string) error { return os.WriteFile(path, []byte(`{"a": 1}`), 0o600) },
			CodeChanged},
		"a file removed meanwhile": {[]byte("{}"), os.Remove, ""},
		"a file emptied meanwhile": {[]byte("{}"), func(path string) error { return os.Truncate(path, 0) }, CodeChanged},
		"a write-protected file":   {[]byte("{}"), func(path string) error { return os.Chmod(path, 0o440) }, CodeReadOnly},
		"a folder in its place now": {[]byte("{}"), func(path string) error {
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o700))
		}, CodeBroken},
	} {
		m := machine(t, "linux")
		path := m.put(t, "cursor", test.before)
		p, err := m.Connect("cursor", false)
		check(t, err)
		check(t, test.between(path))
		if r, err := m.Apply(t.Context(), p); err == nil || api.CodeOf(err) != test.code {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*search-mcp*")); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", name, left, err)
		}
	}
}

func TestBackupsReplaceNothing(t *testing.T) {
	m := machine(t, "linux")
	path := m.put(t, "cursor", []byte("{}"))
	var backups []string
	for range 2 {
		p, err := m.Connect("cursor", false)
		backups = append(backups, m.do(t, p, err))
		p, err = m.Disconnect("cursor", false)
		backups = append(backups, m.do(t, p, err))
	}
	slices.Sort(backups)
	wantEqual(t, len(slices.Compact(backups)), 4, "backups %v", backups)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" {
		t.Errorf("mode: %v, %v", info, err)
	}
}

// TestOwnCommand uses a fake of the editors' commands that writes the file as they do.
func TestOwnCommand(t *testing.T) {
	const entry = `{"mcpServers":{"search":{"type":"stdio","command":"` + program + `","args":["mcp"]}}}`
	m := machine(t, "linux")
	path := m.put(t, "claude-code", []byte(`{"projects":{}}`))
	m.LookPath = func(name string) (string, error) { return "/usr/bin/" + name, nil }
	var ran []string
	written := entry
	m.Run = func(_ context.Context, argv []string) ([]byte, error) {
		ran = append(ran, CommandLine(argv))
		return []byte("ok"), os.WriteFile(path, []byte(written), 0o600)
	}
	p, err := m.Connect("claude-code", false)
	wantEqual(t, p.File, "", "the file is to be written as well: %+v", p)
	m.do(t, p, err)
	if p, err = m.Connect("claude-code", false); err != nil || !p.Empty() {
		t.Errorf("connected twice: %+v, %v", p, err)
	}
	written = "{}"
	p, err = m.Disconnect("claude-code", false)
	m.do(t, p, err)
	want := []string{
		"/usr/bin/claude mcp add --scope user search -- /opt/search-mcp/search-mcp mcp",
		"/usr/bin/claude mcp remove --scope user search",
	}
	if !slices.Equal(ran, want) {
		t.Errorf("ran %q", ran)
	}

	// Now the command reports success but does nothing.
	p, err = m.Connect("claude-code", false)
	check(t, err)
	if _, err := m.Apply(t.Context(), p); api.CodeOf(err) != CodeTool {
		t.Errorf("no effect, but: %v", err)
	}
	m.Run = func(context.Context, []string) ([]byte, error) {
		return []byte("\x1b[31mno\n such \x00 thing " + strings.Repeat("help ", 1000)), errors.New("exit status 1")
	}
	_, err = m.Apply(t.Context(), p)
	if api.CodeOf(err) != CodeTool || len(sentence(err)) > 700 || strings.ContainsAny(sentence(err), "\x1b\x00") {
		t.Errorf("a failure is reported as %q", sentence(err))
	}

	if p, err = m.Connect("claude-code", true); err != nil || p.File != path || len(p.Run) > 0 {
		t.Errorf("by file: %+v, %v", p, err)
	}
}

func TestCommandLine(t *testing.T) {
	got := CommandLine([]string{"a", "b c", "", "it's", "x=y", "$(z)"})
	wantEqual(t, got, `a 'b c' '' 'it'\''s' x=y '$(z)'`, "result")
}

// fuzz checks that any file is either refused, or unchanged after an entry is added and removed.
func fuzz(f *testing.F, format format) {
	names, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(names) == 0 {
		f.Fatal("no golden files")
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		check(f, err)
		_, before, _ := bytes.Cut(data, []byte("-- before --\n"))
		before, _, _ = bytes.Cut(before, []byte("-- connected --\n"))
		f.Add(before)
	}
	wanted := server{name: Name, command: program, args: []string{sub}}
	f.Fuzz(func(t *testing.T, before []byte) {
		list, err := format.servers(before)
		if err != nil || slices.ContainsFunc(list, func(s server) bool { return s.name == Name }) {
			return
		}
		after, err := format.add(before, wanted)
		if err != nil {
			return
		}
		if !within(before, after) {
			t.Fatalf("%q lost something in %q", before, after)
		}
		now, err := format.servers(after)
		if err != nil || len(now) != len(list)+1 {
			t.Fatalf("%q is in %q: %v, %v", before, after, now, err)
		}
		back, err := format.remove(after, Name)
		if err != nil {
			t.Fatalf("%q can't be taken out of %q: %v", Name, after, err)
		}
		if left, err := format.servers(back); err != nil || len(left) != len(list) {
			t.Fatalf("%q became %q, which is %v, %v", after, back, left, err)
		}
		moved, err := format.command(after, Name, "/other/search-mcp")
		if err != nil || bytes.Contains(moved, []byte(program)) != bytes.Contains(before, []byte(program)) {
			t.Fatalf("%q moved is %q, %v", after, moved, err)
		}
	})
}

// within reports whether b contains the bytes of a in order, ignoring white space and empty braces.
func within(a, b []byte) bool {
	for _, c := range a {
		if strings.IndexByte(" \t\r\n{}", c) >= 0 {
			continue
		}
		i := bytes.IndexByte(b, c)
		if i < 0 {
			return false
		}
		b = b[i+1:]
	}
	return true
}

func FuzzJSON(f *testing.F) { fuzz(f, jsonFile{root: "mcpServers", entry: plain}) }
func FuzzTOML(f *testing.F) { fuzz(f, lineFile{"mcp_servers", "command", tables{}}) }
func FuzzYAML(f *testing.F) { fuzz(f, lineFile{"extensions", "cmd", blocks{gooseEntry}}) }

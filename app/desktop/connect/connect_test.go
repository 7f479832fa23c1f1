package connect

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"searchmcp/engine/api"
)

var update = flag.Bool("update", false, "write the golden files")

const program = "/opt/search-mcp/search-mcp"

func machine(t *testing.T, goos string) *Machine {
	t.Helper()
	return &Machine{
		OS: goos, Home: t.TempDir(), Program: program,
		Getenv:   func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", fs.ErrNotExist },
		Run: func(context.Context, []string) ([]byte, error) {
			return nil, errors.New("nothing is to be run")
		},
		Now: func() time.Time { return time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC) },
	}
}

func (m *Machine) put(t *testing.T, id string, data []byte) string {
	t.Helper()
	f, err := m.find(id)
	check(t, err)
	check(t, os.MkdirAll(filepath.Dir(f.path), 0o755))
	if data == nil { // without a file the editor is detected by its program
		m.with(f.programs...)
		return f.path
	}
	check(t, os.WriteFile(f.path, data, 0o640))
	return f.path
}

func (m *Machine) do(t *testing.T, p Plan, err error) (backup string) {
	t.Helper()
	check(t, err)
	backup, err = m.Apply(t.Context(), p)
	check(t, err)
	return backup
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := readConfig(path)
	check(t, err)
	return data
}

// TestGolden compares with golden files. EDITOR.CASE.txtar contains the configuration before, with Search MCP
// connected, and, if different, disconnected again. Each case also runs with a byte order mark and with Windows line
// ends.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	seen := map[string]bool{}
	for _, name := range names {
		id, _, _ := strings.Cut(filepath.Base(name), ".")
		seen[id] = true
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			check(t, err)
			part := func(section string) []byte {
				if at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == section }); at >= 0 {
					return archive.Files[at].Data
				}
				return nil
			}
			before, connected, disconnected := part("before"), part("connected"), part("disconnected")
			if *update {
				m := machine(t, "linux")
				path := m.put(t, id, before)
				p, err := m.Connect(id, true)
				m.do(t, p, err)
				connected = read(t, path)
				files := []txtar.File{{Name: "connected", Data: connected}}
				if before != nil {
					files = append([]txtar.File{{Name: "before", Data: before}}, files...)
				}
				if p, err = m.Disconnect(id, true); err != nil {
					t.Fatal(err)
				}
				m.do(t, p, err)
				if after := read(t, path); !bytes.Equal(after, before) {
					files = append(files, txtar.File{Name: "disconnected", Data: after})
				}
				archive.Files = files
				check(t, os.WriteFile(name, txtar.Format(archive), 0o644))
				return
			}
			if disconnected == nil {
				disconnected = before
			}
			for _, way := range []struct {
				name   string
				change func([]byte) []byte
			}{
				{"plain", bytes.Clone},
				{"windows", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }},
				{"mark", func(b []byte) []byte { return append(bytes.Clone(bom), b...) }},
			} {
				if len(before) == 0 && way.name != "plain" {
					continue
				}
				t.Run(way.name, func(t *testing.T) {
					var start []byte
					if before != nil {
						start = way.change(before)
					}
					goldenRoundTrip(t, id, start, way.change(connected), way.change(disconnected))
				})
			}
		})
	}
	for _, e := range editors {
		if !seen[e.id] {
			t.Errorf("%s has no golden file", e.id)
		}
	}
}

func goldenRoundTrip(t *testing.T, id string, before, connected, disconnected []byte) {
	m := machine(t, "linux")
	path := m.put(t, id, before)
	p, err := m.Connect(id, true)
	backup := m.do(t, p, err)
	if diff := cmp.Diff(string(connected), string(read(t, path))); diff != "" {
		t.Fatalf("connected:\n%s", diff)
	}
	wantEqual(t, backup != "", read(t, path+".20261121-100000.bak") != nil, "the reported backup is %q", backup)
	if backup != "" && len(before) > 0 && !bytes.Equal(read(t, backup), before) {
		t.Error("the backup is not the file as it was")
	}
	if s, err := m.Find(id); err != nil || s.State != Connected || s.Command != program {
		t.Errorf("state after connecting: %+v, %v", s, err)
	}
	if p, err := m.Connect(id, true); err != nil || !p.Empty() {
		t.Errorf("Connect changes a correct configuration: %+v, %v", p.Lines(), err)
	}
	p, err = m.Disconnect(id, true)
	m.do(t, p, err)
	left := read(t, path)
	wantEqual(t, string(left), string(disconnected), "disconnected")
	wantEqual(t, left == nil, len(before) == 0, "the file is gone")
	if p, err := m.Disconnect(id, true); err != nil || !p.Empty() {
		t.Errorf("a second disconnect has something to do: %+v, %v", p.Lines(), err)
	}
}

// TestPlaces checks a file in each of the folders that Machine.places names.
func TestPlaces(t *testing.T) {
	for _, test := range []struct{ id, linux, darwin, windows string }{
		{"claude-code", ".claude.json", ".claude.json", ".claude.json"},
		{"claude-desktop", ".config/Claude/claude_desktop_config.json",
			"Library/Application Support/Claude/claude_desktop_config.json",
			"AppData/Roaming/Claude/claude_desktop_config.json"},
		{"cursor", ".cursor/mcp.json", ".cursor/mcp.json", ".cursor/mcp.json"},
		{"zed", ".config/zed/settings.json", ".config/zed/settings.json", "AppData/Roaming/Zed/settings.json"},
		{"codex", ".codex/config.toml", ".codex/config.toml", ".codex/config.toml"},
		{"goose", ".config/goose/config.yaml", ".config/goose/config.yaml", "AppData/Roaming/Block/goose/config/config.yaml"},
	} {
		for goos, want := range map[string]string{"linux": test.linux, "darwin": test.darwin, "windows": test.windows} {
			m := machine(t, goos)
			if s, err := m.Find(test.id); err != nil || s.File != m.inHome(filepath.FromSlash(want)) {
				t.Errorf("%s on %s: %+v, %v", test.id, goos, s, err)
			}
			for _, s := range m.List() {
				if _, err := m.Connect(s.ID, false); s.State != Missing || api.CodeOf(err) != CodeMissing {
					t.Errorf("%s on %s is not here, but: %+v, %v", s.ID, goos, s, err)
				}
			}
		}
	}
}

// TestOtherPlaces checks that an editor in another known location is detected there.
func TestOtherPlaces(t *testing.T) {
	for _, test := range []struct{ goos, id, file string }{
		{"windows", "claude-desktop",
			"AppData/Local/Packages/Claude_abc123/LocalCache/Roaming/Claude/claude_desktop_config.json"},
		{"linux", "vscode", ".config/VSCodium/User/mcp.json"},
		{"darwin", "vscode", "Library/Application Support/Code - Insiders/User/mcp.json"},
		{"darwin", "zed", "Library/Application Support/Zed/settings.json"},
		{"linux", "cline", ".config/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
		{"linux", "antigravity", ".gemini/antigravity/mcp_config.json"},
	} {
		m := machine(t, test.goos)
		want := m.inHome(filepath.FromSlash(test.file))
		check(t, os.MkdirAll(filepath.Dir(want), 0o700))
		if s, err := m.Find(test.id); err != nil || s.File != want || s.State != Free {
			t.Errorf("%s on %s: %+v, %v", test.id, test.goos, s, err)
		}
	}
	m := machine(t, "linux")
	check(t, os.MkdirAll(m.inHome(".config", "opencode"), 0o700))
	other := m.inHome(".config", "opencode", "opencode.jsonc")
	check(t, os.WriteFile(other, []byte("{}"), 0o600))
	if s, err := m.Find("opencode"); err != nil || s.File != other {
		t.Errorf("opencode: %+v, %v", s, err)
	}
}

// TestRefused checks that unreadable files, and files that can't be edited safely, stay unchanged, and that the message
// contains the file's name and the text to add.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		name, id, data string
		code           api.Code
	}{
		{"half an object", "cursor", `{"mcpServers": {`, CodeBroken},
		{"not an object", "cursor", `[1]`, CodeBroken},
		{"servers are a list", "cursor", `{"mcpServers": []}`, CodeBroken},
		{"servers twice", "cursor", `{"mcpServers": {}, "mcpServers": {"a": {}}}`, CodeBroken},
		{"text", "vscode", "hello", CodeBroken},
		{"comments where the editor reads none", "claude-desktop", "{\n// mine\n}", CodeBroken},
		{"a comma too many where the editor reads none", "cline", `{"mcpServers": {},}`, CodeBroken},
		{"toml", "codex", "[mcp_servers\n", CodeBroken},
		{"toml, twice", "codex", "[mcp_servers.a]\n[mcp_servers.a]\n", CodeBroken},
		{"toml, servers are a text", "codex", "mcp_servers = 'x'\n", CodeBroken},
		{"toml, inline servers", "codex", "mcp_servers = { a = { command = 'x' } }\n", CodeForm},
		{"yaml", "goose", "extensions:\n\t- x", CodeBroken},
		{"yaml, servers are a list", "goose", "extensions:\n  - x\n", CodeBroken},
		{"yaml, in flow style", "goose", "extensions: {a: {cmd: b}}\n", CodeForm},
		{"yaml, all in flow style", "goose", "{a: b}\n", CodeForm},
		{"yaml, two documents", "goose", "a: b\n---\nc: d\n", CodeForm},
		{"yaml, an anchor", "goose", "extensions: &x\nother: *x\n", CodeForm},
		{"a file of another", "continue", "mcpServers:\n  - name: other\n    command: x\n", CodeForm},
		{"the name is another server's", "cursor", `{"mcpServers": {"search": {"command": "npx", "args": ["other"]}}}`,
			CodeTaken},
		{"the name is another server's, toml", "codex", "[mcp_servers.search]\ncommand = 'other'\n", CodeTaken},
		{"the name is a server's by address", "vscode", `{"servers": {"search": {"url": "https://example.org"}}}`, CodeTaken},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := machine(t, "linux")
			path := m.put(t, test.id, []byte(test.data))
			_, err := m.Connect(test.id, false)
			wantEqual(t, api.CodeOf(err), test.code, "connect: %v", err)
			if text := sentence(err); test.code != CodeTaken && (!strings.Contains(text, path) ||
				!strings.Contains(text, strings.TrimSpace(m.Snippet(test.id)))) {
				t.Errorf("the message is %q", text)
			}
			if p, err := m.Disconnect(test.id, false); err == nil && !p.Empty() {
				t.Errorf("disconnect would change %q", p.Lines())
			}
			wantEqual(t, string(read(t, path)), test.data, "the file is now: read")
			if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
				t.Errorf("files are left: %v, %v", files, err)
			}
		})
	}
	if _, err := machine(t, "linux").Connect("emacs", false); api.CodeOf(err) != CodeUnknown {
		t.Errorf("an unknown editor: %v", err)
	}
}

// TestMade checks that disconnecting removes a file that contains only our entry, and an empty key.
func TestMade(t *testing.T) {
	for _, test := range []struct {
		name   string
		before *string
		since  func(string) string
		after  *string
	}{
		{name: "no file", after: nil},
		{name: "an empty file", before: new(""), after: nil},
		{name: "an empty key", before: new(`{"mcpServers": {}}`), after: new("{}")},
		{name: "the user has added a setting",
			since: func(s string) string { return strings.Replace(s, "{", `{"a": 1,`, 1) }, after: new("{\"a\": 1\n}\n")},
		{name: "the user has added a comment",
			since: func(s string) string { return strings.Replace(s, `"search"`, "// mine\n\"search\"", 1) },
			after: new("{\n  \"mcpServers\": {\n    // mine\n  }\n}\n")},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := machine(t, "linux")
			var before []byte
			if test.before != nil {
				before = []byte(*test.before)
			}
			path := m.put(t, "cursor", before)
			p, err := m.Connect("cursor", false)
			m.do(t, p, err)
			if test.since != nil {
				check(t, os.WriteFile(path, []byte(test.since(string(read(t, path)))), 0o600))
			}
			p, err = m.Disconnect("cursor", false)
			m.do(t, p, err)
			switch left := read(t, path); {
			case (left == nil) != (test.after == nil):
				t.Errorf("the file is %q", left)
			case left != nil && string(left) != *test.after:
				t.Errorf("the file is %q, want %q", left, *test.after)
			}
		})
	}
}

// TestMoved checks that the entry of a moved search-mcp gets the new path, and other changes stay.
func TestMoved(t *testing.T) {
	for _, test := range []struct{ id, before, after string }{
		{"cursor",
			`{"mcpServers": {"code": {"command": "/old/search-mcp", "args": ["mcp", "--project", "/p"], "env": {"A": "1"}, /* slow */ "timeout": 9}}}`,
			`{"mcpServers": {"code": {"command": "` + program +
				`", "args": ["mcp", "--project", "/p"], "env": {"A": "1"}, /* slow */ "timeout": 9}}}`},
		{"cursor",
			`{"mcpServers": {"search": {"command": "C:\\old\\search-mcp.exe", "args": ["mcp"]}}}`,
			`{"mcpServers": {"search": {"command": "` + program + `", "args": ["mcp"]}}}`},
		{"opencode",
			`{"mcp": {"search": {"type": "local", "command": ["/old/search-mcp", "mcp"], "enabled": false}}}`,
			`{"mcp": {"search": {"type": "local", "command": ["` + program + `", "mcp"], "enabled": false}}}`},
		{"codex",
			"[mcp_servers.search] # ours\nargs = ['mcp']\ncommand = '/old/search-mcp' # here\nstartup_timeout_sec = 5\n",
			"[mcp_servers.search] # ours\nargs = ['mcp']\ncommand = \"" + program + "\" # here\nstartup_timeout_sec = 5\n"},
		{"goose", "extensions:\n  a:\n    cmd: /old/search-mcp\n    args: [mcp]\n    timeout: 7 # mine\n  b: {cmd: x}\n",
			"extensions:\n  a:\n    cmd: \"" + program + "\"\n    args: [mcp]\n    timeout: 7 # mine\n  b: {cmd: x}\n"},
		{"continue",
			"name: x\nmcpServers:\n  - name: search\n    command: /old/search-mcp\n    args: [mcp]\n",
			"name: Search MCP\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: search\n    command: \"" + program +
				"\"\n    args:\n      - \"mcp\"\n"},
		{"cursor", // an entry that does not start the bridge is rewritten
			`{"mcpServers": {"s": {"command": "/old/search-mcp", "args": ["status"]}, "b": {}}}`,
			`{"mcpServers": { "b": {}, "s": {"command": "` + program + `", "args": ["mcp"]}}}`},
	} {
		m := machine(t, "linux")
		path := m.put(t, test.id, []byte(test.before))
		if s, err := m.Find(test.id); err != nil || s.State != Outdated || s.Command == program {
			t.Errorf("%s: %+v, %v", test.id, s, err)
		}
		p, err := m.Connect(test.id, false)
		m.do(t, p, err)
		wantEqual(t, string(read(t, path)), test.after, "%s", test.id)
	}
}

// TestDisconnectRemovesOurs checks that disconnecting removes our entries under any name.
func TestDisconnectRemovesOurs(t *testing.T) {
	const before = `{
	"mcpServers": {
		"one": {"command": "/a/search-mcp", "args": ["mcp"]},
		"search-mcp": {"command": "npx", "args": ["search-mcp"]}, // another's
		"two": {"command": "/b/search-mcp", "args": ["mcp"]}, // ours
		"research": {"command": "/a/research-mcp"},
		"three": {"command": "search-mcp"}
	}
}
`
	const after = `{
	"mcpServers": {
		"search-mcp": {"command": "npx", "args": ["search-mcp"]}, // another's // ours
		"research": {"command": "/a/research-mcp"}
	}
}
`
	m := machine(t, "linux")
	path := m.put(t, "cursor", []byte(before))
	p, err := m.Disconnect("cursor", false)
	m.do(t, p, err)
	wantEqual(t, string(read(t, path)), after, "read")
}

func TestProgramOfWindows(t *testing.T) {
	for id, want := range map[string]string{
		"codex": "[mcp_servers.search]\ncommand = 'C:\\Program Files\\Search MCP\\search-mcp.exe'\nargs = [\"mcp\"]\n",
		"cursor": "{\n  \"mcpServers\": {\n    \"search\": {\n" +
			"      \"command\": \"C:\\\\Program Files\\\\Search MCP\\\\search-mcp.exe\",\n      \"args\": [\"mcp\"]\n    }\n" +
			"  }\n}\n",
	} {
		m := machine(t, "windows")
		m.Program = `C:\Program Files\Search MCP\search-mcp.exe`
		path := m.put(t, id, nil)
		p, err := m.Connect(id, true)
		m.do(t, p, err)
		wantEqual(t, string(read(t, path)), want, "%s", id)
		m.Program = `c:\program files\search mcp\search-mcp.exe` // the same folder on Windows
		if s, err := m.Find(id); err != nil || s.State != Connected {
			t.Errorf("%s: %+v, %v", id, s, err)
		}
	}
}

// TestDataFolder connects each editor to a bridge with another data folder than the default, and back to the default.
func TestDataFolder(t *testing.T) {
	const data = "/srv/search"
	for _, e := range editors {
		m := machine(t, "linux")
		m.put(t, e.id, []byte{})
		state := func(want State) {
			t.Helper()
			if s, err := m.Find(e.id); err != nil || s.State != want {
				t.Errorf("%s: %+v, %v, want %s", e.id, s, err, want)
			}
		}
		connect := func() {
			t.Helper()
			p, err := m.Connect(e.id, true)
			m.do(t, p, err)
			state(Connected)
		}
		m.Data = data
		connect()
		m.Data = ""
		state(Outdated)
		connect()
		m.Data = data
		state(Outdated)
		f, err := m.find(e.id)
		check(t, err)
		argv, own := m.with(e.programs...).ownCommand(f, false)
		argv = append(argv, m.wanted().arguments(e.add)...)
		if own && !slices.Contains(argv[:slices.Index(argv, data)], "--") {
			t.Errorf("%s would read --data itself: %q", e.id, argv)
		}
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantEqual reports the differences of got from want. The format names got.
func wantEqual[T any](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: (-want +got)\n%s", fmt.Sprintf(format, args...), d)
	}
}

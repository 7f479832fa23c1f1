package connect

import (
	"encoding/base64"
	"net/url"
	"path/filepath"
	"strings"
)

// editor is what is known of one client.
type editor struct {
	id, name string
	// traces are folders and files that only an installed editor leaves, and programs are commands it is started by.
	traces   func(m *Machine) []string
	programs []string
	// files are the places of its configuration, the likeliest first; patterns as of filepath.Glob are allowed.
	files  func(m *Machine) []string
	format format
	// tool is its own command that changes its configuration, preferred because the editor keeps state there or knows
	// places of which we don't.
	tool *tool
	// link is an address that has the editor ask the person itself.
	link func(s server) string
	// after says what a person has to do then.
	after string
}

// tool is an editor's own command.
type tool struct {
	program string
	add     func(s server) []string
	remove  func(name string) []string
}

func plain(s server) fields { return fields{{"command", s.command}, {"args", s.args}} }

func typed(kind string) func(server) fields {
	return func(s server) fields { return append(fields{{"type", kind}}, plain(s)...) }
}

// zedEntry says that the server is no extension's, which Zed required until 2026.
func zedEntry(s server) fields { return append(fields{{"source", "custom"}}, plain(s)...) }

// listEntry has the program and its arguments in one list (opencode).
func listEntry(s server) fields {
	return fields{{"type", "local"}, {"command", append([]string{s.command}, s.args...)}, {"enabled", true}}
}

// copilotEntry offers all tools; the editor goes on asking before it calls one.
func copilotEntry(s server) fields {
	return append(append(fields{{"type", "local"}}, plain(s)...), field{"tools", []string{"*"}})
}

// gooseEntry: the time-out of 300 s is the editor's own default, which it expects to be written.
func gooseEntry(s server) fields {
	return fields{
		{"enabled", true}, {"type", "stdio"}, {"name", s.name}, {"description", description},
		{"cmd", s.command}, {"args", s.args}, {"envs", fields{}}, {"timeout", 300},
	}
}

const newSession = "Available in the next session."

// editors is the list, in the order in which it is shown. Places and formats are the editors' documented ones of 2026.
var editors = []editor{
	{
		id: "claude-code", name: "Claude Code", programs: []string{"claude"},
		traces: func(m *Machine) []string { return []string{m.claudeCode()} },
		files:  func(m *Machine) []string { return []string{m.claudeCode()} },
		format: jsonFile{root: "mcpServers", strict: true, entry: typed("stdio")},
		tool: &tool{
			program: "claude",
			add: func(s server) []string {
				return append([]string{"mcp", "add", "--scope", "user", s.name, "--", s.command}, s.args...)
			},
			remove: func(name string) []string { return []string{"mcp", "remove", "--scope", "user", name} },
		},
		after: newSession,
	},
	{
		id: "claude-desktop", name: "Claude Desktop",
		traces: func(m *Machine) []string { return parents(m.claudeDesktop()) },
		files:  (*Machine).claudeDesktop,
		format: jsonFile{root: "mcpServers", strict: true, entry: plain},
		after:  "Quit Claude Desktop and start it again.",
	},
	{
		id: "cursor", name: "Cursor", programs: []string{"cursor"},
		traces: func(m *Machine) []string { return []string{m.inHome(".cursor")} },
		files:  func(m *Machine) []string { return []string{m.inHome(".cursor", "mcp.json")} },
		format: jsonFile{root: "mcpServers", entry: plain},
		link:   cursorLink,
		after:  "Cursor asks whether to enable it, or shows it in its settings under MCP.",
	},
	{
		id: "vscode", name: "VS Code", programs: []string{"code"},
		traces: (*Machine).codeFolders,
		files:  func(m *Machine) []string { return below(m.codeFolders(), "mcp.json") },
		format: jsonFile{root: "servers", entry: typed("stdio")},
		link:   codeLink,
		after:  "VS Code asks on first use whether you trust the server.",
	},
	{
		id: "windsurf", name: "Windsurf", programs: []string{"windsurf"},
		traces: func(m *Machine) []string { return []string{m.inHome(".codeium", "windsurf")} },
		files:  func(m *Machine) []string { return []string{m.inHome(".codeium", "windsurf", "mcp_config.json")} },
		format: jsonFile{root: "mcpServers", entry: plain},
		after:  "Press Refresh in Windsurf's MCP settings.",
	},
	{
		id: "zed", name: "Zed", programs: []string{"zed", "zeditor"},
		traces: func(m *Machine) []string { return parents(m.zed()) },
		files:  (*Machine).zed,
		format: jsonFile{root: "context_servers", entry: zedEntry},
		after:  "Zed picks it up automatically.",
	},
	{
		id: "antigravity", name: "Antigravity", programs: []string{"antigravity", "agy"},
		traces: func(m *Machine) []string {
			return []string{m.inHome(".gemini", "antigravity"), m.inHome(".gemini", "antigravity-cli"),
				m.inHome(".antigravity"), m.inHome(".gemini", "config")}
		},
		files: func(m *Machine) []string {
			return []string{m.inHome(".gemini", "config", "mcp_config.json"),
				m.inHome(".gemini", "antigravity", "mcp_config.json")}
		},
		format: jsonFile{root: "mcpServers", entry: plain},
		after:  "Press Refresh in Antigravity's list of MCP servers.",
	},
	{
		id: "jetbrains", name: "JetBrains (Junie)",
		traces: func(m *Machine) []string {
			return []string{m.inHome(".junie"), filepath.Join(m.settings(), "JetBrains")}
		},
		files:  func(m *Machine) []string { return []string{m.inHome(".junie", "mcp", "mcp.json")} },
		format: jsonFile{root: "mcpServers", entry: plain},
		after: "This is for Junie. For AI Assistant paste the same under Settings, Tools, AI Assistant, " +
			"Model Context Protocol.",
	},
	{
		id: "codex", name: "Codex", programs: []string{"codex"},
		traces: func(m *Machine) []string { return []string{m.codex()} },
		files:  func(m *Machine) []string { return []string{filepath.Join(m.codex(), "config.toml")} },
		format: lineFile{root: "mcp_servers", program: "command", grammar: tables{}},
		tool: &tool{
			program: "codex",
			add:     func(s server) []string { return append([]string{"mcp", "add", s.name, "--", s.command}, s.args...) },
			remove:  func(name string) []string { return []string{"mcp", "remove", name} },
		},
		after: newSession,
	},
	{
		id: "gemini", name: "Gemini CLI", programs: []string{"gemini"},
		traces: func(m *Machine) []string { return []string{m.inHome(".gemini", "settings.json")} },
		files:  func(m *Machine) []string { return []string{m.inHome(".gemini", "settings.json")} },
		format: jsonFile{root: "mcpServers", entry: plain},
		tool: &tool{
			program: "gemini",
			add: func(s server) []string {
				return append([]string{"mcp", "add", "--scope", "user", s.name, s.command}, s.args...)
			},
			remove: func(name string) []string { return []string{"mcp", "remove", "--scope", "user", name} },
		},
		after: newSession,
	},
	{
		id: "qwen", name: "Qwen Code", programs: []string{"qwen"},
		traces: func(m *Machine) []string { return []string{m.inHome(".qwen", "settings.json")} },
		files:  func(m *Machine) []string { return []string{m.inHome(".qwen", "settings.json")} },
		format: jsonFile{root: "mcpServers", entry: plain},
		tool: &tool{
			program: "qwen",
			add: func(s server) []string {
				return append([]string{"mcp", "add", "--scope", "user", s.name, s.command}, s.args...)
			},
			remove: func(name string) []string { return []string{"mcp", "remove", "--scope", "user", name} },
		},
		after: newSession,
	},
	{
		id: "copilot", name: "Copilot CLI", programs: []string{"copilot"},
		traces: func(m *Machine) []string { return []string{m.inHome(".copilot")} },
		files:  func(m *Machine) []string { return []string{m.inHome(".copilot", "mcp-config.json")} },
		format: jsonFile{root: "mcpServers", strict: true, entry: copilotEntry},
		tool: &tool{
			program: "copilot",
			add:     func(s server) []string { return append([]string{"mcp", "add", s.name, "--", s.command}, s.args...) },
			remove:  func(name string) []string { return []string{"mcp", "remove", name} },
		},
		after: newSession,
	},
	{
		id: "cline", name: "Cline",
		traces: func(m *Machine) []string { return parents(parents(m.cline())) },
		files:  (*Machine).cline,
		format: jsonFile{root: "mcpServers", strict: true, entry: plain},
		after:  "Cline picks it up automatically.",
	},
	{
		id: "continue", name: "Continue", programs: []string{"cn"},
		traces: func(m *Machine) []string { return []string{m.inHome(".continue")} },
		files:  func(m *Machine) []string { return []string{m.inHome(".continue", "mcpServers", "search-mcp.yaml")} },
		format: ownFile{},
		after:  "Continue uses MCP servers in agent mode.",
	},
	{
		id: "goose", name: "Goose", programs: []string{"goose"},
		traces: func(m *Machine) []string { return parents([]string{m.goose()}) },
		files:  func(m *Machine) []string { return []string{m.goose()} },
		format: lineFile{root: "extensions", program: "cmd", grammar: blocks{gooseEntry}},
		link:   gooseLink,
		after:  newSession,
	},
	{
		id: "opencode", name: "opencode", programs: []string{"opencode"},
		traces: func(m *Machine) []string { return []string{filepath.Join(m.config(), "opencode")} },
		files: func(m *Machine) []string {
			return []string{filepath.Join(m.config(), "opencode", "opencode.json"),
				filepath.Join(m.config(), "opencode", "opencode.jsonc")}
		},
		format: jsonFile{root: "mcp", entry: listEntry},
		after:  newSession,
	},
	{
		id: "amp", name: "Amp", programs: []string{"amp"},
		traces: func(m *Machine) []string { return []string{filepath.Join(m.config(), "amp")} },
		files:  func(m *Machine) []string { return []string{filepath.Join(m.config(), "amp", "settings.json")} },
		format: jsonFile{root: "amp.mcpServers", entry: plain},
		tool: &tool{
			program: "amp",
			add:     func(s server) []string { return append([]string{"mcp", "add", s.name, "--", s.command}, s.args...) },
			remove:  func(name string) []string { return []string{"mcp", "remove", name} },
		},
		after: newSession,
	},
}

func (m *Machine) claudeCode() string {
	if dir := m.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, ".claude.json")
	}
	return m.inHome(".claude.json")
}

// claudeDesktop: on Windows the packaged app reads a folder of its own and not the common one.
func (m *Machine) claudeDesktop() []string {
	const name = "claude_desktop_config.json"
	places := []string{filepath.Join(m.settings(), "Claude", name)}
	if m.OS == "windows" {
		local := m.env("LOCALAPPDATA", m.inHome("AppData", "Local"))
		places = append([]string{filepath.Join(local, "Packages", "Claude_*", "LocalCache", "Roaming", "Claude", name)},
			places...)
	}
	return places
}

// codeFolders are the User folders of VS Code and its insiders' and free builds.
func (m *Machine) codeFolders() []string {
	var list []string
	for _, name := range []string{"Code", "Code - Insiders", "VSCodium"} {
		list = append(list, filepath.Join(m.settings(), name, "User"))
	}
	return list
}

func (m *Machine) zed() []string {
	if m.OS == "windows" {
		return []string{filepath.Join(m.settings(), "Zed", "settings.json")}
	}
	return []string{filepath.Join(m.config(), "zed", "settings.json"), filepath.Join(m.settings(), "Zed", "settings.json")}
}

func (m *Machine) codex() string { return m.env("CODEX_HOME", m.inHome(".codex")) }

func (m *Machine) goose() string {
	if m.OS == "windows" {
		return filepath.Join(m.settings(), "Block", "goose", "config", "config.yaml")
	}
	return filepath.Join(m.config(), "goose", "config.yaml")
}

// cline is an extension of several editors.
func (m *Machine) cline() []string {
	folders := m.codeFolders()
	for _, name := range []string{"Cursor", "Windsurf"} {
		folders = append(folders, filepath.Join(m.settings(), name, "User"))
	}
	return below(folders, "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json")
}

func below(folders []string, names ...string) []string {
	list := make([]string, len(folders))
	for i, dir := range folders {
		list[i] = filepath.Join(append([]string{dir}, names...)...)
	}
	return list
}

func parents(paths []string) []string {
	list := make([]string, len(paths))
	for i, path := range paths {
		list[i] = filepath.Dir(path)
	}
	return list
}

// oneLine is an entry as one line of JSON.
func oneLine(f fields) string {
	line := field{"", f}.line()
	return line[len(`"": `):]
}

// escape writes a space as %20: a "+" would stay one in what follows a question mark of vscode:.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

func cursorLink(s server) string {
	config := base64.StdEncoding.EncodeToString([]byte(oneLine(plain(s))))
	return "cursor://anysphere.cursor-deeplink/mcp/install?name=" + escape(s.name) + "&config=" + escape(config)
}

func codeLink(s server) string {
	return "vscode:mcp/install?" + escape(oneLine(append(fields{{"name", s.name}}, typed("stdio")(s)...)))
}

func gooseLink(s server) string {
	link := "goose://extension?cmd=" + escape(s.command)
	for _, a := range s.args {
		link += "&arg=" + escape(a)
	}
	return link + "&id=" + escape(s.name) + "&name=" + escape("Search MCP") + "&description=" + escape(description)
}

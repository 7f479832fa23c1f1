package connect

import (
	"path/filepath"
	"strings"
)

type editor struct {
	id, name string
	programs []string
	// files lists the possible configuration files, most likely first. The editor is installed if a path in traces
	// exists, or the folder of a file. Machine.places defines the format.
	files, traces string
	format        format
	// add and remove are the arguments of the editor's own command, with the placeholders NAME and PROGRAM.
	add, remove string
	after       string
}

// places returns the paths in list, such as "unix:CONFIG/goose.yaml|SETTINGS/{Code,Cursor}/mcp.json". The prefixes
// unix: and windows: restrict a path to these systems.
func (m *Machine) places(list string) (paths []string) {
	for place := range strings.SplitSeq(list, "|") {
		if system, rest, ok := strings.Cut(place, ":"); ok {
			if (system == "windows") != (m.OS == "windows") {
				continue
			}
			place = rest
		}
		root, rest, _ := strings.Cut(place, "/")
		dir := map[string]func() string{"~": func() string { return m.Home }, "CONFIG": m.config, "SETTINGS": m.settings,
			"LOCAL": m.localData, "CLAUDE": func() string { return m.env("CLAUDE_CONFIG_DIR", m.Home) },
			"CODEX": func() string { return m.env("CODEX_HOME", m.inHome(".codex")) }}[root]()
		before, choices, _ := strings.Cut(rest, "{")
		choices, after, _ := strings.Cut(choices, "}")
		for choice := range strings.SplitSeq(choices, ",") {
			paths = append(paths, filepath.Join(dir, filepath.FromSlash(before+choice+after)))
		}
	}
	return paths
}

func (s server) arguments(command string) (argv []string) {
	for word := range strings.FieldsSeq(command) {
		switch word {
		case "NAME":
			argv = append(argv, s.name)
		case "PROGRAM":
			argv = append(append(argv, s.command), s.args...)
		default:
			argv = append(argv, word)
		}
	}
	return argv
}

func plain(s server) fields { return fields{{"command", s.command}, {"args", s.args}} }

// with returns a function that creates an entry with an additional member, such as "type": "stdio".
func with(key, value string) func(server) fields {
	return func(s server) fields { return append(fields{{key, value}}, plain(s)...) }
}

func listEntry(s server) fields {
	return fields{{"type", "local"}, {"command", append([]string{s.command}, s.args...)}, {"enabled", true}}
}

// copilotEntry enables all tools. The editor still asks before each call.
func copilotEntry(s server) fields {
	return append(with("type", "local")(s), field{"tools", []string{"*"}})
}

// gooseEntry sets the timeout to its default of 300 s, because goose requires the field.
func gooseEntry(s server) fields {
	return fields{
		{"enabled", true}, {"type", "stdio"}, {"name", s.name}, {"description", description},
		{"cmd", s.command}, {"args", s.args}, {"envs", fields{}}, {"timeout", 300},
	}
}

const newSession = "Available in the next session."

const (
	addForUser, removeForUser = "mcp add --scope user NAME PROGRAM", "mcp remove --scope user NAME"
	addOwn, removeOwn         = "mcp add NAME -- PROGRAM", "mcp remove NAME"
)

// editors lists the clients in display order, as documented in 2026.
var editors = []editor{
	{id: "claude-code", name: "Claude Code", programs: []string{"claude"},
		files: "CLAUDE/.claude.json", traces: "CLAUDE/.claude.json",
		format: jsonFile{root: "mcpServers", strict: true, entry: with("type", "stdio")},
		add:    "mcp add --scope user NAME -- PROGRAM", remove: removeForUser, after: newSession},
	{id: "claude-desktop", name: "Claude Desktop",
		files: "windows:LOCAL/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json|" +
			"SETTINGS/Claude/claude_desktop_config.json",
		format: jsonFile{root: "mcpServers", strict: true, entry: plain}, after: "Quit Claude Desktop and start it again."},
	{id: "cursor", name: "Cursor", programs: []string{"cursor"}, files: "~/.cursor/mcp.json",
		format: jsonFile{root: "mcpServers", entry: plain},
		after:  "Cursor asks whether to enable it, or shows it in its settings under MCP."},
	{id: "vscode", name: "VS Code", programs: []string{"code"},
		files:  "SETTINGS/{Code,Code - Insiders,VSCodium}/User/mcp.json",
		format: jsonFile{root: "servers", entry: with("type", "stdio")},
		after:  "VS Code asks on first use whether you trust the server."},
	{id: "windsurf", name: "Windsurf", programs: []string{"windsurf"}, files: "~/.codeium/windsurf/mcp_config.json",
		format: jsonFile{root: "mcpServers", entry: plain}, after: "Press Refresh in Windsurf's MCP settings."},
	{id: "zed", name: "Zed", programs: []string{"zed", "zeditor"},
		files: "unix:CONFIG/zed/settings.json|SETTINGS/Zed/settings.json",
		// Until 2026, Zed required the member "source" for servers that no extension provides.
		format: jsonFile{root: "context_servers", entry: with("source", "custom")}, after: "Zed picks it up automatically."},
	{id: "antigravity", name: "Antigravity", programs: []string{"antigravity", "agy"},
		files:  "~/.gemini/{config,antigravity}/mcp_config.json",
		traces: "~/.gemini/{antigravity,antigravity-cli,config}|~/.antigravity",
		format: jsonFile{root: "mcpServers", entry: plain},
		after:  "Press Refresh in Antigravity's list of MCP servers."},
	{id: "jetbrains", name: "JetBrains (Junie)", files: "~/.junie/mcp/mcp.json", traces: "~/.junie|SETTINGS/JetBrains",
		format: jsonFile{root: "mcpServers", entry: plain},
		after: "This is for Junie. For AI Assistant paste the same under Settings, Tools, AI Assistant, " +
			"Model Context Protocol."},
	{id: "codex", name: "Codex", programs: []string{"codex"}, files: "CODEX/config.toml",
		format: lineFile{root: "mcp_servers", program: "command", grammar: tables{}},
		add:    addOwn, remove: removeOwn, after: newSession},
	{id: "gemini", name: "Gemini CLI", programs: []string{"gemini"},
		files: "~/.gemini/settings.json", traces: "~/.gemini/settings.json",
		format: jsonFile{root: "mcpServers", entry: plain}, add: addForUser, remove: removeForUser, after: newSession},
	{id: "qwen", name: "Qwen Code", programs: []string{"qwen"},
		files: "~/.qwen/settings.json", traces: "~/.qwen/settings.json",
		format: jsonFile{root: "mcpServers", entry: plain}, add: addForUser, remove: removeForUser, after: newSession},
	{id: "copilot", name: "Copilot CLI", programs: []string{"copilot"}, files: "~/.copilot/mcp-config.json",
		format: jsonFile{root: "mcpServers", strict: true, entry: copilotEntry},
		add:    addOwn, remove: removeOwn, after: newSession},
	{id: "cline", name: "Cline",
		files: "SETTINGS/{Code,Code - Insiders,VSCodium,Cursor,Windsurf}/User/globalStorage/saoudrizwan.claude-dev/" +
			"settings/cline_mcp_settings.json",
		traces: "SETTINGS/{Code,Code - Insiders,VSCodium,Cursor,Windsurf}/User/globalStorage/saoudrizwan.claude-dev",
		format: jsonFile{root: "mcpServers", strict: true, entry: plain}, after: "Cline picks it up automatically."},
	{id: "continue", name: "Continue", programs: []string{"cn"}, files: "~/.continue/mcpServers/search-mcp.yaml",
		traces: "~/.continue", format: ownFile{}, after: "The Continue extension uses MCP servers only in agent mode."},
	{id: "goose", name: "Goose", programs: []string{"goose"},
		files:  "windows:SETTINGS/Block/goose/config/config.yaml|unix:CONFIG/goose/config.yaml",
		format: lineFile{root: "extensions", program: "cmd", grammar: blocks{gooseEntry}},
		after:  newSession},
	{id: "opencode", name: "opencode", programs: []string{"opencode"},
		files:  "CONFIG/opencode/opencode.{json,jsonc}",
		format: jsonFile{root: "mcp", entry: listEntry}, after: newSession},
	{id: "amp", name: "Amp", programs: []string{"amp"}, files: "CONFIG/amp/settings.json",
		format: jsonFile{root: "amp.mcpServers", entry: plain}, add: addOwn, remove: removeOwn, after: newSession},
}

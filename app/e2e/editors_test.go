package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"searchmcp/app/desktop/connect"
)

// commandLine is an editor's or assistant's program that works here without an account.
type commandLine struct {
	editor string // editor's id for search-mcp connect
	// settings contains the user's files by path below the home folder. $FOLDER is the project's path.
	settings map[string]string
	env      []string
	restored bool // disconnecting restores the file, unlike some editors' commands
	// list makes the program list its servers, and listed is its line for our server. Without handshake it only reads its
	// file.
	list      []string
	listed    string
	handshake bool
}

var commandLines = []commandLine{
	{editor: "claude-code", list: []string{"claude", "mcp", "list"}, listed: "✔ Connected", handshake: true,
		env: []string{"ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}},
	{editor: "codex", list: []string{"codex", "mcp", "list"}, listed: "search",
		settings: map[string]string{".codex/config.toml": "# A model of this computer.\nmodel = \"scripted\"\n"}},
	{editor: "gemini", list: []string{"gemini", "mcp", "list"}, listed: "Connected", handshake: true,
		settings: map[string]string{".gemini/trustedFolders.json": `{"$FOLDER": "TRUST_FOLDER"}`,
			".gemini/settings.json": `{"security": {"auth": {"selectedType": "gemini-api-key"}}}`},
		env: []string{"GEMINI_API_KEY=none"}},
	{editor: "qwen", list: []string{"qwen", "mcp", "list"}, listed: "Connected", handshake: true,
		env: []string{"OPENAI_API_KEY=none", "OPENAI_MODEL=scripted"}},
	{editor: "opencode", list: []string{"opencode", "mcp", "list"}, listed: "connected", handshake: true, restored: true,
		settings: map[string]string{".config/opencode/opencode.json": `{
  "$schema": "https://opencode.ai/config.json",
  // A model of this computer.
  "provider": {
    "here": {"npm": "@ai-sdk/openai-compatible", "models": {"scripted": {}}},
  },
}
`}},
	{editor: "copilot", list: []string{"copilot", "mcp", "list"}, listed: "search (local)",
		env: []string{"COPILOT_MODEL=scripted", "COPILOT_OFFLINE=true"}},
	{editor: "amp", list: []string{"amp", "mcp", "list"}, listed: "search"},
}

// TestEditors connects third-party programs in a new home folder, by their own command if they have one, and runs their
// handshake. Disconnecting removes everything of ours.
func TestEditors(t *testing.T) {
	folder := os.Getenv(clientsEnv)
	if folder == "" {
		t.Skip(clientsEnv + " is not set: make test-clients sets it")
	}
	modules := filepath.Join(folder, "node_modules")
	path := filepath.Join(modules, "node", "bin") + ":" + filepath.Join(modules, ".bin")
	for _, c := range commandLines {
		t.Run(c.editor, func(t *testing.T) {
			w := newWorld(t)
			root := w.copyGo("shelf", "container/ring")
			w.env = append(append(w.env, "PATH="+path+":"+os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1"), c.env...)
			for name, text := range c.settings {
				w.write(filepath.Join(w.home, name), strings.ReplaceAll(text, "$FOLDER", root))
			}
			before := w.configuration(c.editor)
			w.mustCLI("connect", c.editor, "--yes")
			if s := w.editor(c.editor); s.State != connect.Connected {
				t.Fatalf("after connecting: %+v", s)
			}
			if out := w.run(root, c.list...); !strings.Contains(out, c.listed) {
				t.Errorf("%v prints\n%s", c.list, out)
			}
			if c.handshake && !w.running() {
				t.Error("it started nothing")
			}
			w.mustCLI("disconnect", c.editor, "--yes")
			if s := w.editor(c.editor); s.State == connect.Connected {
				t.Errorf("after disconnecting: %+v", s)
			}
			if after := w.configuration(c.editor); c.restored && after != before {
				t.Errorf("the configuration was\n%s\nand is\n%s", before, after)
			}
		})
	}
}

// run runs a client's program in a folder and returns its output, ignoring its exit code.
func (w *world) run(dir string, argv ...string) string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Minute)
	defer cancel()
	// The client's environment determines which program is found.
	cmd := exec.CommandContext(ctx, "/usr/bin/env", argv...)
	cmd.Env, cmd.Dir = w.env, dir
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	w.t.Logf("%s: %v, %v", argv[0], time.Since(start).Round(10*time.Millisecond), err)
	return out.String()
}

// editor returns the state of an editor for search-mcp connect.
func (w *world) editor(id string) connect.Status {
	w.t.Helper()
	var list []connect.Status
	check(w.t, json.Unmarshal([]byte(w.mustCLI("connect", "--json")), &list))
	for _, s := range list {
		if s.ID == id {
			return s
		}
	}
	w.t.Fatalf("no editor %s", id)
	return connect.Status{}
}

// configuration returns the text of an editor's configuration, or "".
func (w *world) configuration(id string) string {
	w.t.Helper()
	data, err := os.ReadFile(w.editor(id).File)
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return string(data)
}

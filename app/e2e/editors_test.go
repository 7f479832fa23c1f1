package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// commandLine is an editor's or assistant's program that works here without an account.
type commandLine struct {
	editor string // editor's id for search-mcp connect
	// settings contains the user's files by path below the home folder. $MODEL is the model's address and $FOLDER the
	// project's path.
	settings map[string]string
	env      []string
	restored bool // disconnecting restores the file, unlike some editors' commands
	// list makes the program list its servers, and listed is its line for our server. Without handshake it only reads its
	// file.
	list      []string
	listed    string
	handshake bool
	// ask sends $QUESTION to the program's assistant. It is empty if the assistant needs an account.
	ask []string
}

var commandLines = []commandLine{
	{
		editor: "claude-code",
		list:   []string{"claude", "mcp", "list"}, listed: "✔ Connected", handshake: true,
		env: []string{"ANTHROPIC_BASE_URL=$MODEL", "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"},
		ask: []string{"claude", "-p", "$QUESTION", "--allowedTools", "mcp__search"},
	},
	{
		editor: "codex",
		settings: map[string]string{".codex/config.toml": `# Models of this computer.
model = "scripted"
model_provider = "here"

[model_providers.here]
name = "here"
base_url = "$MODEL/v1"
wire_api = "responses"
`},
		list: []string{"codex", "mcp", "list"}, listed: "search",
		ask: []string{"codex", "exec", "--skip-git-repo-check", "$QUESTION"},
	},
	{
		editor: "gemini",
		settings: map[string]string{".gemini/trustedFolders.json": `{"$FOLDER": "TRUST_FOLDER"}`,
			".gemini/settings.json": `{"security": {"auth": {"selectedType": "gemini-api-key"}}}`},
		env:  []string{"GOOGLE_GEMINI_BASE_URL=$MODEL", "GEMINI_API_KEY=none"},
		list: []string{"gemini", "mcp", "list"}, listed: "Connected", handshake: true,
		ask: []string{"gemini", "--approval-mode", "yolo", "-p", "$QUESTION"},
	},
	{
		editor: "qwen",
		env:    []string{"OPENAI_BASE_URL=$MODEL/v1", "OPENAI_API_KEY=none", "OPENAI_MODEL=scripted"},
		list:   []string{"qwen", "mcp", "list"}, listed: "Connected", handshake: true,
		ask: []string{"qwen", "--auth-type", "openai", "--approval-mode", "yolo", "-p", "$QUESTION"},
	},
	{
		editor: "opencode",
		settings: map[string]string{".config/opencode/opencode.json": `{
  "$schema": "https://opencode.ai/config.json",
  // Models of this computer.
  "model": "here/scripted",
  "provider": {
    "here": {
      "npm": "@ai-sdk/openai-compatible",
      "options": {"baseURL": "$MODEL/v1", "apiKey": "none"},
      "models": {"scripted": {}},
    },
  },
}
`},
		restored: true,
		list:     []string{"opencode", "mcp", "list"}, listed: "connected", handshake: true,
		ask: []string{"opencode", "run", "$QUESTION"},
	},
	{
		editor: "copilot",
		env: []string{"COPILOT_PROVIDER_BASE_URL=$MODEL/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=none",
			"COPILOT_MODEL=scripted", "COPILOT_OFFLINE=true"},
		list: []string{"copilot", "mcp", "list"}, listed: "search (local)",
		ask: []string{"copilot", "--allow-all-tools", "-p", "$QUESTION"},
	},
	{
		editor: "amp",
		list:   []string{"amp", "mcp", "list"}, listed: "search",
	},
}

// TestEditors connects third-party programs in a new home folder, by their own command if they have one, and runs their
// handshake. Then it asks their assistant, with a scripted model, about a project without an index. The assistant must
// find the tool, get the user's approval for an index, and answer. Disconnecting removes everything of ours.
func TestEditors(t *testing.T) {
	folder := os.Getenv(clientsEnv)
	if folder == "" {
		t.Skip(clientsEnv + " is not set: make test-clients sets it")
	}
	modules := filepath.Join(folder, "node_modules")
	path := filepath.Join(modules, "node", "bin") + ":" + filepath.Join(modules, ".bin")
	for _, c := range commandLines {
		t.Run(c.editor, func(t *testing.T) {
			m := newModel(t)
			w := newWorld(t)
			root := w.copyGo("shelf", "container", "text/tabwriter")
			fill := strings.NewReplacer("$MODEL", m.url, "$FOLDER", root, "$QUESTION", question)
			w.env = append(w.env, "PATH="+path+":"+os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1")
			for _, e := range c.env {
				w.env = append(w.env, fill.Replace(e))
			}
			for name, text := range c.settings {
				w.write(filepath.Join(w.home, name), fill.Replace(text))
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
			if c.ask != nil {
				w.converse(m, root, c.ask)
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

// converse asks the assistant and checks how it found its answer.
func (w *world) converse(m *model, root string, ask []string) {
	w.t.Helper()
	asked := w.user(api.Accept)
	argv := slices.Clone(ask)
	for i := range argv {
		argv[i] = strings.ReplaceAll(argv[i], "$QUESTION", question)
	}
	out := w.run(root, argv...)
	calls, failed := m.calls()
	if failed != "" {
		w.t.Errorf("the model was asked something strange: %s", failed)
	}
	if want := []string{"search_code", "create_index", "search_code"}; !slices.Equal(calls, want) {
		w.t.Errorf("the assistant called %v, want %v; it printed\n%s", calls, want, out)
	}
	if !strings.Contains(out, "container/heap/heap.go, from line") {
		w.t.Errorf("the answer is\n%s", out)
	}
	if q := asked(); len(q) != 1 || q[0].Action != api.ActionCreate || q[0].Project != root {
		w.t.Errorf("the user was asked %+v", q)
	}
}

// user connects as a window and gives the same answer to every question. asked returns the questions so far.
func (w *world) user(answer api.Answer) (asked func() []api.Question) {
	w.t.Helper()
	questions := make(chan api.Question, 16)
	c, err := client.Connect(w.t.Context(), client.Options{
		DataDir: w.data, Hello: wire.Hello{Role: wire.RoleWindow}, Name: "window",
		Launcher: &client.Launcher{Program: filepath.Join(bin, client.AppName), Env: w.env},
		Event: func(e api.Event) {
			if e.Kind == api.EventQuestion {
				questions <- *e.Question
			}
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = c.Close() })
	if err := wire.MethodSubscribe.Do(w.t.Context(), c, wire.Empty{}); err != nil {
		w.t.Fatal(err)
	}
	answered := make(chan api.Question, cap(questions))
	go func() {
		for {
			select {
			case q := <-questions:
				if err := wire.MethodAnswer.Do(context.WithoutCancel(w.t.Context()), c,
					wire.AnswerQuestion{ID: q.ID, Answer: answer}); err == nil {
					answered <- q
				}
			case <-c.Done():
				return
			}
		}
	}()
	return func() []api.Question {
		list := make([]api.Question, len(answered))
		for i := range list {
			list[i] = <-answered
		}
		return list
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
	if err := json.Unmarshal([]byte(w.mustCLI("connect", "--json")), &list); err != nil {
		w.t.Fatal(err)
	}
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

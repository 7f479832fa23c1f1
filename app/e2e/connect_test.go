package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"go.yaml.in/yaml/v3"
)

// TestConnectedEntryStarts connects editors in a new home folder. Like the editor it then reads the configuration with
// another parser and runs the entry, in an environment as minimal as Codex's.
func TestConnectedEntryStarts(t *testing.T) {
	t.Parallel()
	type entry struct {
		Command string
		Cmd     string
		Args    []string
	}
	goose := ".config/goose"
	if runtime.GOOS == "windows" {
		goose = "AppData/Roaming/Block/goose/config"
	}
	for _, test := range []struct {
		editor, trace, file string
		read                func(data []byte) (entry, error)
	}{
		{"cursor", ".cursor", ".cursor/mcp.json", func(data []byte) (entry, error) {
			var c struct {
				MCPServers map[string]entry `json:"mcpServers"`
			}
			err := json.Unmarshal(data, &c)
			return c.MCPServers["search"], err
		}},
		{"codex", ".codex", ".codex/config.toml", func(data []byte) (entry, error) {
			var c struct {
				Servers map[string]entry `toml:"mcp_servers"`
			}
			err := toml.Unmarshal(data, &c)
			return c.Servers["search"], err
		}},
		{"goose", goose, goose + "/config.yaml", func(data []byte) (entry, error) {
			var c struct{ Extensions map[string]entry }
			err := yaml.Unmarshal(data, &c)
			e := c.Extensions["search"]
			e.Command = e.Cmd
			return e, err
		}},
	} {
		t.Run(test.editor, func(t *testing.T) {
			w := newWorld(t)
			check(t, os.MkdirAll(filepath.Join(w.home, test.trace), 0o755))
			w.mustCLI("connect", test.editor, "--yes", "--file")
			data, err := os.ReadFile(filepath.Join(w.home, test.file))
			check(t, err)
			e, err := test.read(data)
			if err != nil {
				t.Fatalf("%v in\n%s", err, data)
			}
			tr := transport.NewStdioWithOptions(e.Command, nil, e.Args, transport.WithCommandFunc(func(ctx context.Context,
				command string, _, args []string) (*exec.Cmd, error) {
				cmd := exec.CommandContext(ctx, command, args...)
				cmd.Env = append(homeOf(w.home), "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "TERM=dumb")
				cmd.Dir = filepath.Join(w.home, test.trace)
				return cmd, nil
			}))
			c := client.NewClient(tr)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			check(t, c.Start(context.WithoutCancel(t.Context())))
			defer c.Close()
			init := mcp.InitializeRequest{}
			init.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
			init.Params.ClientInfo = mcp.Implementation{Name: test.editor, Version: "1"}
			if _, err := c.Initialize(ctx, init); err != nil {
				t.Fatal(err)
			}
			call := mcp.CallToolRequest{}
			call.Params.Name = "list_projects"
			if r, err := c.CallTool(ctx, call); err != nil || r.IsError {
				t.Errorf("%+v, %v", r, err)
			}
			w.mustCLI("disconnect", test.editor, "--yes", "--file")
			if _, err := os.Stat(filepath.Join(w.home, test.file)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the file that connecting made is there after disconnecting: %v", err)
			}
		})
	}
}

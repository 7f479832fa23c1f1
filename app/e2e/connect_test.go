package e2e

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/BurntSushi/toml"
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
		editor, trace, file, key string
		read                     func(data []byte, into any) error
	}{
		{"cursor", ".cursor", ".cursor/mcp.json", "mcpServers", json.Unmarshal},
		{"codex", ".codex", ".codex/config.toml", "mcp_servers", toml.Unmarshal},
		{"goose", goose, goose + "/config.yaml", "extensions", func(data []byte, into any) error {
			return yaml.Unmarshal(data, into)
		}},
	} {
		t.Run(test.editor, func(t *testing.T) {
			w := newWorld(t)
			check(t, os.MkdirAll(filepath.Join(w.home, test.trace), 0o755))
			w.mustCLI("connect", test.editor, "--yes", "--file")
			data, err := os.ReadFile(filepath.Join(w.home, test.file))
			check(t, err)
			var all map[string]map[string]entry
			if err := test.read(data, &all); err != nil {
				t.Fatalf("%v in\n%s", err, data)
			}
			e := all[test.key]["search"]
			e.Command = cmp.Or(e.Command, e.Cmd)
			w.bin = filepath.Dir(e.Command)
			w.env = append(homeOf(w.home), "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "TERM=dumb")
			if filepath.Base(e.Command) != "search-mcp"+suffix || !slices.Equal(e.Args, []string{"mcp"}) {
				t.Fatalf("%+v", e)
			}
			w.connect(filepath.Join(w.home, test.trace)).wantText(`"totalProjects":0`, "list_projects", nil)
			w.mustCLI("disconnect", test.editor, "--yes", "--file")
			if _, err := os.Stat(filepath.Join(w.home, test.file)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the file that connecting made is there after disconnecting: %v", err)
			}
		})
	}
}

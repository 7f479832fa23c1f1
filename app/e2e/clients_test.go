package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clientsEnv names the folder into which packaging/clients was installed.
const clientsEnv = "SEARCH_MCP_CLIENTS"

// job is the output of a client's script of the main job.
type job struct {
	Server, Protocol, Created string
	Tools, First, Second      []string
	Asked, Progress           int
	Cancelled, Wrong          bool
	Closed                    int // milliseconds
}

// TestClients does the main job with third-party clients, each in its own home folder.
func TestClients(t *testing.T) {
	folder := os.Getenv(clientsEnv)
	if folder == "" {
		t.Skip(clientsEnv + " is not set: make test-clients sets it")
	}
	node := []string{filepath.Join(folder, "node_modules", "node", "bin", "node"), filepath.Join(folder, "typescript.mjs")}
	python := []string{filepath.Join(folder, "python", "bin", "python"), filepath.Join(folder, "python.py")}
	for _, test := range []struct {
		name, protocol string
		argv           []string
	}{
		{"typescript v1", "", append(slices.Clone(node), "v1", "legacy")},
		{"typescript v2 handshake", "2025-11-25", append(slices.Clone(node), "v2", "legacy")},
		{"typescript v2 stateless", "2026-07-28", append(slices.Clone(node), "v2", "auto")},
		{"python handshake", "2025-11-25", append(slices.Clone(python), "legacy")},
		{"python stateless", "2026-07-28", append(slices.Clone(python), "auto")},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			root := w.copyGo("shelf", "container", "text/tabwriter")
			cmd := exec.CommandContext(t.Context(), test.argv[0], append(test.argv[1:], filepath.Join(bin,
				"search-mcp"), root)...)
			cmd.Env, cmd.Dir = w.env, w.home
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout.Bytes(), stderr.Bytes())
			}
			var j job
			if err := json.Unmarshal(stdout.Bytes(), &j); err != nil {
				t.Fatalf("%v in %s", err, stdout.Bytes())
			}
			t.Logf("%+v", j)
			if j.Server != "search-mcp" || j.Protocol != test.protocol {
				t.Errorf("server %q, protocol %q", j.Server, j.Protocol)
			}
			for _, tool := range []string{"create_index", "search_code", "search_docs", "list_projects"} {
				if !slices.Contains(j.Tools, tool) {
					t.Errorf("tools lack %s: %v", tool, j.Tools)
				}
			}
			if j.Asked != 1 || j.Created != "success" || j.Progress == 0 {
				t.Errorf("asked %d times, created %q with %d reports", j.Asked, j.Created, j.Progress)
			}
			if !startsAny(j.First, "text/tabwriter/") || !startsAny(j.Second, "container/heap/") {
				t.Errorf("found %v and %v", j.First, j.Second)
			}
			if !j.Cancelled || !j.Wrong {
				t.Errorf("cancelled %v, a wrong argument is reported %v", j.Cancelled, j.Wrong)
			}
			if j.Closed > 2000 { // then clients send signals
				t.Errorf("the bridge needed %d ms to end", j.Closed)
			}
		})
	}
}

func startsAny(paths []string, prefix string) bool {
	return slices.ContainsFunc(paths[:min(3, len(paths))], func(p string) bool { return strings.HasPrefix(p, prefix) })
}

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bundle packs a fake program for platform and returns the bundle's path.
func bundle(t *testing.T, platform string) string {
	t.Helper()
	t.Chdir("../..")
	t.Setenv("SOURCE_DATE_EPOCH", "1795000000")
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	must(t, os.WriteFile(program, []byte("\x7fELF program"), 0o755))
	out := filepath.Join(dir, "search-mcp.mcpb")
	must(t, run(program, platform, "1.2.3", out))
	return out
}

func TestBundle(t *testing.T) {
	for platform, entry := range map[string]string{"darwin": "server/search-mcp", "windows": "server/search-mcp.exe"} {
		t.Run(platform, func(t *testing.T) {
			out := bundle(t, platform)
			z, err := zip.OpenReader(out)
			must(t, err)
			defer z.Close()
			parts := map[string]*zip.File{}
			for _, f := range z.File {
				parts[f.Name] = f
			}
			for _, name := range []string{"icon.png", "LICENSE", "licences.txt", entry} {
				if parts[name] == nil || parts[name].UncompressedSize64 == 0 {
					t.Errorf("%s is missing", name)
				}
			}
			if parts[entry] == nil || parts[entry].Mode().Perm() != 0o755 {
				t.Error("the program could not be run")
			}
			r, err := parts["manifest.json"].Open()
			must(t, err)
			var m struct {
				Version string
				Server  struct {
					EntryPoint string                   `json:"entry_point"`
					Config     struct{ Command string } `json:"mcp_config"`
				}
				Compatibility struct{ Platforms []string }
			}
			must(t, json.NewDecoder(r).Decode(&m))
			if m.Version != "1.2.3" || m.Server.EntryPoint != entry ||
				m.Server.Config.Command != "${__dirname}/"+entry ||
				!slices.Equal(m.Compatibility.Platforms, []string{platforms[platform]}) {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestSameInputSameBundle(t *testing.T) {
	first, err := os.ReadFile(bundle(t, "linux"))
	must(t, err)
	t.Chdir("packaging/mcpb")
	second, err := os.ReadFile(bundle(t, "linux"))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("the bundles differ: %v", err)
	}
}

func TestRefused(t *testing.T) {
	for _, args := range [][4]string{{"", "linux", "1", "x"}, {"p", "plan9", "1", "x"}, {"p", "linux", "", "x"},
		{"none", "linux", "1", filepath.Join(t.TempDir(), "x")}} {
		if err := run(args[0], args[1], args[2], args[3]); err == nil {
			t.Errorf("%q was packed", args)
		}
	}
}

// TestPeer validates the manifest with the format's own tool (make test-clients).
func TestPeer(t *testing.T) {
	clients := os.Getenv("SEARCH_MCP_CLIENTS")
	if clients == "" {
		t.Skip("SEARCH_MCP_CLIENTS is not set: make test-clients sets it")
	}
	z, err := zip.OpenReader(bundle(t, "windows"))
	must(t, err)
	defer z.Close()
	dir := t.TempDir()
	for _, name := range []string{"manifest.json", "icon.png"} {
		r, err := z.Open(name)
		must(t, err)
		data, err := io.ReadAll(r)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	modules := filepath.Join(clients, "node_modules")
	cmd := exec.CommandContext(t.Context(), filepath.Join(modules, "node", "bin", "node"),
		filepath.Join(modules, "@anthropic-ai", "mcpb", "dist", "cli", "cli.js"), "validate",
		filepath.Join(dir, "manifest.json"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "passes") {
		t.Errorf("%v\n%s", err, out)
	}
}

// must fails the test if err is not nil.
func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

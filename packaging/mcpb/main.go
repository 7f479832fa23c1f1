// Command mcpb packs a bundle for Claude Desktop: a zip file with a manifest, the icon, the licence and the bridge for
// one platform. Its output is reproducible. It owns the bundle's format (MCPB manifest 0.3) and does not depend on the
// bridge. It starts no goroutine.
package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"time"

	"searchmcp/packaging/command"
)

func main() {
	program := flag.String("program", "", "the bridge for the platform")
	platform := flag.String("platform", "", "darwin, linux or windows")
	version := flag.String("version", "", "semantic version of the bundle")
	out := flag.String("o", "", "the bundle to write")
	flag.Parse()
	command.Main("mcpb", func(context.Context) error { return run(*program, *platform, *version, *out) })
}

func run(program, platform, version, out string) error {
	if program == "" || version == "" || out == "" {
		return errors.New("-program, -version and -o are needed")
	}
	m, err := newManifest(platform, version)
	if err != nil {
		return err
	}
	date, err := buildDate()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	files := []file{{name: "manifest.json", data: append(text, '\n'), mode: 0o644}}
	for _, f := range []struct {
		name, path string
		mode       fs.FileMode
	}{
		{m.Icon, "assets/icons/app.png", 0o644},
		{"LICENSE", "LICENSE", 0o644},
		{"licences.txt", "assets/licences/go-modules.txt", 0o644},
		{m.Server.EntryPoint, program, 0o755},
	} {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return fmt.Errorf("read part of the bundle: %w", err)
		}
		files = append(files, file{name: f.name, data: data, mode: f.mode})
	}
	return pack(out, files, date)
}

// manifest is the part of MCPB's manifest 0.3 that a binary server needs.
type manifest struct {
	ManifestVersion string            `json:"manifest_version"`
	Name            string            `json:"name"`
	DisplayName     string            `json:"display_name"`
	Version         string            `json:"version"`
	Description     string            `json:"description"`
	LongDescription string            `json:"long_description"`
	Author          map[string]string `json:"author"`
	License         string            `json:"license"`
	Keywords        []string          `json:"keywords"`
	Icon            string            `json:"icon"`
	Server          server            `json:"server"`
	// ToolsGenerated: the tools depend on the indexed projects, so clients ask the running server.
	ToolsGenerated   bool          `json:"tools_generated"`
	PromptsGenerated bool          `json:"prompts_generated"`
	Compatibility    compatibility `json:"compatibility"`
}

type server struct {
	Type       string `json:"type"`
	EntryPoint string `json:"entry_point"`
	MCPConfig  config `json:"mcp_config"`
}

type config struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

type compatibility struct {
	Platforms []string `json:"platforms"`
}

// platforms translates Go's names into the manifest's, which are Node's.
var platforms = map[string]string{"darwin": "darwin", "linux": "linux", "windows": "win32"}

func newManifest(platform, version string) (manifest, error) {
	name, known := platforms[platform]
	if !known {
		return manifest{}, fmt.Errorf("unknown platform %q", platform)
	}
	entry := "server/search-mcp"
	if platform == "windows" {
		entry += ".exe"
	}
	return manifest{
		ManifestVersion: "0.3", Name: "search-mcp", DisplayName: "Search MCP", Version: version,
		Description: "Search your projects by meaning and by words. Nothing leaves this computer.",
		LongDescription: "Search MCP indexes your projects on this computer and lets Claude search them: code by what it " +
			"does, documentation, file names. This bundle connects Claude Desktop with the Search MCP app, which has to be " +
			"installed; it is started when it is needed, and asks you before it indexes anything.",
		Author: map[string]string{"name": "Search MCP"}, License: "Apache-2.0",
		Keywords: []string{"search", "code", "local", "semantic"}, Icon: "icon.png",
		Server: server{Type: "binary", EntryPoint: entry, MCPConfig: config{Command: "${__dirname}/" + entry,
			Args: []string{"mcp"}}},

		ToolsGenerated: true, PromptsGenerated: true,
		Compatibility: compatibility{Platforms: []string{name}},
	}, nil
}

// buildDate returns the build's date; zip has no dates before 1980.
func buildDate() (time.Time, error) {
	date, err := command.Date()
	earliest := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	if date.Before(earliest) {
		date = earliest
	}
	return date, err
}

// file is one file of a bundle.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// pack writes a bundle.
func pack(out string, files []file, date time.Time) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range files {
		h := &zip.FileHeader{Name: part.name, Method: zip.Deflate, Modified: date}
		h.SetMode(part.mode) // executable
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(part.data)
		}
		if err != nil {
			return fmt.Errorf("pack %s: %w", part.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("pack bundle: %w", err)
	}
	return command.Write(out, b.Bytes())
}

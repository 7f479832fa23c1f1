// Command mcpb packs a bundle for Claude Desktop (MCPB manifest 0.3): a zip file with manifest, icon, licence and the
// bridge for one platform. The same input always gives the same file.
package main

import (
	"archive/zip"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
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

// template is the manifest without version and platform.
//
//go:embed manifest.json
var template string

// platforms maps Go's platform names to Node's, which the manifest uses.
var platforms = map[string]string{"darwin": "darwin", "linux": "linux", "windows": "win32"}

func run(program, platform, version, out string) error {
	name, known := platforms[platform]
	switch {
	case program == "" || version == "" || out == "":
		return errors.New("-program, -version and -o are needed")
	case !known:
		return fmt.Errorf("unknown platform %q", platform)
	}
	entry := "server/search-mcp"
	if platform == "windows" {
		entry += ".exe"
	}
	manifest := strings.NewReplacer(`"version": ""`, fmt.Sprintf(`"version": %q`, version),
		`"platforms": []`, fmt.Sprintf(`"platforms": [%q]`, name), "server/search-mcp", entry).Replace(template)
	date, err := command.Date()
	if err != nil {
		return err
	}
	// Zip files can't contain earlier dates.
	if earliest := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); date.Before(earliest) {
		date = earliest
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range []struct {
		name, path string
		mode       fs.FileMode
	}{
		{"manifest.json", "", 0o644},
		{"icon.png", "assets/icons/app.png", 0o644},
		{"LICENSE", "LICENSE", 0o644},
		{"licences.txt", "assets/licences/go-modules.txt", 0o644},
		{entry, program, 0o755},
	} {
		data := []byte(manifest)
		if f.path != "" {
			if data, err = os.ReadFile(f.path); err != nil {
				return fmt.Errorf("read part of the bundle: %w", err)
			}
		}
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("pack bundle: %w", err)
	}
	return command.Write(out, b.Bytes())
}

package test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestWinget fills in the manifests for an installer. `winget validate` checks their fields.
func TestWinget(t *testing.T) {
	dist := t.TempDir()
	installer := write(t, filepath.Join(dist, "search-mcp-1.2.3-windows-amd64-setup.exe"), "an installer")
	env := []string{"VERSION=1.2.3", "HOMEPAGE=https://searchmcp.invalid/x", "SOURCE_DATE_EPOCH=1700000000"}
	must(t, env, "packaging/windows/winget.sh", installer, dist)
	for part, kind := range map[string]string{"": "version", ".installer": "installer", ".locale.en-US": "defaultLocale"} {
		text, err := os.ReadFile(filepath.Join(dist, "winget", "SearchMCP.SearchMCP"+part+".yaml"))
		check(t, err)
		var m map[string]any
		if err := yaml.Unmarshal(text, &m); err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		if m["PackageIdentifier"] != "SearchMCP.SearchMCP" || m["PackageVersion"] != "1.2.3" || m["ManifestType"] != kind ||
			m["ManifestVersion"] != "1.6.0" || strings.Contains(string(text), "@") {
			t.Errorf("%s:\n%s", part, text)
		}
		if part != ".installer" {
			continue
		}
		for _, line := range []string{
			"ReleaseDate: \"2023-11-14\"\n", "Architecture: x64\n",
			"InstallerUrl: \"https://searchmcp.invalid/x/releases/download/v1.2.3/" + filepath.Base(installer) + "\"\n",
			fmt.Sprintf("InstallerSha256: \"%X\"\n", sha256.Sum256([]byte("an installer"))),
		} {
			if !strings.Contains(string(text), line) {
				t.Errorf("no %q in\n%s", line, text)
			}
		}
	}
	if out := must(t, append(env, "VERSION=1.2.3-dev.4"), "packaging/windows/winget.sh", installer,
		dist); !strings.Contains(out, "is not a release") {
		t.Errorf("a development version: %s", out)
	}
}

package test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// rules are the patterns and required fields in winget's schemas 1.6 for our manifests.
var rules = map[string]struct {
	required []string
	fields   map[string]string
}{
	"": {[]string{"DefaultLocale"}, map[string]string{"DefaultLocale": `[a-z]{2}-[A-Z]{2}`, "ManifestType": "version"}},
	".installer": {[]string{"Installers"}, map[string]string{
		"Platform": `\[Windows\.Desktop\]`, "MinimumOSVersion": `(\d{1,5}\.){3}\d{1,5}`, "InstallerType": "nullsoft",
		"Scope": "user|machine", "InstallModes": `\[(interactive|silent|silentWithProgress| )+\]`,
		"InstallerSwitches": `map\[.*\]`,
		"UpgradeBehavior":   "install|uninstallPrevious|deny", "ReleaseDate": `\d{4}-\d\d-\d\d`,
		"AppsAndFeaturesEntries": `\[map\[.*\]\]`, "Installers": `\[map\[.*\]\]`, "ManifestType": "installer"}},
	".locale.en-US": {[]string{"PackageLocale", "Publisher", "PackageName", "License",
		"ShortDescription"}, map[string]string{
		"PackageLocale": "en-US", "Publisher": `.{2,256}`, "PackageName": `.{2,256}`, "PackageUrl": `https?://[^ ]{1,1000}`,
		"License": `.{3,512}`, "ShortDescription": `.{3,256}`, "Description": `(?s).{3,1000}`, "Moniker": `[^ ]{1,40}`,
		"Tags": `\[([^ \]]{1,40} ?){1,16}\]`, "ManifestType": "defaultLocale"}},
}

// TestWinget fills in the manifests for an installer and validates them with rules.
func TestWinget(t *testing.T) {
	dist := t.TempDir()
	installer := write(t, filepath.Join(dist, "search-mcp-1.2.3-windows-amd64-setup.exe"), "an installer")
	env := []string{"VERSION=1.2.3", "HOMEPAGE=https://searchmcp.invalid/x", "SOURCE_DATE_EPOCH=1700000000"}
	must(t, env, "packaging/windows/winget.sh", installer, dist)
	common := map[string]string{"PackageIdentifier": `[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}`,
		"PackageVersion": `1\.2\.3`, "ManifestVersion": `1\.6\.0`}
	for part, rule := range rules {
		text, err := os.ReadFile(filepath.Join(dist, "winget", "SearchMCP.SearchMCP"+part+".yaml"))
		check(t, err)
		var m map[string]any
		if err := yaml.Unmarshal(text, &m); err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		for name, value := range m {
			pattern, known := rule.fields[name]
			if !known {
				pattern, known = common[name]
			}
			if !known || !regexp.MustCompile(`^(`+pattern+`)$`).MatchString(fmt.Sprint(value)) {
				t.Errorf("%s: %s is %q", part, name, value)
			}
		}
		for _, name := range append(rule.required, "PackageIdentifier", "PackageVersion", "ManifestType", "ManifestVersion") {
			if m[name] == nil {
				t.Errorf("%s lacks %s", part, name)
			}
		}
		if part == ".installer" {
			sum := sha256.Sum256([]byte("an installer"))
			one := m["Installers"].([]any)[0].(map[string]any)
			if one["InstallerSha256"] != strings.ToUpper(hex.EncodeToString(sum[:])) || one["Architecture"] != "x64" ||
				one["InstallerUrl"] != "https://searchmcp.invalid/x/releases/download/v1.2.3/"+filepath.Base(installer) {
				t.Errorf("%v", one)
			}
		}
	}
	if out := must(t, append(env, "VERSION=1.2.3-dev.4"), "packaging/windows/winget.sh", installer,
		dist); !strings.Contains(out, "is not a release") {
		t.Errorf("a development version: %s", out)
	}
}

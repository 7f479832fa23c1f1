package test

import (
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"howett.net/plist"
)

// tools are fakes of the macOS programs that pack.sh calls. Each creates the same file as the original, fails without
// its input, and logs its call.
var tools = map[string]string{
	"uname": `echo Darwin`,
	"go": `out=; while [ "$1" != -o ]; do shift; done; out=$2; shift 2
for package; do echo "program for $GOARCH, C $CGO_ENABLED" >"$out/$(basename "$package")"; chmod +x "$out/$(basename "$package")"; done`,
	"lipo":              `cat "$2" "$3" >"$5" && chmod +x "$5"`,
	"otool":             `echo "$2:"; echo "/somewhere/deps/$(basename "$2")"`,
	"install_name_tool": `for file; do :; done; [ -f "$file" ]`,
	"codesign":          `for file; do :; done; [ -e "$file" ]`,
	"plutil":            `[ -f "$2" ] && [ -f "$3" ]`,
	"sips":              `[ -f "$4" ] && echo icon >"$6"`,
	"iconutil":          `[ -d "$5" ] && echo icons >"$4"`,
	"hdiutil":           `for image; do :; done; [ -d "$5" ] && echo image >"$image"`,
	"xcrun":             `cat >/dev/null`,
	"spctl":             `true`,
	"security":          `true`,
}

// fakeMac puts the tools first in PATH. calls returns their calls.
func fakeMac(t *testing.T) (env []string, calls func() []string) {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "calls")
	for name, does := range tools {
		write(t, filepath.Join(dir, "bin", name), "#!/bin/sh\nprintf '%s' \"$(basename \"$0\")\" >>'"+log+"'\n"+
			"printf '|%s' \"$@\" >>'"+log+"'\necho >>'"+log+"'\nset -e\n"+does+"\n")
	}
	return []string{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH")}, func() []string {
		text, err := os.ReadFile(log)
		check(t, err)
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

// packMac runs pack.sh and returns the bundle's Contents.
func packMac(t *testing.T, more ...string) (contents string, calls []string) {
	t.Helper()
	need(t, "git")
	env, called := fakeMac(t)
	dist, native := t.TempDir(), t.TempDir()
	for _, arch := range []string{"amd64", "arm64"} {
		for _, library := range []string{"liblancedb_go.dylib", "libonnxruntime.dylib"} {
			write(t, filepath.Join(native, "darwin-"+arch, "lib", library), library)
		}
	}
	for _, file := range []string{"minilm-l6-v2-int8.onnx", "vocab.txt", "model.json", "LICENSE"} {
		write(t, filepath.Join(native, "model", file), file)
	}
	env = append(env, "VERSION="+version, "RELEASE_LDFLAGS=-s", "NATIVE="+native, "MODEL="+filepath.Join(native, "model"),
		"DRY_RUN=", "MACOS_IDENTITY=", "NOTARY_PROFILE=", "NOTARY_KEYCHAIN=")
	must(t, append(env, more...), "packaging/macos/pack.sh", dist)
	if _, err := os.Stat(filepath.Join(dist, "search-mcp-"+version+"-macos-universal.dmg")); err != nil {
		t.Error(err)
	}
	return filepath.Join(dist, "build", "macos", "Search MCP.app", "Contents"), called()
}

// TestMacBundle checks the paths of the files that the property list and the programs refer to.
func TestMacBundle(t *testing.T) {
	contents, calls := packMac(t)
	text, err := os.ReadFile(filepath.Join(contents, "Info.plist"))
	check(t, err)
	var info map[string]any
	if _, err := plist.Unmarshal(text, &info); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"CFBundleIdentifier": "io.searchmcp.app", "CFBundlePackageType": "APPL", "CFBundleShortVersionString": "1.2.3",
		"LSUIElement": true, "LSMinimumSystemVersion": "14.0",
	} {
		if info[key] != want {
			t.Errorf("%s is %v, want %v", key, info[key], want)
		}
	}
	// Without a usage description, macOS denies access to the folder without asking.
	for _, kind := range []string{"DesktopFolder", "DocumentsFolder", "DownloadsFolder", "RemovableVolumes",
		"NetworkVolumes", "FileProviderDomain"} {
		if s, _ := info["NS"+kind+"UsageDescription"].(string); s == "" {
			t.Errorf("no sentence for %s", kind)
		}
	}
	if strings.Contains(string(text), "@") {
		t.Errorf("something was not filled in:\n%s", text)
	}
	for _, file := range []string{
		"MacOS/" + info["CFBundleExecutable"].(string), "Resources/" + info["CFBundleIconFile"].(string) + ".icns",
		"MacOS/search-mcp", "MacOS/search-mcp-worker", "MacOS/search-mcp-window",
		"Frameworks/liblancedb_go.dylib", "Frameworks/libonnxruntime.dylib", // engine/embed/library.go
		"Resources/model/minilm-l6-v2-int8.onnx", "Resources/model/model.json", // engine/embed/locate.go
		"Resources/licences/go-modules.txt",
	} {
		if info, err := os.Stat(filepath.Join(contents, file)); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, program := range []string{"search-mcp", "search-mcp-app"} {
		text, err := os.ReadFile(filepath.Join(contents, "MacOS", program))
		c := map[string]string{"search-mcp": "0", "search-mcp-app": "1"}[program]
		if want := "program for amd64, C " + c + "\nprogram for arm64, C " + c + "\n"; err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", program, text, err)
		}
	}
	for _, call := range calls {
		// A hardened program rejects libraries with an ad-hoc signature, which has no team.
		if strings.HasPrefix(call, "codesign|") && strings.Contains(call, "|runtime|") || strings.HasPrefix(call, "xcrun|") {
			t.Errorf("without an identity: %s", call)
		}
	}
}

// TestMacSignatures checks the requirements of notarization. Every program and library is signed separately, inside out
// and after its last change, with the hardened runtime and a timestamp. The image is signed, notarized and stapled.
func TestMacSignatures(t *testing.T) {
	contents, calls := packMac(t, "MACOS_IDENTITY=Developer ID Application: A person", "NOTARY_PROFILE=profile",
		"NOTARY_KEYCHAIN=/keys")
	bundle := slices.IndexFunc(calls, func(call string) bool {
		return strings.HasPrefix(call, "codesign|--force|") && strings.HasSuffix(call, "|"+filepath.Dir(contents))
	})
	if bundle < 0 {
		t.Fatalf("the bundle is not signed:\n%s", strings.Join(calls, "\n"))
	}
	err := filepath.WalkDir(contents, func(path string, d fs.DirEntry, err error) error {
		folder := filepath.Base(filepath.Dir(path))
		if err != nil || d.IsDir() || folder != "MacOS" && folder != "Frameworks" || d.Name() == "search-mcp-app" {
			return err // the signature of its program signs the bundle
		}
		signed := slices.IndexFunc(calls, func(call string) bool {
			return strings.HasPrefix(call, "codesign|--force|--timestamp|--options|runtime|--sign|Developer ID") &&
				slices.Contains(strings.Split(call, "|"), path)
		})
		if signed < 0 || signed > bundle {
			t.Errorf("%s is not signed before the bundle", d.Name())
		}
		for i, call := range calls {
			if strings.HasSuffix(call, "|"+path) && !strings.HasPrefix(call, "codesign|") && i > signed {
				t.Errorf("%s is changed after its signature: %s", d.Name(), call)
			}
		}
		return nil
	})
	check(t, err)
	at := 0
	for _, want := range []string{
		"install_name_tool|-change|/somewhere/deps/liblancedb_go.dylib|@rpath/liblancedb_go.dylib|",
		"codesign|--verify|--deep|--strict|", "hdiutil|create|", "codesign|--force|", "xcrun|notarytool|submit|",
		"xcrun|stapler|staple|", "spctl|--assess|",
	} {
		next := slices.IndexFunc(calls[at:], func(call string) bool { return strings.HasPrefix(call, want) })
		if next < 0 {
			t.Fatalf("no %q, or too early, in\n%s", want, strings.Join(calls, "\n"))
		}
		at += next + 1
		if call := calls[at-1]; strings.Contains(want, "submit") && !strings.Contains(call,
			"|--keychain-profile|profile|--keychain|/keys|--wait") {
			t.Error(call)
		}
	}
}

// TestMacKeychain checks that the certificate exists unpacked only during its import, and that later steps get the path
// of the notary's credentials.
func TestMacKeychain(t *testing.T) {
	need(t, "openssl", "base64")
	env, calls := fakeMac(t)
	env = append(env, "HOME=/Users/runner", "TMPDIR="+t.TempDir(), "NOTARY_APPLE_ID=",
		"MACOS_CERTIFICATE="+base64.StdEncoding.EncodeToString([]byte("certificate")), "MACOS_CERTIFICATE_PASSWORD=word")
	if out := must(t, env, "packaging/macos/keychain.sh"); out != "" {
		t.Errorf("without a notary: %q", out)
	}
	const keychain = "/Users/runner/Library/Keychains/search-mcp-release.keychain-db"
	out := must(t, append(env, "NOTARY_APPLE_ID=me", "NOTARY_TEAM_ID=team", "NOTARY_PASSWORD=word"),
		"packaging/macos/keychain.sh")
	if want := "NOTARY_PROFILE=search-mcp-release\nNOTARY_KEYCHAIN=" + keychain + "\n"; out != want {
		t.Errorf("%q, want %q", out, want)
	}
	last := calls()[len(calls())-1]
	if !strings.HasPrefix(last, "xcrun|notarytool|store-credentials|search-mcp-release|--keychain|"+keychain) {
		t.Error(last)
	}
	left, err := os.ReadDir(strings.TrimPrefix(env[2], "TMPDIR="))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if out := must(t, append(env, "MACOS_CERTIFICATE="), "packaging/macos/keychain.sh"); out != "" {
		t.Errorf("without a certificate: %q", out)
	}
}

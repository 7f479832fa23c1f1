// Package test contains the tests of the packaging scripts, which build, sign and verify packages of fake programs.
// clean-root.sh (make test-package) and container.sh (make test-container) test the real programs as root.
package test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const version = "1.2.3-dev.4+abcd"

// need skips a test whose tools are missing. If CI is set, the test fails instead.
func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skipf("%v (packaging/setup.sh test installs it)", err)
		}
	}
}

// run runs a command in the repository's root and returns its standard output, or an error with its standard error.
func run(t *testing.T, env []string, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		out = append(out, stderr.Bytes()...)
	}
	return string(out), err
}

func must(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	out, err := run(t, env, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	check(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)))
	return path
}

// parts writes fakes of all parts of a package and returns the environment for the scripts.
func parts(t *testing.T, libraries ...string) (env []string, dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"minilm-l6-v2-int8.onnx", "vocab.txt", "model.json", "LICENSE"} {
		write(t, filepath.Join(dir, "model", name), name)
	}
	for _, name := range libraries {
		write(t, filepath.Join(dir, "lib", name), name)
	}
	nfpm := strings.TrimSpace(must(t, nil, "go", "-C", "packaging/tools/pack", "tool", "-n", "nfpm"))
	return []string{
		"VERSION=" + version, "MAINTAINER=A person <a.person@searchmcp.invalid>", "HOMEPAGE=https://searchmcp.invalid",
		"SOURCE_DATE_EPOCH=1700000000", "SIGNING_KEY_FILE=", "WINDOWS_CERTIFICATE=", "NFPM=" + nfpm,
		"MODEL=" + filepath.Join(dir, "model"), "LIBRARIES=" + filepath.Join(dir, "lib"),
		"SBOM=" + write(t, filepath.Join(dir, "sbom.json"), "{}"),
	}, dir
}

func signingKey(t *testing.T) (private, public string) {
	t.Helper()
	home, err := os.MkdirTemp("", "gpg") // a short path, because it contains the agent's socket
	check(t, err)
	env := []string{"GNUPGHOME=" + home}
	t.Cleanup(func() {
		stop := exec.Command("gpgconf", "--kill", "all") // the test's context has ended
		stop.Env = append(os.Environ(), env...)
		if err := stop.Run(); err != nil {
			t.Error(err)
		}
		os.RemoveAll(home)
	})
	must(t, env, "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key",
		"Search MCP test <test@searchmcp.invalid>", "rsa2048", "sign", "never")
	dir := t.TempDir()
	return write(t, filepath.Join(dir, "private.asc"), must(t, env, "gpg", "--batch", "--quiet", "--armor",
			"--export-secret-keys")),
		write(t, filepath.Join(dir, "public.asc"), must(t, env, "gpg", "--batch", "--quiet", "--armor", "--export"))
}

// linuxPackages builds the packages of fake programs in dist.
func linuxPackages(t *testing.T, env []string, dir, dist string) {
	t.Helper()
	for _, program := range []string{"search-mcp", "search-mcp-app", "search-mcp-worker", "search-mcp-window"} {
		write(t, filepath.Join(dir, "bin", program), "#!/bin/sh\necho "+program+"\n")
	}
	must(t, env, "packaging/linux/pack.sh", filepath.Join(dir, "bin"), dist, "amd64")
}

// hashes returns the hashes of the artefacts in a folder.
func hashes(t *testing.T, dist string) map[string][32]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dist, "search-mcp*"))
	check(t, err)
	sums := map[string][32]byte{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		check(t, err)
		sums[filepath.Base(f)] = sha256.Sum256(data)
	}
	return sums
}

// TestLinuxPackages builds the Linux packages once without and once with a signature.
func TestLinuxPackages(t *testing.T) {
	need(t, "dpkg-deb", "rpm", "desktop-file-validate", "appstreamcli", "gpg", "ar")
	env, dir := parts(t, "liblancedb_go.so", "libonnxruntime.so")
	dist := t.TempDir()
	linuxPackages(t, env, dir, dist)
	t.Run("content", func(t *testing.T) { checkContent(t, dist) })
	t.Run("reproducible", func(t *testing.T) {
		again := t.TempDir()
		linuxPackages(t, env, dir, again)
		if first, second := hashes(t, dist), hashes(t, again); len(first) != 3 || !maps.Equal(first, second) {
			t.Errorf("two builds differ:\n%x\n%x", first, second)
		}
	})
	t.Run("signatures", func(t *testing.T) { checkSignatures(t, env, dir, dist) })
}

// checkContent checks the files in deb, rpm and archive, and that autostart is disabled.
func checkContent(t *testing.T, dist string) {
	deb := filepath.Join(dist, "search-mcp-"+version+"-linux-amd64.deb")
	rpm := filepath.Join(dist, "search-mcp-"+version+"-linux-amd64.rpm")
	archive := filepath.Join(dist, "search-mcp-"+version+"-linux-amd64.tar.gz")

	tree := []string{
		"bin/search-mcp", "bin/search-mcp-app", "bin/search-mcp-worker", "bin/search-mcp-window",
		"lib/search-mcp/liblancedb_go.so",
		"lib/search-mcp/libonnxruntime.so",
		"share/search-mcp/model/minilm-l6-v2-int8.onnx", "share/search-mcp/model/vocab.txt",
		"lib/systemd/user/search-mcp.service",
		"share/applications/io.searchmcp.app.desktop", "share/metainfo/io.searchmcp.app.metainfo.xml",
		"share/icons/hicolor/16x16/apps/io.searchmcp.app.png", "share/icons/hicolor/512x512/apps/io.searchmcp.app.png",
		"share/man/man1/search-mcp.1.gz", "share/man/man1/search-mcp-index.1.gz", "share/man/man1/search-mcp-app.1.gz",
		"share/bash-completion/completions/search-mcp", "share/zsh/site-functions/_search-mcp",
		"share/fish/vendor_completions.d/search-mcp.fish",
		"share/doc/search-mcp/copyright", "share/doc/search-mcp/sbom.cdx.json",
		"share/doc/search-mcp/licences/go-modules.txt",
		"share/doc/search-mcp/licences/lancedb-crates.txt", "share/doc/search-mcp/licences/model-LICENSE.txt",
	}
	name := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
	for what, c := range map[string]struct{ list, prefix string }{
		"deb":     {must(t, nil, "dpkg-deb", "-c", deb), "./usr/"},
		"rpm":     {must(t, nil, "rpm", "-qlp", rpm), "/usr/"},
		"archive": {must(t, nil, "tar", "-tzf", archive), name + "/"},
	} {
		for _, file := range tree {
			if !strings.Contains(c.list, c.prefix+file+"\n") {
				t.Errorf("%s has no %s", what, file)
			}
		}
		if strings.Contains(c.list, "wants/") {
			t.Errorf("%s switches a service on:\n%s", what, c.list)
		}
	}

	root := t.TempDir()
	must(t, nil, "dpkg-deb", "-x", deb, root)
	must(t, nil, "desktop-file-validate", filepath.Join(root, "usr/share/applications/io.searchmcp.app.desktop"))
	must(t, nil, "appstreamcli", "validate", "--no-net", filepath.Join(root,
		"usr/share/metainfo/io.searchmcp.app.metainfo.xml"))
	for file, has := range map[string]string{
		"etc/xdg/autostart/io.searchmcp.app.desktop":   "\nHidden=true\n", // autostart is disabled
		"usr/lib/systemd/user/search-mcp.service":      "\nExecStart=/usr/bin/search-mcp-app -quiet\n",
		"usr/share/zsh/vendor-completions/_search-mcp": "#compdef search-mcp",
	} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || !strings.Contains(string(text), has) {
			t.Errorf("%s: %v, want %q in\n%s", file, err, has, text)
		}
	}
	control := must(t, nil, "dpkg-deb", "-I", deb)
	for _, field := range []string{"Version: 1.2.3~dev.4+abcd", "Architecture: amd64",
		"Maintainer: A person <a.person@searchmcp.invalid>", "Homepage: https://searchmcp.invalid",
		"Depends: libc6 (>= 2.35), libgcc-s1, libstdc++6"} {
		if !strings.Contains(control, field) {
			t.Errorf("no %q in\n%s", field, control)
		}
	}
	if conffiles := must(t, nil, "dpkg-deb", "-I", deb,
		"conffiles"); conffiles != "/etc/xdg/autostart/io.searchmcp.app.desktop\n" {
		t.Errorf("configuration files %q", conffiles)
	}
}

// checkSignatures signs packages with a test key and checks that verification detects each kind of tampering. unsigned
// contains the packages without signatures.
func checkSignatures(t *testing.T, env []string, dir, unsigned string) {
	private, public := signingKey(t)
	_, foreign := signingKey(t)
	env = append(env, "SIGNING_KEY_FILE="+private)
	dist := t.TempDir()
	linuxPackages(t, env, dir, dist)
	must(t, env, "packaging/sums.sh", dist)
	out := must(t, nil, "packaging/verify.sh", dist, public)
	for _, want := range []string{"SHA256SUMS: the signature is valid", "3 files match their hashes",
		".deb: the signature is valid", ".rpm: the signature is valid"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out, err := run(t, nil, "packaging/verify.sh", dist, foreign); err == nil {
		t.Errorf("another key verified:\n%s", out)
	}

	deb, rpm := "search-mcp-"+version+"-linux-amd64.deb", "search-mcp-"+version+"-linux-amd64.rpm"
	flip := func(name string) func(string) error {
		return func(dist string) error {
			path := filepath.Join(dist, name)
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			data[len(data)/2] ^= 1
			return os.WriteFile(path, data, 0o644)
		}
	}
	swap := func(name string) func(string) error {
		return func(dist string) error {
			data, err := os.ReadFile(filepath.Join(unsigned, name))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dist, name), data, 0o644)
		}
	}
	for what, c := range map[string]struct {
		tamper func(dist string) error
		resign bool // the attacker has the key of the sums, but not of the packages
		says   string
	}{
		"changed deb":  {flip(deb), false, "does not match SHA256SUMS"},
		"changed sums": {flip("SHA256SUMS"), false, "the signature is missing or wrong"},
		"no signature of sums": {func(dist string) error {
			return os.Remove(filepath.Join(dist, "SHA256SUMS.asc"))
		}, false, "the signature is missing or wrong"},
		"a file more": {func(dist string) error {
			return os.WriteFile(filepath.Join(dist, "search-mcp-extra.deb"), nil, 0o644)
		}, false, "is not in SHA256SUMS"},
		"changed deb, right sums":  {flip(deb), true, "the signature is missing or wrong"},
		"unsigned deb, right sums": {swap(deb), true, "is not signed"},
		"changed rpm, right sums":  {flip(rpm), true, "the signature is missing or wrong"},
		"unsigned rpm, right sums": {swap(rpm), true, "is not signed"},
	} {
		copied := filepath.Join(t.TempDir(), "dist")
		must(t, nil, "cp", "-r", dist, copied)
		check(t, c.tamper(copied))
		if c.resign {
			must(t, env, "packaging/sums.sh", copied)
		}
		if out, err := run(t, nil, "packaging/verify.sh", copied, public); err == nil || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v, want %q in\n%s", what, err, c.says, out)
		}
	}
}

// TestWindowsInstaller builds an installer of fake programs, signs it with a test certificate and verifies it.
func TestWindowsInstaller(t *testing.T) {
	need(t, "makensis", "osslsigncode", "openssl", "gpg")
	env, dir := parts(t, "onnxruntime.dll")
	program := filepath.Join(dir, "bin", "search-mcp.exe")
	nsi := write(t, filepath.Join(dir, "program.nsi"),
		"Unicode true\nTarget amd64-unicode\nName program\nOutFile "+program+"\nSection\nSectionEnd\n")
	check(t, os.MkdirAll(filepath.Dir(program), 0o755))
	must(t, nil, "makensis", "-V1", nsi)
	for _, name := range []string{"search-mcp-app.exe", "search-mcp-worker.exe", "search-mcp-window.exe"} {
		must(t, nil, "cp", program, filepath.Join(dir, "bin", name))
	}
	must(t, nil, "cp", program, filepath.Join(dir, "lib", "lancedb_go.dll"))

	ca, key, leaf := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "leaf.key"), filepath.Join(dir, "leaf.pem")
	must(t, nil, "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", ca+".key", "-out", ca, "-days",
		"2", "-subj", "/CN=test root")
	must(t, nil, "openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", leaf+".csr", "-subj",
		"/CN=test")
	extensions := write(t, filepath.Join(dir, "ext"), "extendedKeyUsage=codeSigning\nkeyUsage=digitalSignature\n")
	must(t, nil, "openssl", "x509", "-req", "-in", leaf+".csr", "-CA", ca, "-CAkey", ca+".key", "-CAcreateserial",
		"-days", "2", "-extfile", extensions, "-out", leaf)

	dist := t.TempDir()
	write(t, filepath.Join(dist, "search-mcp-"+version+"-windows-amd64.cdx.json"), "{}")
	private, public := signingKey(t)
	env = append(env, "WINDOWS_CERTIFICATE="+leaf, "WINDOWS_KEY="+key, "SIGNING_KEY_FILE="+private)
	must(t, env, "packaging/windows/pack.sh", filepath.Join(dir, "bin"), dist)
	setup := filepath.Join(dist, "search-mcp-"+version+"-windows-amd64-setup.exe")
	for _, file := range []string{"search-mcp.exe", "search-mcp-app.exe", "search-mcp-worker.exe", "search-mcp-window.exe",
		"lancedb_go.dll"} {
		must(t, nil, "osslsigncode", "verify", "-CAfile", ca, "-in",
			filepath.Join(dist, "build", "windows-installer", "files", file))
	}
	must(t, env, "packaging/sums.sh", dist)
	if out := must(t, nil, "packaging/verify.sh", dist, public, ca); !strings.Contains(out,
		"setup.exe: the signature is valid") {
		t.Errorf("output of verify.sh:\n%s", out)
	}

	data, err := os.ReadFile(setup)
	check(t, err)
	at := len(data) / 2
	check(t, os.WriteFile(setup, slices.Concat(data[:at], []byte{data[at] ^ 1}, data[at+1:]), 0o644))
	must(t, env, "packaging/sums.sh", dist)
	if out, err := run(t, nil, "packaging/verify.sh", dist, public, ca); err == nil ||
		!strings.Contains(out, "the signature is missing or wrong") {
		t.Errorf("a changed installer: %v\n%s", err, out)
	}
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

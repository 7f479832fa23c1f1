package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"searchmcp/packaging/native"
)

// wheel makes a wheel with a library and its licences.
func wheel(t *testing.T, library []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range map[string][]byte{"pkg/capi/lib.so.1": library, "pkg/LICENSE": []byte("terms"),
		"pkg/ThirdPartyNotices.txt": []byte("notices")} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// client puts a fake python3 in PATH that "downloads" file as name.
func client(t *testing.T, name string, file []byte) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "delivered")
	if err := os.WriteFile(source, file, 0o600); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\nwhile [ \"$1\" != --dest ]; do shift; done\ncp %q \"$2/%s\"\n", source, name)
	if err := os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// entry returns the lock entry of a wheel for macOS, where the library need not be an ELF file.
func entry(file []byte) native.Library {
	sum := sha256.Sum256(file)
	return native.Library{Platform: "darwin/arm64", Library: "x", Version: "1", File: native.File{Name: "libx.dylib"},
		Source: native.Source{
			Kind: "python-package", Name: "x", Version: "1", File: "x.whl", SHA256: hex.EncodeToString(sum[:]),
			Size: int64(len(file)), Inner: "pkg/capi/lib.so.1"}}
}

func TestFromWheel(t *testing.T) {
	if _, err := exec.LookPath("xz"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("xz is missing")
		}
		t.Skip("xz is missing")
	}
	library := bytes.Repeat([]byte("library "), 1000)
	file := wheel(t, library)
	client(t, "x.whl", file)
	root := t.TempDir()
	dir := filepath.Join(root, "packaging", "native")
	if err := os.MkdirAll(filepath.Join(dir, "darwin-arm64"), 0o700); err != nil {
		t.Fatal(err)
	}
	lock := &native.Lock{Libraries: []native.Library{entry(file)}}
	if err := lock.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), options{root: root, platform: "darwin/arm64"}); err != nil {
		t.Fatal(err)
	}
	done, err := native.Unpack(t.Context(), dir, "darwin/arm64")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(done[0].Path); err != nil || !bytes.Equal(got, library) {
		t.Errorf("unpacked %d bytes, want %d (%v)", len(got), len(library), err)
	}
	for name, want := range map[string]string{"x-LICENSE.txt": "terms", "x-ThirdPartyNotices.txt": "notices"} {
		if got, err := os.ReadFile(filepath.Join(root, "assets", "licences", name)); string(got) != want {
			t.Errorf("%s holds %q (%v)", name, got, err)
		}
	}
}

func TestWrongWheelIsRefused(t *testing.T) {
	right, wrong := wheel(t, []byte("right")), wheel(t, []byte("wrong"))
	client(t, "x.whl", wrong)
	dir := t.TempDir()
	lib := entry(right)
	if err := fromWheel(t.Context(), options{root: dir}, dir, &lib); !errors.Is(err, native.ErrMismatch) {
		t.Errorf("error %v, want ErrMismatch", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("a refused wheel left %v (%v)", entries, err)
	}
	lib.Source.SHA256 = ""
	if err := fromWheel(t.Context(), options{root: dir}, dir, &lib); err == nil {
		t.Error("a wheel without a pinned hash was accepted")
	}
}

func TestGoSum(t *testing.T) {
	s := native.Source{Name: "github.com/lancedb/lancedb-go", Version: "v0.1.2"}
	path := filepath.Join(t.TempDir(), "go.sum")
	text := "github.com/lancedb/lancedb-go v0.1.2/go.mod h1:no=\ngithub.com/lancedb/lancedb-go v0.1.2 h1:yes=\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := goSum(path, s); err != nil || got != "h1:yes=" {
		t.Errorf("goSum = %q, %v", got, err)
	}
	s.Version = "v0.1.3"
	if got, err := goSum(path, s); err == nil {
		t.Errorf("goSum of a version that isn't there = %q", got)
	}
}

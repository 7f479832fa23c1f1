package main

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"searchmcp/packaging/native"
)

// fromRecipe runs the library's build script, which creates the archive, and updates the lock entry.
func fromRecipe(ctx context.Context, o options, dir string, lib *native.Library) error {
	if !o.built {
		script, err := filepath.Abs(filepath.Join(dir, filepath.Base(lib.Source.Recipe)))
		if err != nil {
			return fmt.Errorf("find recipe: %w", err)
		}
		cmd := exec.CommandContext(ctx, script, lib.Folder())
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("run %s: %w", lib.Source.Recipe, err)
		}
	}
	compiler, err := exec.CommandContext(ctx, "rustc", "--version").Output()
	if err != nil {
		return fmt.Errorf("ask the compiler's version: %w", err)
	}
	lib.Source.Compile = strings.TrimSpace(string(compiler))
	if lib.Source.Sum, err = goSum(filepath.Join(o.root, "go.sum"), lib.Source); err != nil {
		return err
	}
	archive := filepath.Join(dir, lib.Folder(), lib.File.Name+".xz")
	file, err := expand(ctx, archive)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	return describe(lib, file, archive)
}

// goSum returns the module's hash from go.sum.
func goSum(path string, s native.Source) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read module hashes: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == s.Name && f[1] == s.Version {
			return f[2], nil
		}
	}
	return "", fmt.Errorf("go.sum has no hash for %s %s", s.Name, s.Version)
}

// expand decompresses archive to a temporary file, which the caller must remove.
func expand(ctx context.Context, archive string) (path string, err error) {
	out, err := os.CreateTemp("", "searchmcp-renew-*")
	if err != nil {
		return "", fmt.Errorf("create temporary file: %w", err)
	}
	cmd := exec.CommandContext(ctx, "xz", "--decompress", "--stdout", archive)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	if err := errors.Join(cmd.Run(), out.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("decompress archive: %w", err), os.Remove(out.Name()))
	}
	return out.Name(), nil
}

// describe updates the lock entry lib from file and its archive.
func describe(lib *native.Library, file, archive string) error {
	var err error
	if lib.File, err = fingerprint(file, lib.File.Name); err != nil {
		return err
	}
	if lib.Archive, err = fingerprint(archive, filepath.Base(archive)); err != nil {
		return err
	}
	if strings.HasPrefix(lib.Platform, "linux/") {
		lib.MinGlibc, err = minGlibc(file)
	}
	return err
}

func fingerprint(path, name string) (native.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return native.File{}, fmt.Errorf("hash file: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return native.File{}, fmt.Errorf("hash %s: %w", path, err)
	}
	return native.File{Name: name, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// minGlibc returns the newest GLIBC symbol version that the ELF library at path needs, such as "2.35".
func minGlibc(path string) (string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return "", fmt.Errorf("read library: %w", err)
	}
	defer f.Close()
	needs, err := f.DynamicVersionNeeds()
	if err != nil {
		return "", fmt.Errorf("read the library's version needs: %w", err)
	}
	minor := 0
	for _, need := range needs {
		for _, dep := range need.Needs {
			// This skips GLIBC_PRIVATE and the versions of libgcc and libstdc++.
			if v, ok := strings.CutPrefix(dep.Dep, "GLIBC_2."); ok {
				n, err := strconv.Atoi(strings.SplitN(v, ".", 2)[0])
				if err == nil {
					minor = max(minor, n)
				}
			}
		}
	}
	if minor == 0 {
		return "", errors.New("the library names no glibc version")
	}
	return "2." + strconv.Itoa(minor), nil
}

package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"searchmcp/packaging/command"
	"searchmcp/packaging/native"
)

// fromWheel downloads the wheel, extracts the library and its licences, and compresses the library.
func fromWheel(ctx context.Context, o options, dir string, lib *native.Library) error {
	tmp, err := os.MkdirTemp("", "searchmcp-renew-*")
	if err != nil {
		return fmt.Errorf("create temporary folder: %w", err)
	}
	defer os.RemoveAll(tmp)
	wheel, err := fetchWheel(ctx, tmp, lib.Source)
	if err != nil {
		return err
	}
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return fmt.Errorf("open wheel: %w", err)
	}
	defer z.Close()

	file := filepath.Join(tmp, "library")
	if err := extract(&z.Reader, lib.Source.Inner, file); err != nil {
		return err
	}
	if lib.File.SHA256 != "" { // detects mistakes in the lock file, because the wheel's hash was verified
		if err := native.Verify(ctx, file, lib.File); err != nil {
			return err
		}
	}
	// The licence texts are the same on every platform.
	top := path.Dir(path.Dir(lib.Source.Inner))
	for _, name := range []string{"LICENSE", "ThirdPartyNotices.txt"} {
		to := filepath.Join(o.root, "assets", "licences", lib.Library+"-"+strings.TrimSuffix(name, ".txt")+".txt")
		if err := extract(&z.Reader, path.Join(top, name), to); err != nil {
			return err
		}
	}
	archive := filepath.Join(dir, lib.Folder(), lib.File.Name+".xz")
	if err := compress(ctx, file, archive); err != nil {
		return err
	}
	return describe(lib, file, archive)
}

// fetchWheel downloads the wheel with pip and verifies it against the lock file.
func fetchWheel(ctx context.Context, tmp string, s native.Source) (string, error) {
	if len(s.SHA256) != 64 {
		return "", errors.New("the lock file names no hash for the wheel")
	}
	cmd := exec.CommandContext(ctx, "python3", "-m", "pip", "download", "--disable-pip-version-check", "--no-deps",
		"--only-binary=:all:",
		"--python-version", "312", "--implementation", "cp", "--abi", "cp312", "--platform", s.Python, "--dest", tmp,
		s.Name+"=="+s.Version)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("pip download %s %s: %w", s.Name, s.Version, err)
	}
	wheel := filepath.Join(tmp, s.File)
	if err := native.Verify(ctx, wheel, native.File{Name: s.File, Size: s.Size, SHA256: s.SHA256}); err != nil {
		return "", err
	}
	return wheel, nil
}

// extract writes the wheel's file called name to a local path.
func extract(z *zip.Reader, name, to string) error {
	data, err := fs.ReadFile(z, name)
	if err != nil {
		return fmt.Errorf("read %s in wheel: %w", name, err)
	}
	return command.Write(to, data)
}

// compress runs xz, whose output is a third smaller than that of the Go package.
func compress(ctx context.Context, file, archive string) error {
	cmd := exec.CommandContext(ctx, "xz", "-9e", "--threads=1", "--stdout", file) // one thread, for reproducible bytes
	cmd.Stderr = os.Stderr
	packed, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("compress %s: %w", filepath.Base(archive), err)
	}
	return command.Write(archive, packed)
}

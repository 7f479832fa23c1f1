package native

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ulikunitz/xz"
)

// Unpacked is the result of Unpack for a library.
type Unpacked struct {
	Library Library
	Path    string
	Fresh   bool // false if the file was already correct
	Foreign bool // installed by other means, such as a release workflow, and not verified
}

// Unpack brings <goos>-<goarch>/lib in dir to the state of the lock file. It keeps libraries with the right size and
// hash, and unpacks the others to temporary files, which it verifies and renames. A library without an archive must
// exist. Processes may call Unpack concurrently. Errors include ErrNotCommitted and ErrMismatch.
func Unpack(ctx context.Context, dir, platform string) ([]Unpacked, error) {
	lock, err := ReadLock(dir)
	if err != nil {
		return nil, err
	}
	var done []Unpacked
	for _, lib := range lock.Libraries {
		if lib.Platform != platform {
			continue
		}
		take := unpackOne
		if !lib.Committed() {
			take = foreign
		}
		u, err := take(ctx, dir, lib)
		if err != nil {
			return done, fmt.Errorf("unpack %s for %s: %w", lib.Library, platform, err)
		}
		done = append(done, u)
	}
	if len(done) == 0 {
		return nil, fmt.Errorf("unpack for %s: %w (the lock file has no entry for it)", platform, ErrNotCommitted)
	}
	return done, nil
}

// foreign accepts a library without an archive, and verifies it if the lock file has its hash.
func foreign(ctx context.Context, dir string, lib Library) (Unpacked, error) {
	u := Unpacked{Library: lib, Path: filepath.Join(dir, lib.Folder(), "lib", lib.File.Name),
		Foreign: lib.File.SHA256 == ""}
	info, err := os.Stat(u.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return u, fmt.Errorf("%w (make native builds it)", ErrNotCommitted)
	}
	switch {
	case err != nil:
		return u, err
	case !u.Foreign:
		return u, Verify(ctx, u.Path, lib.File)
	case !info.Mode().IsRegular() || info.Size() == 0:
		return u, fmt.Errorf("%w: %s is no library", ErrMismatch, u.Path)
	}
	return u, nil
}

func unpackOne(ctx context.Context, dir string, lib Library) (Unpacked, error) {
	folder := filepath.Join(dir, lib.Folder(), "lib")
	u := Unpacked{Library: lib, Path: filepath.Join(folder, lib.File.Name)}
	err := Verify(ctx, u.Path, lib.File)
	switch {
	case err == nil:
		return u, nil
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrMismatch):
		return u, err
	}
	// Verifying the archive first, which is fast, distinguishes a damaged checkout from a wrong lock file.
	archive := filepath.Join(dir, lib.Folder(), lib.Archive.Name)
	if err := Verify(ctx, archive, lib.Archive); err != nil {
		return u, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return u, fmt.Errorf("create library folder: %w", err)
	}
	if err := expand(ctx, archive, u.Path, lib.File); err != nil {
		if Verify(ctx, u.Path, lib.File) == nil { // another process was first, and Windows can't replace a file in use
			return u, nil
		}
		return u, err
	}
	u.Fresh = true
	return u, nil
}

// expand decompresses archive to path, which it creates only if the bytes match want.
func expand(ctx context.Context, archive, path string, want File) (err error) {
	in, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("open archive: %w", err)
	}
	defer in.Close()
	r, err := xz.NewReader(bufio.NewReaderSize(in, 1<<20))
	if err != nil {
		return fmt.Errorf("read %s: %w: %w", archive, ErrMismatch, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+want.Name+".part-*")
	if err != nil {
		return fmt.Errorf("create library file: %w", err)
	}
	defer func() {
		if err != nil {
			tmp.Close() // the file may already be closed
			os.Remove(tmp.Name())
		}
	}()
	sum := sha256.New()
	// One additional byte is enough to detect an oversized archive.
	n, err := io.Copy(io.MultiWriter(tmp, sum), io.LimitReader(contextReader{ctx, r}, want.Size+1))
	if err != nil {
		return fmt.Errorf("decompress %s: %w", archive, err)
	}
	if err := compare(archive+" (content)", n, sum.Sum(nil), want); err != nil {
		return err
	}
	// Shared libraries are readable and executable for everyone, as the linker creates them.
	if err := errors.Join(tmp.Chmod(0o755), tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write library file: %w", err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("place library file: %w", err)
	}
	return nil
}

// Verify compares the size and SHA-256 of path with want. Errors include fs.ErrNotExist and ErrMismatch.
func Verify(ctx context.Context, path string, want File) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("verify file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("verify file: %w", err)
	}
	if info.Size() != want.Size {
		return fmt.Errorf("%s: %w: %d bytes, want %d", path, ErrMismatch, info.Size(), want.Size)
	}
	sum := sha256.New()
	n, err := io.CopyBuffer(sum, contextReader{ctx, f}, make([]byte, 1<<20))
	if err != nil {
		return fmt.Errorf("verify %s: %w", path, err)
	}
	return compare(path, n, sum.Sum(nil), want)
}

func compare(what string, size int64, sum []byte, want File) error {
	if size > want.Size {
		return fmt.Errorf("%s: %w: more than %d bytes", what, ErrMismatch, want.Size)
	}
	if size != want.Size {
		return fmt.Errorf("%s: %w: %d bytes, want %d", what, ErrMismatch, size, want.Size)
	}
	if got := hex.EncodeToString(sum); got != want.SHA256 {
		return fmt.Errorf("%s: %w: SHA-256 %s, want %s", what, ErrMismatch, got, want.SHA256)
	}
	return nil
}

// contextReader fails once its context is cancelled.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

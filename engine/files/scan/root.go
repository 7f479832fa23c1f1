package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/files/policy"
)

// markers make a folder a project's root after .git (RFC 5.1), in their order.
var markers = []string{"package.json", "pyproject.toml", "Cargo.toml", "go.mod"}

// DetectRoot finds the project a folder belongs to: the nearest folder upward with a repository (a folder .git, or a
// file as in worktrees and submodules); failing that the nearest with one of RFC 5.1's other markers. File system
// roots, home folders and system folders are never taken.
func DetectRoot(dir string) (root, marker string, ok bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", "", false
	}
	var parents []string
	for {
		if !policy.IsTooBroad(dir) {
			parents = append(parents, dir)
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	for _, d := range parents {
		if policy.IsRepository(d) {
			return d, ".git", true
		}
	}
	for _, d := range parents {
		for _, m := range markers {
			if info, err := os.Stat(filepath.Join(d, m)); err == nil && info.Mode().IsRegular() {
				return d, m, true
			}
		}
	}
	return "", "", false
}

// CanonicalRoot gives the one name under which a folder is registered: absolute, symbolic links resolved, the spelling
// on disk where case is folded, no trailing slash, NFC wherever the NFC name opens the same folder (elsewhere as it is
// on disk, for else it could not be opened; ProjectID takes NFC in any case).
func CanonicalRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("canonical root of %s: %w", dir, err)
	}
	if runtime.GOOS == "windows" {
		abs = withoutPrefix(abs)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil {
		real, err = throughJunctions(real)
	}
	if err != nil {
		return "", fmt.Errorf("canonical root of %s: %w", dir, err)
	}
	info, err := os.Stat(real)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return "", fmt.Errorf("canonical root of %s: %w", dir, err)
	}
	if runtime.GOOS == "darwin" { // elsewhere EvalSymlinks gives the spelling on disk already
		real = spelling(real)
	}
	if composed := norm.NFC.String(real); composed != real {
		if other, err := os.Stat(composed); err == nil && os.SameFile(info, other) {
			real = composed
		}
	}
	return filepath.Clean(real), nil
}

// withoutPrefix takes the prefix off that switches the checks of a Windows path off, so that the two spellings of a
// folder are one project: \\?\C:\code is C:\code, \\?\UNC\server\share is \\server\share. Others, such as volumes
// without a letter, stay. Long paths need none: Go adds it where the system wants it.
func withoutPrefix(path string) string {
	rest, ok := strings.CutPrefix(path, `\\?\`)
	if !ok {
		return path
	}
	if len(rest) >= 4 && strings.EqualFold(rest[:4], `UNC\`) {
		return `\\` + rest[4:]
	}
	if len(rest) >= 2 && rest[1] == ':' {
		return rest
	}
	return path
}

// spelling gives each component of an existing path as its folder lists it. What can't be listed stays as it is.
func spelling(path string) string {
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	base := filepath.Base(path)
	parent = spelling(parent)
	f, err := os.Open(parent)
	if err != nil {
		return filepath.Join(parent, base)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return filepath.Join(parent, base)
	}
	wanted, found := norm.NFC.String(base), base
	for _, name := range names {
		if name == base {
			return filepath.Join(parent, base)
		}
		if strings.EqualFold(norm.NFC.String(name), wanted) {
			found = name
		}
	}
	return filepath.Join(parent, found)
}

// ProjectID is the name of a project's folder under indexes/: 32 hex digits of the SHA-256 of its canonical root
// (RFC 3.1).
func ProjectID(root string) string { return rootHash(root)[:32] }

// LegacyID is the 16-digit name that earlier versions used.
func LegacyID(root string) string { return rootHash(root)[:16] }

func rootHash(root string) string {
	root = norm.NFC.String(filepath.Clean(root))
	if runtime.GOOS == "windows" {
		root = strings.ToLower(root)
	}
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:])
}

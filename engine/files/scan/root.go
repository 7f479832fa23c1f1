package scan

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/files/policy"
)

var markers = []string{"package.json", "pyproject.toml", "Cargo.toml", "go.mod"}

// DetectRoot returns the root of the project that contains dir, and its marker, such as ".git". The root is the closest
// folder, from dir upward, with a repository, or else with another marker of RFC 5.1.
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

// CanonicalRoot returns the unique name of a folder: an absolute path without symbolic links, in the case used on disk,
// and in NFC if possible.
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
	if runtime.GOOS == "darwin" { // elsewhere EvalSymlinks returns the spelling on disk
		real = spelling(real)
	}
	if composed := norm.NFC.String(real); composed != real {
		if other, err := os.Stat(composed); err == nil && os.SameFile(info, other) {
			real = composed
		}
	}
	return filepath.Clean(real), nil
}

// withoutPrefix changes a Windows path such as \\?\C:\code to C:\code, and \\?\UNC\server\share to \\server\share.
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

// spelling returns an existing path in the case used on disk.
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

// ProjectID returns the name of a project's folder below indexes/: the first 32 hex digits of the SHA-256 of its
// canonical root (RFC 3.1).
func ProjectID(root string) string { return rootHash(root)[:32] }

func LegacyID(root string) string { return rootHash(root)[:16] }

func rootHash(root string) string {
	root = norm.NFC.String(filepath.Clean(root))
	if runtime.GOOS == "windows" {
		root = strings.ToLower(root)
	}
	return Hash([]byte(root))
}

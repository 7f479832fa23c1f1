package ipc

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// DataEnv names the environment variable that moves the data folder.
const DataEnv = "SEARCH_MCP_HOME"

// Home is the person's home folder: $HOME, or what the user database says where an editor passed no environment.
func Home() (string, error) {
	home, err := os.UserHomeDir()
	if err == nil && filepath.IsAbs(home) {
		return home, nil
	}
	u, uerr := user.Current()
	if uerr != nil {
		return "", fmt.Errorf("find the home folder: %w", errors.Join(err, uerr))
	}
	if !filepath.IsAbs(u.HomeDir) {
		return "", fmt.Errorf("find the home folder: the user database says %q", u.HomeDir)
	}
	return u.HomeDir, nil
}

// Expand replaces a ~ that begins path by the home folder. An editor passes what it starts the tilde of its
// configuration, which only a shell replaces.
func Expand(path string) (string, error) {
	rest, tilde := strings.CutPrefix(path, "~")
	if !tilde || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path, nil
	}
	home, err := Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, rest), nil
}

// DataDir is the data folder: $SEARCH_MCP_HOME, or ~/.mcp/search. It need not exist. A relative one is refused: each
// working directory would have an app of its own.
func DataDir() (string, error) {
	if dir := os.Getenv(DataEnv); dir != "" {
		abs, err := Expand(dir)
		if err != nil {
			return "", fmt.Errorf("data folder %s: %w", dir, err)
		}
		if !filepath.IsAbs(abs) {
			return "", fmt.Errorf("%s is %q: it must be an absolute path, or begin with ~/", DataEnv, dir)
		}
		return filepath.Clean(abs), nil
	}
	home, err := Home()
	if err != nil {
		return "", fmt.Errorf("data folder: %w", err)
	}
	return filepath.Join(home, ".mcp", "search"), nil
}

// Address returns where the app that serves dataDir listens. Every caller gets the same answer: it depends on the
// folder, the user and the machine, never on XDG_RUNTIME_DIR or TMPDIR, which editors take away from what they start.
// Two spellings of a folder (relative, through a symbolic link) have one address.
func Address(dataDir string) (string, error) {
	dir, err := resolve(dataDir)
	if err != nil {
		return "", fmt.Errorf("address of %s: %w", dataDir, err)
	}
	return address(dir)
}

// resolve makes dir absolute and resolves the symbolic links in the part of it that exists, so that the answer is the
// same before and after the folder has been made.
func resolve(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no folder given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	rest := ""
	for at := abs; ; {
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if _, err := os.Lstat(at); err == nil {
			return "", fmt.Errorf("%s is a symbolic link to nowhere", at)
		}
		parent := filepath.Dir(at)
		if parent == at {
			return abs, nil
		}
		rest = filepath.Join(filepath.Base(at), rest)
		at = parent
	}
}

// shortHash names a folder in few characters: 64 bits keep the handful of data folders of one user apart.
func shortHash(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8])
}

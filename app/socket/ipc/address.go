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

const DataEnv = "SEARCH_MCP_HOME"

var (
	// ErrNotListening means that the app does not run or has not yet started to listen.
	ErrNotListening = errors.New("no process listens")
	ErrInUse        = errors.New("another process listens there")
	// ErrForeign means that the peer, the socket or the socket's folder belongs to another user.
	ErrForeign = errors.New("it belongs to another user")
	// ErrUnsafe means that the socket or its folder has a type or mode that Listen never creates.
	ErrUnsafe = errors.New("it is not safe to use")
)

// Home returns the user's home folder. Without $HOME, as in some editors, it asks the user database.
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
		return "", fmt.Errorf("find the home folder: the user database has %q", u.HomeDir)
	}
	return u.HomeDir, nil
}

// Expand replaces a leading ~ in path with the home folder, because editors pass arguments unexpanded.
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

// DataDir returns $SEARCH_MCP_HOME, or else ~/.mcp/search. It refuses a relative path, and a path whose parent folder
// is missing, as on an unmounted disk.
func DataDir() (string, error) {
	home, noHome := Home()
	dir, set := os.LookupEnv(DataEnv)
	switch {
	case set: // home is not needed, and may be missing in a container
	case noHome != nil:
		return "", fmt.Errorf("data folder: %w", noHome)
	default:
		return filepath.Join(home, ".mcp", "search"), nil
	}
	why := ""
	abs, err := Expand(dir)
	if err != nil {
		return "", fmt.Errorf("data folder %s: %w", dir, err)
	}
	if !filepath.IsAbs(abs) {
		why = "which is not an absolute path"
	} else {
		abs = filepath.Clean(abs)
		parent := filepath.Dir(abs)
		if info, err := os.Stat(abs); err == nil && !info.IsDir() {
			why = "which is a file"
		} else if info, err := os.Stat(parent); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
			why = "but there is no folder " + parent
		} else if abs == parent || abs == home {
			why = "which is a whole disk or the home folder"
		} else if found := foreign(abs); found != "" {
			why = "a folder with other files, such as " + found
		}
	}
	if why != "" {
		return "", fmt.Errorf("%s is %q, %s. Set it to the absolute path of a new or empty folder, or unset it to use "+
			"~/.mcp/search", DataEnv, dir, why)
	}
	return abs, nil
}

// ownFolder returns the resolved path of the data folder dir. It returns ErrUnsafe if dir contains files of other
// programs.
func ownFolder(dir string) (string, error) {
	path, err := resolve(dir)
	if err != nil {
		return "", err
	}
	if found := foreign(path); found != "" {
		return "", fmt.Errorf("%s has other files, such as %s; name a new or empty folder: %w", path, found, ErrUnsafe)
	}
	return path, nil
}

// foreign returns the name of a file in dir that does not belong to Search MCP, or "". The app would remove other
// users' access to such a folder, and the subfolder tmp.
func foreign(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "" // reported when the folder is used
	}
	found := ""
	for _, e := range entries {
		switch e.Name() {
		case lockFile, startFile, "indexes", "settings.valid.json", "config.valid.json", "usage.json", "activity.jsonl":
			return "" // only a data folder has such a file
		case string(Quit), string(Restart), "run", "logs", "cache", "config.json", "settings.json", "window.lock",
			"window.json", "window.json.new", "lost+found", ".DS_Store": // these may exist before Search MCP uses the folder
		default:
			found = e.Name()
		}
	}
	return found
}

// Address returns the address at which the app of dataDir listens. It does not depend on variables such as TMPDIR,
// which editors remove.
func Address(dataDir string) (string, error) {
	dir, err := resolve(dataDir)
	if err != nil {
		return "", fmt.Errorf("address of %s: %w", dataDir, err)
	}
	return address(dir)
}

// resolve returns dir as an absolute path without symbolic links. dir may not exist yet.
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

func shortHash(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8])
}

package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"searchmcp/engine/files/policy"
)

// programs returns the paths at which git may be installed. It ignores PATH, which an editor may have changed.
func programs() []string {
	switch runtime.GOOS {
	case "windows":
		var list []string
		for _, dir := range []string{os.Getenv("ProgramW6432"), os.Getenv("ProgramFiles"),
			filepath.Join(os.Getenv("LocalAppData"), "Programs")} {
			if filepath.IsAbs(dir) {
				list = append(list, filepath.Join(dir, "Git", "mingw64", "bin", "git.exe"),
					filepath.Join(dir, "Git", "clangarm64", "bin", "git.exe"))
			}
		}
		return list
	case "darwin":
		// Omit /usr/bin/git, because running /usr/bin/git opens a dialog if git is not installed.
		return []string{"/opt/homebrew/bin/git", "/usr/local/bin/git", "/Library/Developer/CommandLineTools/usr/bin/git",
			"/Applications/Xcode.app/Contents/Developer/usr/bin/git", "/opt/local/bin/git"}
	}
	return []string{"/usr/bin/git", "/usr/local/bin/git", "/bin/git", "/run/current-system/sw/bin/git",
		"/home/linuxbrew/.linuxbrew/bin/git", "/usr/pkg/bin/git"}
}

func Program() (string, error) {
	for _, path := range programs() {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", ErrNoGit
}

const (
	maxAlternates = 5 // git's limit on nested alternates
	maxFolders    = 100
)

var (
	errRemote = errors.New("its objects are on another computer")
	errMany   = errors.New("too many")
)

// ordinary returns an error if one of paths is a pipe or a socket. Git would block on a pipe.
func ordinary(paths ...string) error {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return fmt.Errorf("%s is not a file", path)
		}
	}
	return nil
}

// checkObjects returns an error if git could block on a file of the object database, or on a database to which it
// refers. On Windows, databases on other computers are refused, because git would sign in to such a computer.
func checkObjects(objects string, depth int, budget *int) error {
	if *budget--; *budget < 0 {
		return fmt.Errorf("alternates of %s: %w", objects, errMany)
	}
	for _, pattern := range []string{"*/*", "info/commit-graphs/*"} {
		names, _ := fs.Glob(os.DirFS(objects), pattern) // the patterns are valid
		for i, name := range names {
			names[i] = filepath.Join(objects, name)
		}
		if err := ordinary(names...); err != nil {
			return err
		}
	}
	text, err := policy.ReadSmall(filepath.Join(objects, "info", "alternates"))
	if err != nil || depth == 0 {
		return nil // no alternates
	}
	for line := range strings.Lines(string(text)) {
		line = strings.Trim(strings.TrimSpace(line), `"`)
		if line == "" || line[0] == '#' {
			continue
		}
		if path := filepath.ToSlash(line); runtime.GOOS == "windows" && strings.HasPrefix(path, "//") {
			return fmt.Errorf("alternates of %s: %w", objects, errRemote)
		}
		if err := checkObjects(policy.Absolute(objects, line), depth-1, budget); err != nil {
			return err
		}
	}
	return nil
}

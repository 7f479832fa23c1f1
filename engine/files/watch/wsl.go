package watch

import (
	"errors"
	"strings"
)

// errWSL: a folder of Linux under Windows (WSL). Windows reads it through a file system that tells nothing of changes.
var errWSL = errors.New("folders in WSL tell Windows nothing of changes")

// inWSL reports whether a Windows path leads into WSL: \\wsl$\Debian\home, \\wsl.localhost\Debian\home.
func inWSL(path string) bool {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(path, "/", `\`), `\\`)
	host, _, _ := strings.Cut(rest, `\`)
	return ok && (strings.EqualFold(host, "wsl$") || strings.EqualFold(host, "wsl.localhost"))
}

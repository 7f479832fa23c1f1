//go:build unix

package client

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

const suffix = ""

// detachments starts a new session, so that neither the editor's end nor Ctrl-C in a terminal reaches the app.
var detachments = []*syscall.SysProcAttr{{Setsid: true}}

// keepToOurselves marks every open file except the standard three as close-on-exec. Go's own files are marked already,
// but files that an editor or shell leaked are not. The app would keep them open for days, and the reader of a leaked
// pipe would wait for its end.
func keepToOurselves() error {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}

// installed returns the folders in which packages for Linux and macOS install the app.
func installed(home string) []string {
	const bundle = "Applications/Search MCP.app/Contents/MacOS"
	return []string{
		"/usr/lib/search-mcp", "/usr/bin", "/usr/local/bin", "/opt/search-mcp",
		filepath.Join(home, ".local/lib/search-mcp"), filepath.Join(home, ".local/bin"),
		filepath.Join("/", bundle), filepath.Join(home, bundle),
	}
}

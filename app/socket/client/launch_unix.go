//go:build unix

package client

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

const suffix = ""

// detachments: a session of its own, so that neither the editor's end nor a Ctrl-C in a terminal reaches the app.
var detachments = []*syscall.SysProcAttr{{Setsid: true}}

// keepToOurselves marks every open file but the standard three to be closed in programs that are started. Go's own are
// marked already; this is for those that an editor or a shell has left open in us by mistake. The app would hold them
// for days, and a reader of such a pipe would wait as long for its end.
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

// installed lists where packages for Linux and macOS put the app.
func installed(home string) []string {
	const bundle = "Applications/Search MCP.app/Contents/MacOS"
	return []string{
		"/usr/lib/search-mcp", "/usr/bin", "/usr/local/bin", "/opt/search-mcp",
		filepath.Join(home, ".local/lib/search-mcp"), filepath.Join(home, ".local/bin"),
		filepath.Join("/", bundle), filepath.Join(home, bundle),
	}
}

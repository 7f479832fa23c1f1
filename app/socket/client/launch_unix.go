//go:build unix

package client

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

const suffix = ""

// detachments contains the attributes of the app's process. A separate session protects the app from Ctrl-C and from
// the editor's exit.
var detachments = []*syscall.SysProcAttr{{Setsid: true}}

// keepToOurselves marks open files as close-on-exec, so that the app doesn't inherit files that an editor or shell left
// open.
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

func installed(home string) []string {
	const bundle = "Applications/Search MCP.app/Contents/MacOS"
	return []string{
		"/usr/lib/search-mcp", "/usr/bin", "/usr/local/bin", "/opt/search-mcp",
		filepath.Join(home, ".local/lib/search-mcp"), filepath.Join(home, ".local/bin"),
		filepath.Join("/", bundle), filepath.Join(home, bundle),
	}
}

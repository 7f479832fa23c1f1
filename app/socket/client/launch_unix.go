//go:build unix

package client

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

const suffix = ""

// detachments starts a session, which protects the app from the editor's end and from Ctrl-C.
var detachments = []*syscall.SysProcAttr{{Setsid: true}}

// keepToOurselves marks files as close-on-exec. Otherwise the app would inherit files that an editor or shell leaked.
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

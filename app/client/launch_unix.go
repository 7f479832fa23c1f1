//go:build unix

package client

import (
	"path/filepath"
	"syscall"
)

const suffix = ""

// detachments: a session of its own, so that neither the editor's end nor a Ctrl-C in a terminal reaches the app.
var detachments = []*syscall.SysProcAttr{{Setsid: true}}

// installed lists where packages for Linux and macOS put the app.
func installed(home string) []string {
	const bundle = "Applications/Search MCP.app/Contents/MacOS"
	return []string{
		"/usr/lib/search-mcp", "/usr/bin", "/usr/local/bin", "/opt/search-mcp",
		filepath.Join(home, ".local/lib/search-mcp"), filepath.Join(home, ".local/bin"),
		filepath.Join("/", bundle), filepath.Join(home, bundle),
	}
}

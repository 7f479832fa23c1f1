//go:build !linux

package watch

import "errors"

type mounts struct{ changed chan struct{} }

func openMounts() (*mounts, error) { return &mounts{}, nil }

func (m *mounts) close() {}

func mountsBelow(string) string { return "" }

func onShare(string) bool { return false }

// limitAdvice explains why the system allows no more watches. On the BSDs, watching a folder opens all files in the
// folder.
func limitAdvice(why error) string {
	if errors.Is(why, errWSL) {
		return "the project is in WSL, from which Windows receives no notifications; Search MCP for Linux inside " +
			"WSL notices changes at once"
	}
	if errors.Is(why, errNoStream) {
		return "macOS gives no file events; restarting the computer may help"
	}
	return "the system's limit on open files is reached; to lift it, raise it with ulimit -n"
}

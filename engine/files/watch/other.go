//go:build !linux

package watch

import "errors"

// mounts never reports anything here: a vanished root is noticed by its removal event, by the next pass, or by Check.
type mounts struct{ changed chan struct{} }

func openMounts() (*mounts, error) { return &mounts{}, nil }

func (m *mounts) close() {}

func mountsBelow(string) string { return "" }

// limitAdvice says in words why the system gives no more watches. A watch takes open files on the BSDs, one for every
// file of a watched folder.
func limitAdvice(why error) string {
	if errors.Is(why, errWSL) {
		return "the project lies in WSL, which tells Windows nothing of changes; Search MCP for Linux inside " +
			"WSL notices them at once"
	}
	if errors.Is(why, errNoStream) {
		return "macOS gives no file events; restarting the computer may help"
	}
	return "the system's limit on open files is reached; to lift it, raise it with ulimit -n"
}

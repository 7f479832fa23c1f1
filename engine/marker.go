package engine

import (
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

// busyFile marks native calls that have not returned. If a start finds it, the last run died in one of them.
const busyFile = "native.busy"

// marker keeps a file in dir while native calls run that might take the process down.
type marker struct {
	path string
	log  *slog.Logger
	mu   sync.Mutex // held while the file is made or removed: a small file that is never synced
	held int
}

func newMarker(dir string, log *slog.Logger) *marker {
	return &marker{path: filepath.Join(dir, busyFile), log: log}
}

// crashed reads and removes what a crash left behind: the name of the operation.
func (m *marker) crashed() (op string, yes bool) {
	text, err := os.ReadFile(m.path)
	if err != nil {
		return "", false
	}
	if err := os.Remove(m.path); err != nil {
		m.log.Warn("crash marker not removed", "err", err) // the next start is as careful as this one
	}
	return string(text), true
}

// enter notes that op begins; the result notes its end.
func (m *marker) enter(op string) (leave func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held++
	if m.held == 1 {
		if err := os.WriteFile(m.path, []byte(op), 0o600); err != nil {
			m.log.Warn("crash marker not written", "err", err)
		}
	}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.held--
		if m.held == 0 {
			if err := os.Remove(m.path); err != nil {
				m.log.Warn("crash marker not removed", "err", err)
			}
		}
	}
}

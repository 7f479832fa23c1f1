package engine

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

// busyFile marks native calls that have not returned. If a start finds it, the last run ended in one of them.
const busyFile = "native.busy"

// enoughDeaths in the same native call, one run after the other, are no coincidence. One may be: a person who ends the
// process, a power cut or want of memory leave the same marker as a crash does.
const enoughDeaths = 2

// mark is the content of busyFile.
type mark struct {
	Op     string `json:"op"`
	Deaths int    `json:"deaths"` // of the runs before this one, in a row
}

// marker keeps a file in dir while native calls run that might take the process down.
type marker struct {
	path string
	log  *slog.Logger

	mu     sync.Mutex // held while the file is made or removed: a small file that is never synced
	held   int
	deaths int // runs that ended here, until a call returns
}

func newMarker(dir string, log *slog.Logger) *marker {
	return &marker{path: filepath.Join(dir, busyFile), log: log}
}

// left takes what the last run left. blame says that native code is to be left alone this time: that run crashed, as it could
// still say, or this is not the first one to end there.
func (m *marker) left(crashed bool) (op string, blame bool) {
	text, err := os.ReadFile(m.path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			m.log.Warn("crash marker not readable", "err", err)
		}
		return "", false
	}
	if err := os.Remove(m.path); err != nil {
		m.log.Warn("crash marker not removed", "err", err) // the next start is as careful as this one
	}
	var k mark
	if err := json.Unmarshal(text, &k); err != nil {
		k.Op = "native code" // the run ended before the marker was written, or an earlier version wrote it
	}
	m.deaths = k.Deaths + 1
	blame = crashed || m.deaths >= enoughDeaths
	m.log.Warn("the last run ended in native code", "operation", k.Op, "runs", m.deaths, "crashed", crashed, "left_alone", blame)
	return k.Op, blame
}

// enter notes that op begins; the result notes its end.
func (m *marker) enter(op string) (leave func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held++
	if m.held == 1 {
		text, err := json.Marshal(mark{op, m.deaths})
		if err == nil {
			err = os.WriteFile(m.path, text, 0o600)
		}
		if err != nil {
			m.log.Warn("crash marker not written", "err", err)
		}
	}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.held--
		if m.held == 0 {
			m.deaths = 0
			if err := os.Remove(m.path); err != nil {
				m.log.Warn("crash marker not removed", "err", err)
			}
		}
	}
}

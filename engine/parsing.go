package engine

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"searchmcp/engine/store/files"
)

// parsing remembers which contents crashed a native parser, so that those go to the plain splitter from then on. While a
// content is being parsed a file of its hash stands in a folder; what stands there at a start is what the last run died
// in. The files are never synced: they must outlive the process, not the machine.
type parsing struct {
	dir     string
	log     *slog.Logger
	crashes map[string]int // by hash; read-only after open
	once    sync.Once
}

const (
	crashFile = "crashes.json"
	// enoughCrashes: several contents are parsed at once and a person may kill the app, so one death proves nothing.
	enoughCrashes = 2
)

func openParsing(dir string, log *slog.Logger) (*parsing, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of parsed contents: %w", err)
	}
	p := &parsing{dir: dir, log: log, crashes: map[string]int{}}
	list := filepath.Join(dir, crashFile)
	if text, err := os.ReadFile(list); err == nil {
		if err := json.Unmarshal(text, &p.crashes); err != nil {
			log.Warn("list of contents that crash the parser not read", "err", err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read folder of parsed contents: %w", err)
	}
	found := false
	for _, e := range entries {
		if e.Name() == crashFile || e.IsDir() {
			continue
		}
		log.Warn("the last run ended while this content was parsed", "hash", e.Name())
		p.crashes[e.Name()]++
		found = true
	}
	if found {
		if err := files.WriteJSON(list, p.crashes); err != nil {
			return nil, fmt.Errorf("note contents that crash the parser: %w", err)
		}
		for _, e := range entries {
			if e.Name() != crashFile && !e.IsDir() {
				if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
					return nil, fmt.Errorf("clear folder of parsed contents: %w", err)
				}
			}
		}
	}
	return p, nil
}

// skipped reports whether a content is known to crash a parser.
func (p *parsing) skipped(hash string) bool { return p.crashes[hash] >= enoughCrashes }

// busy notes that a content is being parsed.
func (p *parsing) busy(_, hash string) (done func()) {
	path := filepath.Join(p.dir, hash)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		p.once.Do(func() { p.log.Warn("parser's marker not written", "err", err) })
		return func() {}
	}
	_ = f.Close() // nothing was written
	return func() {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) { // the same content may stand in two files at once
			p.once.Do(func() { p.log.Warn("parser's marker not removed", "err", err) })
		}
	}
}

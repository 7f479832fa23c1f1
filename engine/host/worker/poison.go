package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"searchmcp/engine/store/files"
)

// Poison records the SHA-256 of each content that killed a worker. Each version of the app starts with an empty record.
type Poison struct {
	path, version string
	log           *slog.Logger

	mu     sync.Mutex
	hashes map[string]string
}

type poisonFile struct {
	Version string            `json:"version"`
	Hashes  map[string]string `json:"hashes"`
}

// OpenPoison opens the record at path. It replaces an unreadable record by an empty record.
func OpenPoison(path, version string, log *slog.Logger) (*Poison, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make folder for list of crashing contents: %w", err)
	}
	p := &Poison{path: path, version: version, log: log, hashes: map[string]string{}}
	text, err := os.ReadFile(path)
	if err == nil {
		var f poisonFile
		if err = json.Unmarshal(text, &f); err == nil && f.Version == version && f.Hashes != nil {
			p.hashes = f.Hashes
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("list of crashing contents not read", "err", err)
	}
	return p, nil
}

func (p *Poison) Has(hash string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.hashes[hash]
	return ok
}

func (p *Poison) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.hashes)
}

const readPrefix = "read "

func (p *Poison) Documents() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for _, what := range p.hashes {
		if name, ok := strings.CutPrefix(what, readPrefix); ok {
			names = append(names, name[:strings.LastIndex(name, ": ")])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (p *Poison) Add(hash, op, cause string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log.Error("content skipped, it crashes native code", "hash", hash, "operation", op, "cause", cause)
	p.hashes[hash] = op + ": " + cause
	if err := files.WriteJSON(p.path, poisonFile{p.version, p.hashes}); err != nil {
		p.log.Warn("list of crashing contents not written", "err", err)
	}
}

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

// Poison remembers contents that killed a worker that did nothing else, by their SHA-256 in hex. Another version of
// the program begins anew, for it may have other libraries.
type Poison struct {
	path, version string
	log           *slog.Logger

	mu     sync.Mutex // held over the write of the file, which is rare
	hashes map[string]string
}

// poisonFile is the file's content: what each content did, by hash.
type poisonFile struct {
	Version string            `json:"version"`
	Hashes  map[string]string `json:"hashes"`
}

// OpenPoison reads what the file at path remembers. One that can't be read is begun anew.
func OpenPoison(path, version string, log *slog.Logger) (*Poison, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make folder of contents that crash: %w", err)
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
		log.Warn("list of contents that crash not read", "err", err)
	}
	return p, nil
}

// Has reports whether a content is known to kill a worker.
func (p *Poison) Has(hash string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.hashes[hash]
	return ok
}

// Len is how many contents are known.
func (p *Poison) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.hashes)
}

// readPrefix begins what is noted of a document, whose name follows.
const readPrefix = "read "

// Documents names the documents among the contents, in order.
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

// Add remembers a content: what was done with it, and how that ended.
func (p *Poison) Add(hash, op, cause string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log.Error("content left out, it crashes native code", "hash", hash, "operation", op, "cause", cause)
	p.hashes[hash] = op + ": " + cause
	if err := files.WriteJSON(p.path, poisonFile{p.version, p.hashes}); err != nil {
		p.log.Warn("list of contents that crash not written", "err", err)
	}
}

package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"searchmcp/engine/chunk"
	"searchmcp/engine/store/files"
)

// parsing remembers which contents crashed a native parser, so that those go to the plain splitter from then on. While a
// content is being parsed its hash stands in a slot of a file; what stands there at a start is what the last run died in.
// The file is never synced: it must outlive the process, not the machine. One write into an open file costs a fiftieth of
// what making and removing a file does, which was 8 % of the processor time of a first index.
type parsing struct {
	log     *slog.Logger
	list    string // name of the file that keeps suspects
	once    sync.Once
	running *os.File

	mu       sync.Mutex // held over the write of list, which is rare
	suspects map[string]int
	free     []int // slots that were used and are not now
	next     int   // the first slot that was never used
}

const (
	crashFile   = "crashes.json"
	runningFile = "running"
	// A content is a suspect when a run ended while it was parsed, until it has been parsed. One crash proves nothing, since several
	// contents are parsed at once, but two in a row do. A silent end is a person's or the system's, which was short of memory;
	// if that happens five times in a row to the same content, the content is why.
	crashWeight  = 3
	silentWeight = 1
	enoughWeight = 5
	// slotSize holds a SHA-256 in hex and a line's end.
	slotSize = 65
)

// openParsing reads what was being parsed when the last run ended, which was as c says.
func openParsing(dir string, c crash, log *slog.Logger) (*parsing, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of parsed contents: %w", err)
	}
	p := &parsing{log: log, list: filepath.Join(dir, crashFile), suspects: map[string]int{}}
	if text, err := os.ReadFile(p.list); err == nil {
		if err := json.Unmarshal(text, &p.suspects); err != nil {
			log.Warn("list of contents that crash the parser not read", "err", err)
		}
	}
	running := filepath.Join(dir, runningFile)
	left, err := os.ReadFile(running)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read parsed contents: %w", err)
	}
	if weight := c.parserWeight(); weight > 0 {
		for _, hash := range strings.Fields(string(left)) {
			p.suspects[hash] += weight
			log.Warn("the last run ended while this content was parsed", "hash", hash, "crashed", c.died, "weight", p.suspects[hash])
		}
		if err := files.WriteJSON(p.list, p.suspects); err != nil {
			return nil, fmt.Errorf("note contents that crash the parser: %w", err)
		}
	}
	if p.running, err = os.OpenFile(running, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err != nil {
		return nil, fmt.Errorf("begin file of parsed contents: %w", err)
	}
	return p, nil
}

// close ends the use of the file; nothing may be parsed any more. Calling it again is fine.
func (p *parsing) close() error {
	if err := p.running.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("close file of parsed contents: %w", err)
	}
	return nil
}

// parserWeight is what an end of the last run counts against what was being parsed.
func (c crash) parserWeight() int {
	switch {
	case c.parser:
		return crashWeight
	case c.died: // elsewhere, and it says so
		return 0
	}
	return silentWeight
}

// skipped reports whether a content is known to crash a parser.
func (p *parsing) skipped(hash string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.suspects[hash] >= enoughWeight
}

// parsed clears a content of suspicion.
func (p *parsing) parsed(hash string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.suspects[hash]; !ok {
		return
	}
	delete(p.suspects, hash)
	if err := files.WriteJSON(p.list, p.suspects); err != nil {
		p.log.Warn("list of contents that crash the parser not written", "err", err)
	}
}

// busy notes that a content is being parsed.
func (p *parsing) busy(_, hash string) (done func()) {
	slot := p.take()
	p.note(slot, hash)
	return func() {
		p.note(slot, "")
		p.parsed(hash)
		p.mu.Lock()
		p.free = append(p.free, slot)
		p.mu.Unlock()
	}
}

// take returns a slot that nobody uses. There are as many as contents were ever parsed at once.
func (p *parsing) take() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		slot := p.free[n-1]
		p.free = p.free[:n-1]
		return slot
	}
	p.next++
	return p.next - 1
}

// note fills a slot with a hash, "" with blanks.
func (p *parsing) note(slot int, hash string) {
	line := bytes.Repeat([]byte{' '}, slotSize)
	copy(line, hash)
	line[slotSize-1] = '\n'
	if _, err := p.running.WriteAt(line, int64(slot)*slotSize); err != nil {
		p.once.Do(func() { p.log.Warn("parser's marker not written", "err", err) })
	}
}

// guarded keeps parsers from contents that crashed them.
type guarded struct {
	*parsing
	syntax chunk.Syntax
}

// Cut implements chunk.Syntax.
func (g guarded) Cut(ctx context.Context, f chunk.File) (chunk.Cut, error) {
	if g.skipped(f.Hash) {
		return chunk.Cut{Reason: chunk.ReasonSkipped}, nil
	}
	defer g.busy("", f.Hash)()
	return g.syntax.Cut(ctx, f)
}

package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// What the runtime prints when the process dies of a signal or a panic goes to crashFile, too; the last one is kept beside
// it for a report. It holds stacks, never contents.
const (
	crashOutput = "crash.txt"
	crashKept   = "crash.last.txt"
)

// crash is how the last run ended, as far as it could say.
type crash struct {
	died    bool // of a signal or a panic; nothing is left by kill -9, a power cut or an orderly end
	model   bool // within the model
	vectors bool // within a vector table; a marker may say whose
	parser  bool // within a parser
	memory  bool // perhaps for want of memory
}

// halvings is how often the work in flight is halved at first (RFC 10, out of memory). Libraries in C and Rust don't hand on that memory ran
// out, they end the process: a start after that takes a quarter, since half as much may have been too much as well, and
// each lap that goes well doubles it.
func (c crash) halvings() int {
	if c.memory {
		return 2
	}
	return 0
}

// lastCrash reads what the last run left and has this one's death written down. The output is the process's own: of several
// engines in one process the last has it.
func lastCrash(data string, log *slog.Logger) (crash, error) {
	dir := filepath.Join(data, logsDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return crash{}, fmt.Errorf("make folder of logs: %w", err)
	}
	name := filepath.Join(dir, crashOutput)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return crash{}, fmt.Errorf("read what the last run left: %w", err)
	}
	c := readCrash(string(text))
	if c.died {
		log.Error("the last run crashed", "model", c.model, "vectors", c.vectors, "memory", c.memory, "stacks", filepath.Join(logsDir, crashKept))
		if err := os.Rename(name, filepath.Join(dir, crashKept)); err != nil {
			return c, fmt.Errorf("keep what the last run left: %w", err)
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return c, fmt.Errorf("begin crash output: %w", err)
	}
	defer f.Close() // the runtime has a handle of its own
	if err := debug.SetCrashOutput(f, debug.CrashOptions{}); err != nil {
		return c, fmt.Errorf("begin crash output: %w", err)
	}
	return c, nil
}

// readCrash finds in which library a process died: the goroutine that was running comes first. An abort is what C and Rust libraries answer
// a failed allocation with; the runtime names it.
func readCrash(text string) crash {
	c := crash{died: strings.TrimSpace(text) != ""}
	why, first, _ := strings.Cut(text, "\ngoroutine ")
	first, _, _ = strings.Cut(first, "\n\n")
	c.model = strings.Contains(first, "searchmcp/engine/embed.")
	c.vectors = strings.Contains(first, "searchmcp/engine/store/vector.")
	c.parser = strings.Contains(first, "searchmcp/engine/chunk.")
	c.memory = strings.HasPrefix(why, "SIGABRT") || strings.Contains(why, "out of memory") || strings.Contains(why, "cannot allocate memory")
	return c
}

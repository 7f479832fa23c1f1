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
	"sync/atomic"
)

// What the runtime prints when the app dies of a signal or a panic goes to crashFile, too; the last one is kept beside
// it for a report. It holds stacks, never contents.
const (
	crashOutput = "crash.txt"
	crashKept   = "crash.last.txt"
)

// keepCrash keeps what the last run left and has this one's death written down. The output is the process's own: of
// several engines in one process the last has it.
func keepCrash(data string, log *slog.Logger) error {
	dir := filepath.Join(data, logsDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make folder of logs: %w", err)
	}
	name := filepath.Join(dir, crashOutput)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read what the last run left: %w", err)
	}
	if strings.TrimSpace(string(text)) != "" {
		log.Error("the last run crashed", "stacks", filepath.Join(logsDir, crashKept))
		if err := os.Rename(name, filepath.Join(dir, crashKept)); err != nil {
			return fmt.Errorf("keep what the last run left: %w", err)
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("begin crash output: %w", err)
	}
	defer f.Close() // the runtime has a handle of its own
	if err := debug.SetCrashOutput(f, debug.CrashOptions{}); err != nil {
		return fmt.Errorf("begin crash output: %w", err)
	}
	crashInto.Store(&name)
	return nil
}

// crashInto is the file that the runtime holds open.
var crashInto atomic.Pointer[string]

// releaseCrash closes the file, unless it is another engine's by now: as long as it is open Windows lets nobody remove
// the data folder.
func releaseCrash(data string) error {
	name := crashInto.Load()
	if name == nil || *name != filepath.Join(data, logsDir, crashOutput) || !crashInto.CompareAndSwap(name, nil) {
		return nil
	}
	return debug.SetCrashOutput(nil, debug.CrashOptions{})
}

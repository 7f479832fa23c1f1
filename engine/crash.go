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
	"time"

	"searchmcp/engine/doctor"
)

// The Go runtime writes the stacks of a crash to crashOutput. The next start renames the file to lastCrash.
const (
	crashOutput = "crash.txt"
	lastCrash   = "crash.last.txt"
	crashTimes  = "crash.times" // contains the times of the last crashes, one per line
)

func noteCrash(dir string) (recent int, err error) {
	name := filepath.Join(dir, crashTimes)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("read times of crashes: %w", err)
	}
	now := time.Now()
	lines := []string{now.UTC().Format(time.RFC3339)}
	for line := range strings.Lines(string(text)) {
		at, err := time.Parse(time.RFC3339, strings.TrimSpace(line))
		if err == nil && now.Sub(at) < doctor.CrashWindow && len(lines) < 20 {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return len(lines), fmt.Errorf("write times of crashes: %w", err)
	}
	return len(lines), nil
}

// keepCrash renames the crash output of the last run, and directs the runtime to a new file. If the last run crashed,
// the result is the number of recent crashes.
func keepCrash(data string, log *slog.Logger) (recent int, err error) {
	dir := filepath.Join(data, logsDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return recent, fmt.Errorf("make folder of logs: %w", err)
	}
	name := filepath.Join(dir, crashOutput)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return recent, fmt.Errorf("read crash output of the last run: %w", err)
	}
	if strings.TrimSpace(string(text)) != "" {
		log.Error("the last run crashed", "stacks", filepath.Join(logsDir, lastCrash))
		if err := os.Rename(name, filepath.Join(dir, lastCrash)); err != nil {
			return recent, fmt.Errorf("keep crash output of the last run: %w", err)
		}
		if recent, err = noteCrash(dir); err != nil {
			return recent, err
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return recent, fmt.Errorf("begin crash output: %w", err)
	}
	defer f.Close() // the Go runtime uses a handle of its own
	if err := debug.SetCrashOutput(f, debug.CrashOptions{}); err != nil {
		return recent, fmt.Errorf("begin crash output: %w", err)
	}
	crashInto.Store(&name)
	return recent, nil
}

var crashInto atomic.Pointer[string]

// releaseCrash closes the crash output, because Windows can't remove an open file.
func releaseCrash(data string) error {
	name := crashInto.Load()
	if name == nil || *name != filepath.Join(data, logsDir, crashOutput) || !crashInto.CompareAndSwap(name, nil) {
		return nil
	}
	return debug.SetCrashOutput(nil, debug.CrashOptions{})
}

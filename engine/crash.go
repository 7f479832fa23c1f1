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
)

// What the runtime prints when the app dies of a signal or a panic goes to crashFile, too; the last one is kept beside
// it for a report. It holds stacks, never contents.
const (
	crashOutput = "crash.txt"
	crashKept   = "crash.last.txt"
	crashTimes  = "crash.times" // when the last ones were found, a line each
)

// A loop of crashes is so many in so short a time: an editor starts the app again with its next call.
const (
	loopOfCrashes = 3
	loopTime      = time.Hour
)

// noteCrash remembers when a crash was found, and returns how many were lately.
func noteCrash(dir string) (lately int, err error) {
	name := filepath.Join(dir, crashTimes)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("read times of crashes: %w", err)
	}
	now := time.Now()
	lines := []string{now.UTC().Format(time.RFC3339)}
	for line := range strings.Lines(string(text)) {
		at, err := time.Parse(time.RFC3339, strings.TrimSpace(line))
		if err == nil && now.Sub(at) < loopTime && len(lines) < 20 {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return len(lines), fmt.Errorf("write times of crashes: %w", err)
	}
	return len(lines), nil
}

// keepCrash keeps what the last run left and has this one's death written down. The output is the process's own: of
// several engines in one process the last has it. It returns how many runs crashed lately, if the last one did.
func keepCrash(data string, log *slog.Logger) (lately int, err error) {
	dir := filepath.Join(data, logsDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return lately, fmt.Errorf("make folder of logs: %w", err)
	}
	name := filepath.Join(dir, crashOutput)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return lately, fmt.Errorf("read what the last run left: %w", err)
	}
	if strings.TrimSpace(string(text)) != "" {
		log.Error("the last run crashed", "stacks", filepath.Join(logsDir, crashKept))
		if err := os.Rename(name, filepath.Join(dir, crashKept)); err != nil {
			return lately, fmt.Errorf("keep what the last run left: %w", err)
		}
		if lately, err = noteCrash(dir); err != nil {
			return lately, err
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return lately, fmt.Errorf("begin crash output: %w", err)
	}
	defer f.Close() // the runtime has a handle of its own
	if err := debug.SetCrashOutput(f, debug.CrashOptions{}); err != nil {
		return lately, fmt.Errorf("begin crash output: %w", err)
	}
	crashInto.Store(&name)
	return lately, nil
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

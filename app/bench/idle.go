package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"searchmcp/engine"
)

// settle is how long an engine is given after its start before it counts as idle: the pass at start, one fold, one comparison of the
// stores. watched is how long it is looked at then.
const (
	settle  = 45 * time.Second
	watched = 20 * time.Second
)

// idle measures a process of its own that has the index open and nothing to do.
func idle(t *table, data string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	out, err := exec.Command(self, "-idle", data).Output()
	if err != nil {
		return fmt.Errorf("measure an idle process: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok {
			t.add(name, value, map[string]string{
				"idle, memory": "< 100 MB", "idle, processor": "nothing to speak of", "idle, wake-ups": "nothing to speak of",
			}[name])
		}
	}
	return nil
}

// runIdle is that process.
func runIdle(data string) error {
	ctx := context.Background()
	eng, err := engine.Open(ctx, engine.Options{Data: data, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		return err
	}
	<-time.After(settle)
	cpu, wakes := used()
	<-time.After(watched)
	cpu2, wakes2 := used()
	fmt.Printf("idle, memory=%s\n", status("VmRSS:"))
	fmt.Printf("idle, processor=%.2f %%\n", 100*(cpu2-cpu)/watched.Seconds())
	fmt.Printf("idle, wake-ups=%.1f a second\n", float64(wakes2-wakes)/watched.Seconds())
	return eng.Close(ctx)
}

// used sums the processor seconds and the voluntary context switches of all threads; zeros where the system has no /proc.
func used() (seconds float64, wakes int) {
	tasks, err := filepath.Glob("/proc/self/task/*")
	if err != nil {
		return 0, 0
	}
	for _, dir := range tasks {
		var ns int64
		if text, err := os.ReadFile(filepath.Join(dir, "schedstat")); err == nil {
			if _, err := fmt.Sscan(string(text), &ns); err == nil {
				seconds += float64(ns) / 1e9
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "status"))
		if err != nil {
			continue // the thread has ended
		}
		for line := range strings.Lines(string(text)) {
			if v, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				n := 0
				if _, err := fmt.Sscan(v, &n); err == nil {
					wakes += n
				}
			}
		}
	}
	return seconds, wakes
}

package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// wide makes a tree of 5,000 folders with 10 files each.
func wide(b *testing.B) string {
	root := b.TempDir()
	for d := range 5000 {
		dir := filepath.Join(root, fmt.Sprintf("p%d/q%d/r%d", d%10, d%500/10, d))
		mustDo(b, os.MkdirAll(dir, 0o700))
		for f := range 10 {
			mustDo(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", f)), nil, 0o600))
		}
	}
	return root
}

func mustDo(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSetUp measures the time until all folders of 50,000 files are watched, and the memory used.
func BenchmarkSetUp(b *testing.B) {
	root := wide(b)
	var before, after runtime.MemStats
	for b.Loop() {
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&before)
		b.StartTimer()
		w := New(newRules(root), Options{})
		ctx, cancel := context.WithCancel(b.Context())
		out, done := make(chan Batch), make(chan error)
		go func() { done <- w.Run(ctx, out) }()
		<-out
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
		b.ReportMetric(float64(w.Status().Watched), "watches")
		cancel()
		mustDo(b, <-done)
		b.StartTimer()
	}
}

// BenchmarkPollRound polls 50,000 files.
func BenchmarkPollRound(b *testing.B) {
	root := wide(b)
	t := newTree(newRules(root), nil, nil)
	t.add(b.Context(), ".")
	for b.Loop() {
		if found := t.poll(b.Context()); len(found) > 0 {
			b.Fatalf("%d changes of an unchanged tree", len(found))
		}
	}
}

// BenchmarkSaveToBatch measures the time from a save to its batch, including the RFC's 500 ms of stability.
func BenchmarkSaveToBatch(b *testing.B) {
	root := wide(b)
	w := New(newRules(root), Options{})
	ctx, cancel := context.WithCancel(b.Context())
	out, done := make(chan Batch), make(chan error)
	go func() { done <- w.Run(ctx, out) }()
	<-out
	n := 0
	for b.Loop() {
		n++
		mustDo(b, os.WriteFile(filepath.Join(root, "p0/q0/r0/f0.go"), fmt.Appendf(nil, "%d", n), 0o600))
		<-out
	}
	cancel()
	mustDo(b, <-done)
}

// BenchmarkIdle measures an idle watcher and orchestrator of 5,000 folders for ten seconds.
func BenchmarkIdle(b *testing.B) {
	root := wide(b)
	w := New(newRules(root), Options{})
	o, err := NewOrchestrator(OrchestratorOptions{Root: root, Strategy: "realtime", Last: time.Now()})
	mustDo(b, err)
	ctx, cancel := context.WithCancel(b.Context())
	in, out, done := make(chan Batch), make(chan Batch), make(chan error)
	go func() { done <- w.Run(ctx, in) }()
	go func() { done <- o.Run(ctx, in, out) }()
	<-out
	runtime.GC()
	for b.Loop() {
		cpu, switches := usage()
		<-time.After(10 * time.Second)
		cpu2, switches2 := usage()
		b.ReportMetric(float64(switches2-switches)/10, "switches/s")
		b.ReportMetric(float64((cpu2-cpu).Microseconds())/10, "µs-cpu/s")
	}
	cancel()
	for range 2 {
		mustDo(b, <-done)
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
)

// profiler writes a CPU profile of each phase and the heap at its end into a folder; without one it does nothing.
type profiler struct{ dir string }

func (p profiler) begin(phase string) {
	if p.dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(p.dir, "cpu-"+phase+".prof"))
	if err == nil {
		err = pprof.StartCPUProfile(f) // the file is closed with the process
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: no profile of", phase+":", err)
	}
}

func (p profiler) end(phase string) {
	if p.dir == "" {
		return
	}
	pprof.StopCPUProfile()
	f, err := os.Create(filepath.Join(p.dir, "heap-"+phase+".prof"))
	if err == nil {
		runtime.GC()
		err = pprof.WriteHeapProfile(f)
		_ = f.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: no heap profile after", phase+":", err)
	}
}

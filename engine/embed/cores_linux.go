package embed

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// physicalCores counts the cores from what the kernel says about each processor's siblings; 0 when it says nothing.
func physicalCores() int {
	files, err := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list")
	if err != nil {
		return 0 // only a bad pattern
	}
	cores := map[string]bool{}
	for _, f := range files {
		if siblings, err := os.ReadFile(f); err == nil {
			cores[string(siblings)] = true
		}
	}
	return len(cores)
}

// textNice is the niceness of background inference: a person's programs get nine tenths of a contested core.
const textNice = 10

// lowerPriority makes the calling thread yield to others. The caller has locked it and lets it end with its goroutine,
// because a thread can't take its priority back. On Linux priority 0 of PRIO_PROCESS is this thread's alone.
func lowerPriority() error { return unix.Setpriority(unix.PRIO_PROCESS, 0, textNice) }

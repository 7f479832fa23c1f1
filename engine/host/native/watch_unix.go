//go:build unix && !linux

package native

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A fast process allocates about 100 MB meanwhile.
const look = 50 * time.Millisecond

// macOS can't limit this process's memory.
func Watch(memory int64) {
	go func() {
		for range time.Tick(look) {
			var used unix.Rusage
			if unix.Getrusage(unix.RUSAGE_SELF, &used) == nil && int64(used.Maxrss) > memory {
				fmt.Fprintf(os.Stderr, "out of memory: more than %d MB\n", memory>>20)
				os.Exit(2)
			}
		}
	}()
}

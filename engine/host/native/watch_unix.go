//go:build unix && !linux

package native

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// interval is the time between two measurements of this process's memory, in which it allocates at most about 100 MB.
const interval = 50 * time.Millisecond

// Watch ends this process when it uses more than memory bytes, because macOS can't limit the memory of a process.
func Watch(memory int64) {
	go func() {
		for range time.Tick(interval) {
			var used unix.Rusage
			if unix.Getrusage(unix.RUSAGE_SELF, &used) == nil && int64(used.Maxrss) > memory {
				fmt.Fprintf(os.Stderr, "out of memory: more than %d MB\n", memory>>20)
				os.Exit(2)
			}
		}
	}()
}

//go:build unix && !linux

package native

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// look is how often a process looks at its own memory: one that takes it as fast as it can gets some 100 MB a look.
const look = 50 * time.Millisecond

// Watch ends this process when it has taken more memory than it may: nobody bounds it from outside on macOS.
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

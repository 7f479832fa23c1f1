//go:build unix && !linux

package native

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// look is the interval of measurements, in which a fast process allocates about 100 MB.
const look = 50 * time.Millisecond

// Watch exits this process when it uses more than memory bytes, because macOS can't limit the memory of a process.
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

//go:build unix && !linux

package native

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// look is the time in which a fast process allocates about 100 MB.
const look = 50 * time.Millisecond

// Watch ends this process if it uses more memory than the limit, because macOS can't.
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

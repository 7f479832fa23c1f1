//go:build unix

package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func ignoreBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }

// parentLook is how often the parent is looked for. An editor that ends closes stdin, which is noticed at once; this is
// for one that is killed while another of its children holds the pipe open.
const parentLook = time.Second

// watchParent calls gone when the process that started this one has ended.
func watchParent(ctx context.Context, gone func()) {
	parent := os.Getppid()
	tick := time.NewTicker(parentLook)
	defer tick.Stop()
	for parent > 1 {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent {
				gone()
				return
			}
		}
	}
}

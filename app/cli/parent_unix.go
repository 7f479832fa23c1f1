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

// parentLook is the interval at which the parent is checked. An editor that exits closes stdin, which is noticed at
// once. The check is needed if an editor is killed while another child of it keeps the pipe open.
const parentLook = time.Second

// watchParent calls gone when the parent process has ended.
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

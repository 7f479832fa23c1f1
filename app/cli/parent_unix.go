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

// parentLook is how often the bridge checks its parent. Waiting for stdin is not enough, because another child of a
// killed editor may keep it open.
const parentLook = time.Second

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

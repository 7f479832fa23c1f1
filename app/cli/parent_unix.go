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

// parentLook is the pause between checks whether the bridge's parent runs. If an editor is killed, another of its
// children may keep stdin open.
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

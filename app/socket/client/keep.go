package client

import (
	"context"
	"time"
)

const (
	firstPause = 50 * time.Millisecond // pause after the first attempt; a restart takes less than a second
	lastPause  = 3 * time.Second       // maximum pause between attempts
)

// Keep connects, and reconnects after each disconnect, until ctx ends. It starts the app only for the first connection.
func Keep(ctx context.Context, o Options, connected func(*Client), lost func(error)) {
	for pause := firstPause; ctx.Err() == nil; {
		c, err := Connect(ctx, o)
		if err == nil {
			pause, o.Launcher = firstPause, nil
			connected(c)
			select {
			case <-c.Done():
			case <-ctx.Done():
			}
			err = c.Err()
			if cerr := c.Close(); err == nil {
				err = cerr
			}
		}
		if ctx.Err() != nil {
			return
		}
		lost(err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, lastPause)
	}
}

package client

import (
	"context"
	"time"
)

// The pauses between attempts. A restarting app listens again within a second.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 3 * time.Second
)

// Keep connects, and reconnects after each disconnect, until ctx ends. It passes each Client to up, and the reason for
// each disconnect or failed attempt to down. It uses o.Launcher only until the first connection.
func Keep(ctx context.Context, o Options, up func(*Client), down func(error)) {
	for pause := firstPause; ctx.Err() == nil; {
		c, err := Connect(ctx, o)
		if err == nil {
			pause, o.Launcher = firstPause, nil
			up(c)
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
		down(err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, lastPause)
	}
}

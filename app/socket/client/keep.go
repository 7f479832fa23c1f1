package client

import (
	"context"
	"time"
)

// First and last pause between two tries of Keep: an app that restarts is back within a second, one that is gone costs
// a failed connect(2) every few seconds.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 3 * time.Second
)

// Keep holds a connection until ctx ends: it connects, hands the Client to up, waits for its end, says so to down, and
// connects again. up and down are called one after the other from the goroutine of Keep; down gets the reason, also for
// tries that failed. The Launcher of the options is used for the first connection only: an app that went away later is
// started again by whoever needs it.
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

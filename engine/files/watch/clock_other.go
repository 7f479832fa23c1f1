//go:build !linux && !windows

package watch

import (
	"log/slog"
	"time"
)

// sleepClock compares the wall clock with Go's monotonic clock, which stops during sleep on macOS.
type sleepClock struct{ began time.Time }

func openClock(*slog.Logger) clock { return &sleepClock{began: time.Now()} }

func (c *sleepClock) sleptFor() time.Duration {
	now := time.Now()
	return now.Round(0).Sub(c.began.Round(0)) - now.Sub(c.began)
}

func (c *sleepClock) resumed() <-chan struct{} { return nil }

func (c *sleepClock) close() {}

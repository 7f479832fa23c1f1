//go:build !linux && !windows

package watch

import "time"

var began = time.Now()

// sleptFor compares the wall clock with the monotonic clock, which stops during sleep on macOS.
func sleptFor() time.Duration {
	now := time.Now()
	return now.Round(0).Sub(began.Round(0)) - now.Sub(began)
}

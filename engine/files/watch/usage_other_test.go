//go:build !unix

package watch

import "time"

// usage is not implemented on this system.
func usage() (time.Duration, int64) { return 0, 0 }

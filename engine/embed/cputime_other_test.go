//go:build !unix

package embed

import "time"

// cpuTime is not measured here; the processor-time metrics are then meaningless.
func cpuTime() time.Duration { return 0 }

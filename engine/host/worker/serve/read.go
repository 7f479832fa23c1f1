package serve

import (
	"fmt"
	"os"
	"runtime/metrics"
	"time"

	"searchmcp/engine/host/machine"
)

const (
	interval = 20 * time.Millisecond // between measurements; Go allocates about 50 MB in this time

	statusTime   = 3 // the exit status if a document exceeds its processor time
	statusMemory = 2 // the exit status if memory runs out, as in Go's runtime
)

func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// watch runs f, and exits the process if f exceeds a limit. Nothing else stops a parser in deep recursion.
func watch(limit time.Duration, memory int64, f func()) {
	done := make(chan struct{})
	defer close(done)
	begun, _ := machine.ProcessorTime() // if ProcessorTime fails, only memory is limited
	go func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if used, err := machine.ProcessorTime(); err == nil && used-begun > limit {
				fmt.Fprintf(os.Stderr, "file exceeds %s of processor time\n", limit)
				os.Exit(statusTime)
			}
			if heap() > memory {
				fmt.Fprintf(os.Stderr, "out of memory: more than %d MB\n", memory>>20)
				os.Exit(statusMemory)
			}
		}
	}()
	f()
}

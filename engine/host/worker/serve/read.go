package serve

import (
	"fmt"
	"os"
	"runtime/metrics"
	"time"

	"searchmcp/engine/host/machine"
)

const (
	look = 20 * time.Millisecond // in which Go gets some 50 MB from the system
	// The exit statuses; Go's own without memory is the second.
	statusLong   = 3
	statusMemory = 2
)

// heap is what Go has of the system's memory, in bytes.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// within returns what ends this process if f takes more processor time, or if Go has more memory: what recurses or
// repeats can't be told to stop. The system's own bound lets a heap grow by what was reserved before.
func within(memory int64) func(most time.Duration, f func()) {
	return func(most time.Duration, f func()) { watch(most, memory, f) }
}

func watch(most time.Duration, memory int64, f func()) {
	done := make(chan struct{})
	defer close(done)
	begun, _ := machine.OwnTime() // where it can't be known, memory alone bounds a file
	go func() {
		tick := time.NewTicker(look)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if used, err := machine.OwnTime(); err == nil && used-begun > most {
				fmt.Fprintf(os.Stderr, "a file takes more than %s\n", most)
				os.Exit(statusLong)
			}
			if heap() > memory {
				fmt.Fprintf(os.Stderr, "out of memory: more than %d MB\n", memory>>20)
				os.Exit(statusMemory)
			}
		}
	}()
	f()
}

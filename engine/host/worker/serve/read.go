package serve

import (
	"fmt"
	"os"
	"runtime/metrics"
	"time"

	"searchmcp/engine/host/machine"
)

const (
	look = 20 * time.Millisecond // interval of measurements, in which Go allocates about 50 MB
	// Exit statuses. Go's runtime exits with statusMemory too.
	statusLong   = 3
	statusMemory = 2
)

func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// within returns a function that calls f, and exits this process if f takes more processor time than most or if Go uses
// more than memory bytes. A recursion can't be interrupted otherwise, and the system's limit excludes reserved memory.
func within(memory int64) func(most time.Duration, f func()) {
	return func(most time.Duration, f func()) { watch(most, memory, f) }
}

func watch(most time.Duration, memory int64, f func()) {
	done := make(chan struct{})
	defer close(done)
	begun, _ := machine.OwnTime() // if this fails, only memory is limited
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
				fmt.Fprintf(os.Stderr, "file exceeds %s of processor time\n", most)
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

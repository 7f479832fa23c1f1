package serve

import (
	"context"
	"fmt"
	"os"
	"time"

	"searchmcp/engine/markup"
	"searchmcp/engine/saved"
)

// reader reads in this process.
type reader struct{ markup.InProcess }

// Pages implements markup.Reader.
func (reader) Pages(_ context.Context, name string, data []byte) ([]markup.Page, error) {
	return saved.Pages(name, data)
}

const (
	look       = 20 * time.Millisecond
	statusLong = 3 // the exit status
)

// within ends this process if f takes more processor time: what recurses or repeats can't be told to stop.
func within(most time.Duration, f func()) {
	done := make(chan struct{})
	defer close(done)
	begun := processorTime()
	go func() {
		tick := time.NewTicker(look)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if processorTime()-begun > most {
				fmt.Fprintf(os.Stderr, "a file takes more than %s\n", most)
				os.Exit(statusLong)
			}
		}
	}()
	f()
}

package tray

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// TestStops checks that Run returns after the icon was removed, or after takeDown if the loop blocks, as it does
// without a window for the icon.
func TestStops(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("the loop is the main goroutine's there")
	}
	for _, removal := range []time.Duration{takeDown / 2, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			began := time.Now()
			cancel()
			show(ctx, func() { <-time.After(removal) })
			wantEqual(t, time.Since(began), min(removal, takeDown), "time to stop")
			<-time.After(removal) // no goroutine may remain in the bubble
		})
	}
}

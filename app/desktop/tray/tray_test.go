package tray

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// TestStopsWithoutIcon checks that Run returns even if the loop blocks forever, as it does without a window for the
// icon.
func TestStopsWithoutIcon(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("the loop is the main goroutine's there")
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		never := make(chan struct{})
		ended := make(chan time.Time, 1)
		go func() {
			show(ctx, func() { <-never })
			ended <- time.Now()
		}()
		synctest.Wait()
		began := time.Now()
		cancel()
		wantEqual(t, (<-ended).Sub(began), takeDown, "sub")
		close(never) // no goroutine may remain in the bubble
	})
}

// TestWaitsForIcon checks that Run returns after the icon was removed.
func TestWaitsForIcon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		down := false
		cancel()
		show(ctx, func() {
			<-ctx.Done()
			<-time.After(takeDown / 2)
			down = true
		})
		if !down {
			t.Error("the icon was still there")
		}
	})
}

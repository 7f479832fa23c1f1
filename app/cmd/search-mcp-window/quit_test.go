package main

import (
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
)

type deaf struct{ fyne.App }

func (deaf) Quit() {}

// TestQuitEnds checks that the process ends even if Fyne's Quit blocks.
func TestQuitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		exited := make(chan int)
		quitter{deaf{}, func(code int) { exited <- code }}.Quit()
		if code := <-exited; code != 0 || time.Since(began) != quitTime {
			t.Errorf("exit with %d after %v, want 0 after %v", code, time.Since(began), quitTime)
		}
	})
}

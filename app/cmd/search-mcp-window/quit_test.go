package main

import (
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
)

// deaf is an app that does not end.
type deaf struct{ fyne.App }

func (deaf) Quit() {}

// An app that does not end when it is told to is ended.
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

package main

import (
	"fmt"
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
		wantEqual(t, <-exited, 0, "exit with")
		wantEqual(t, time.Since(began), quitTime, "exit with: since")
	})
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

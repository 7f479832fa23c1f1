package main

import (
	"os"
	"time"

	"fyne.io/fyne/v2"
)

// quitTime is the timeout of Quit, which usually takes some tenths of a second.
const quitTime = 3 * time.Second

// quitter is Fyne's app with a Quit that always ends. Fyne (2.7.1 to 2.8.0) queues its last lifecycle events from
// another goroutine and waits for them; an event queued between the loop's last check and its end blocks forever. The
// program would keep the window's lock, and no other window could open.
type quitter struct {
	fyne.App
	exit func(code int)
}

func newQuitter(a fyne.App) quitter { return quitter{a, os.Exit} }

func (q quitter) Quit() {
	time.AfterFunc(quitTime, func() { q.exit(0) })
	q.App.Quit()
}

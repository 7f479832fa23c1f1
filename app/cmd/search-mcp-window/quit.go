package main

import (
	"os"
	"time"

	"fyne.io/fyne/v2"
)

// quitTime is the timeout of Quit, which usually takes a fraction of a second.
const quitTime = 3 * time.Second

// quitter is Fyne's app with a Quit that always ends the process. Fyne (2.7.1 to 2.8.0) may block forever in Quit on an
// event queued after the loop's last check. Then the process would keep the window's lock, and no other window could
// open.
type quitter struct {
	fyne.App
	exit func(code int)
}

func newQuitter(a fyne.App) quitter { return quitter{a, os.Exit} }

func (q quitter) Quit() {
	time.AfterFunc(quitTime, func() { q.exit(0) })
	q.App.Quit()
}

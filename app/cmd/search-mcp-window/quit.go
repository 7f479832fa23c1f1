package main

import (
	"os"
	"time"

	"fyne.io/fyne/v2"
)

// quitTime is how long the program may take to end after Quit; it takes some tenths of a second.
const quitTime = 3 * time.Second

// quitter is Fyne's app with an end that comes. Fyne (2.7.1 to 2.8.0) hands the last events of its lifecycle to its
// loop from another goroutine and waits for them when the loop has ended; one that comes between the loop's last look
// at its queue and its end is waited for forever. The program would keep the lock of the window, and no other could
// open.
type quitter struct {
	fyne.App
	exit func(code int)
}

func newQuitter(a fyne.App) quitter { return quitter{a, os.Exit} }

// Quit implements fyne.App.
func (q quitter) Quit() {
	time.AfterFunc(quitTime, func() { q.exit(0) })
	q.App.Quit()
}

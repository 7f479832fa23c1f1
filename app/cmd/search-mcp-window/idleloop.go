package main

import (
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

const (
	// awake is how long the loop turns at its own pace after something happened: Fyne's transitions and its wait for a
	// second click take 300 ms.
	awake = 500 * time.Millisecond
	// nap is the longest wait. A caret that blinks every half second needs two frames in that time.
	nap = 250 * time.Millisecond
	// blinks is how long a caret blinks after something happened, as in GTK. Each time the window is drawn.
	blinks = 10 * time.Second
)

// steady is Fyne's app, whose fields have a caret that stands still while steady is set.
type steady struct {
	fyne.App
	steady bool
}

// Settings implements fyne.App.
func (s *steady) Settings() fyne.Settings { return steadySettings{s.App.Settings(), s.steady} }

type steadySettings struct {
	fyne.Settings
	steady bool
}

// ShowAnimations implements fyne.Settings.
func (s steadySettings) ShowAnimations() bool { return !s.steady && s.Settings.ShowAnimations() }

// set has the carets stand still, or blink again.
func (s *steady) set(still bool) {
	if s.steady == still {
		return
	}
	s.steady = still
	for _, w := range s.Driver().AllWindows() {
		if field, ok := w.Canvas().Focused().(interface{ RestartCaret() }); ok {
			field.RestartCaret()
		}
	}
}

// doze lets Fyne's loop rest. That loop looks for events sixty times a second for as long as a window is open, which
// takes more than a hundredth of a core for nothing; while nothing happens, its main goroutine waits inside the window
// system instead, until an event comes, somebody stirs it, or the nap is over. It is handed to Fyne as an animation
// without an end, whose tick runs once in each turn of the loop, on its goroutine, before the frame is drawn.
type doze struct {
	app     *steady
	mu      sync.Mutex // held over PostEmptyEvent, so that it is never called after the loop has ended
	napping bool
	stirred bool

	since   time.Time // when something last happened; the loop's own
	touched time.Time // when the person last did something; the loop's own
}

// begin starts the dozing; it ends with the loop.
func (d *doze) begin() {
	d.touched = time.Now()
	a := fyne.NewAnimation(time.Hour, func(float32) { d.turn() })
	a.RepeatCount = fyne.AnimationRepeatForever
	a.Start()
}

// turn waits if nothing has happened for a while.
func (d *doze) turn() {
	began := time.Now()
	d.mu.Lock()
	if d.stirred {
		d.stirred, d.since = false, began
	}
	d.napping = began.Sub(d.since) >= awake
	napping := d.napping
	d.mu.Unlock()
	d.app.set(began.Sub(d.touched) >= blinks)
	if !napping {
		return
	}
	glfw.WaitEventsTimeout(nap.Seconds())
	d.mu.Lock()
	d.napping = false
	stirred := d.stirred
	d.mu.Unlock()
	if ended := time.Now(); ended.Sub(began) < nap {
		if d.since = ended; !stirred {
			d.touched = ended
		}
	}
}

// stir keeps the loop turning for a while. It is called before each piece of work that is handed to the loop.
func (d *doze) stir() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stirred = true
	if d.napping {
		glfw.PostEmptyEvent()
	}
}

// do runs f on the loop's goroutine.
func (d *doze) do(f func()) {
	d.stir()
	fyne.Do(f)
}

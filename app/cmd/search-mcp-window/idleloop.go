package main

import (
	"os"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

const (
	// awake is how long the loop runs at full speed after an event. Fyne's transitions and its wait for a double click
	// take 300 ms.
	awake = 500 * time.Millisecond
	// nap is the maximum wait for events. A caret that blinks twice per second needs four frames per second.
	nap = 250 * time.Millisecond
	// blinks is how long a caret blinks after an event, as in GTK. Each blink redraws the window.
	blinks = 10 * time.Second
)

// steady is a Fyne app that can stop the blinking of carets.
type steady struct {
	fyne.App
	steady bool
	kept   fyne.Preferences
}

func (s *steady) Preferences() fyne.Preferences { return s.kept }

func (s *steady) Settings() fyne.Settings { return steadySettings{s.App.Settings(), s.steady} }

type steadySettings struct {
	fyne.Settings
	steady bool
}

func (s steadySettings) ShowAnimations() bool { return !s.steady && s.Settings.ShowAnimations() }

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

// doze slows down Fyne's loop, which otherwise polls for events sixty times per second. An idle loop waits until an
// event arrives, stir is called, or nap has passed. doze is an endless animation, because Fyne's loop calls animations
// once per turn.
type doze struct {
	app     *steady
	mu      sync.Mutex // guards napping and stirred
	napping bool
	stirred bool

	since   time.Time // time of the last event, for the loop only
	touched time.Time // time of the last input, for the loop only
}

func (d *doze) begin() {
	d.touched = time.Now()
	a := fyne.NewAnimation(time.Hour, func(float32) { d.turn() })
	a.RepeatCount = fyne.AnimationRepeatForever
	a.Start()
}

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

func (d *doze) stir() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stirred = true
	if d.napping {
		glfw.PostEmptyEvent()
	}
}

func (d *doze) do(f func()) {
	d.stir()
	fyne.Do(f)
}

// quitTime is the timeout for Quit, which usually takes a fraction of a second.
const quitTime = 3 * time.Second

// quitter is a Fyne app whose Quit always exits. In Fyne 2.7.1 to 2.8.0, Quit may block forever, and then no other
// window could open.
type quitter struct {
	fyne.App
	exit func(code int)
}

func newQuitter(a fyne.App) quitter { return quitter{a, os.Exit} }

func (q quitter) Quit() {
	time.AfterFunc(quitTime, func() { q.exit(0) })
	q.App.Quit()
}

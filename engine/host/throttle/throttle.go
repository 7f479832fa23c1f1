// Package throttle decides whether background work has to wait, by what a person wants and what the computer has to
// spare.
//
// It must not know what the work is. It has no goroutine; Throttle.mu is a leaf and is held while sensors are read.
package throttle

import (
	"log/slog"
	"sync"
	"time"

	"searchmcp/engine/host/machine"
)

// CPU hysteresis: wait while other programs take this share of the processor or more, until they take less than the
// lower one. The gap keeps vectors from being begun and left every few seconds.
const (
	pauseLoad  = 0.5
	resumeLoad = 0.3
)

// maxAge is how long a reading of the sensors holds. All projects share it, and nobody asks unless vectors are to be
// made.
const maxAge = 10 * time.Second

// Options is what a Throttle works with. The first three are required.
type Options struct {
	// OnBattery and UnderLoad are a person's settings: whether work waits while the computer runs on battery, and while
	// other programs want the processor.
	OnBattery, UnderLoad func() bool
	Log                  *slog.Logger
	Battery              machine.Battery // nil: the system's
	Load                 machine.Load    // nil: the system's
	MaxAge               time.Duration   // of a reading; 0: the default
}

// Throttle is safe for concurrent use.
type Throttle struct {
	opt Options

	mu     sync.Mutex // held while sensors are read: two small files of the system
	read   time.Time
	loaded bool // other programs want the processor
	reason string
}

// New returns a throttle that has read nothing yet.
func New(o Options) *Throttle {
	if o.Battery == nil {
		o.Battery = machine.SystemBattery()
	}
	if o.Load == nil {
		o.Load = machine.SystemLoad()
	}
	if o.MaxAge <= 0 {
		o.MaxAge = maxAge
	}
	return &Throttle{opt: o}
}

// Reason says in a sentence for a person why work has to wait, "" if it doesn't.
func (t *Throttle) Reason() string {
	battery, load := t.opt.OnBattery(), t.opt.UnderLoad()
	if !battery && !load {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if age := time.Since(t.read); age < t.opt.MaxAge {
		return t.reason
	} else if age > 2*t.opt.MaxAge && load {
		t.loaded = false
		t.othersLoad() // what was used in a long time without questions says little of now
	}
	t.read, t.reason = time.Now(), ""
	switch {
	case battery && t.onBattery():
		t.reason = "Searching by meaning is prepared when the computer is plugged in again."
	case load && t.underLoad():
		t.reason = "Searching by meaning is prepared when other programs leave room for it."
	}
	return t.reason
}

// Reset has the sensors read anew: a setting has changed.
func (t *Throttle) Reset() {
	t.mu.Lock()
	t.read = time.Time{}
	t.mu.Unlock()
}

func (t *Throttle) onBattery() bool {
	on, err := t.opt.Battery.OnBattery()
	if err != nil {
		t.opt.Log.Warn("power source not known, taken for the mains", "err", err)
	}
	return on && err == nil
}

func (t *Throttle) underLoad() bool {
	limit := pauseLoad
	if t.loaded {
		limit = resumeLoad
	}
	t.loaded = t.othersLoad() >= limit
	return t.loaded
}

// othersLoad is the share of the processor that other programs took since it was last asked for.
func (t *Throttle) othersLoad() float64 {
	share, err := t.opt.Load.Others()
	if err != nil {
		t.opt.Log.Warn("load not known, taken for none", "err", err)
		return 0
	}
	return share
}

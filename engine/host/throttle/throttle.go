// Package throttle decides whether background work has to wait, by the user's settings and the computer's free
// capacity.
//
// It must not know the work. It has no goroutines. Throttle.mu is a leaf and is locked while sensors are read.
package throttle

import (
	"log/slog"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/machine"
)

// Hysteresis. Work waits when other programs use at least pauseLoad of the processor, until they use less than
// resumeLoad. The gap prevents toggling every few seconds.
const (
	pauseLoad  = 0.5
	resumeLoad = 0.3
)

// maxAge is how long a reading is valid. All projects share it. Sensors are read only if vectors must be computed.
const maxAge = 10 * time.Second

// Options configures a Throttle. The first three fields are required.
type Options struct {
	// OnBattery and UnderLoad return the user's settings: whether work waits on battery power or while other programs
	// use the processor.
	OnBattery, UnderLoad func() bool
	Log                  *slog.Logger
	Battery              machine.Battery // nil means SystemBattery
	Load                 machine.Load    // nil means SystemLoad
	MaxAge               time.Duration   // validity of a reading; 0 means the default
}

// Throttle is safe for concurrent use.
type Throttle struct {
	opt Options

	mu     sync.Mutex // locked while two small system files are read
	read   time.Time
	loaded bool // other programs use the processor
	reason string
}

// New returns a throttle without a reading.
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

// Reason returns the reason why work has to wait, as a sentence for the user, or "".
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
		t.othersLoad() // discard the average over a long time
	}
	t.read, t.reason = time.Now(), ""
	switch {
	case battery && t.onBattery():
		t.reason = api.WaitingForPower
	case load && t.underLoad():
		t.reason = api.WaitingForRoom
	}
	return t.reason
}

// Reset invalidates the last reading. Call it when a setting has changed.
func (t *Throttle) Reset() {
	t.mu.Lock()
	t.read = time.Time{}
	t.mu.Unlock()
}

func (t *Throttle) onBattery() bool {
	on, err := t.opt.Battery.OnBattery()
	if err != nil {
		t.opt.Log.Warn("power source unknown, assuming external power", "err", err)
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

// othersLoad returns the fraction of the processor that other programs used since the last call.
func (t *Throttle) othersLoad() float64 {
	share, err := t.opt.Load.Others()
	if err != nil {
		t.opt.Log.Warn("load unknown, assuming none", "err", err)
		return 0
	}
	return share
}

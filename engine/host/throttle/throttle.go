// Package throttle decides whether background work has to wait because of the user's settings and the computer's load.
//
// It must not depend on that work. It has no goroutines. Throttle.mu is locked during measurements, and no other lock
// is acquired meanwhile.
package throttle

import (
	"cmp"
	"log/slog"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/machine"
)

// Background work pauses when the load of other programs exceeds pauseLoad, and resumes when that load falls below
// resumeLoad. Loads are fractions of all processor cores.
const (
	pauseLoad  = 0.5
	resumeLoad = 0.3
)

const maxAge = 10 * time.Second

type Options struct {
	OnBattery, UnderLoad func() bool
	Log                  *slog.Logger
	Battery              func() (bool, error)
	Load                 func() (float64, error)
	MaxAge               time.Duration
}

type Throttle struct {
	opt Options

	mu     sync.Mutex
	read   time.Time
	loaded bool
	reason string
}

func New(o Options) *Throttle {
	if o.Battery == nil {
		o.Battery = machine.OnBattery
	}
	if o.Load == nil {
		o.Load = machine.OtherLoad()
	}
	o.MaxAge = cmp.Or(o.MaxAge, maxAge)
	return &Throttle{opt: o}
}

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
		t.othersLoad() // start a new measurement
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

func (t *Throttle) Reset() {
	t.mu.Lock()
	t.read = time.Time{}
	t.mu.Unlock()
}

func (t *Throttle) onBattery() bool {
	on, err := t.opt.Battery()
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

func (t *Throttle) othersLoad() float64 {
	share, err := t.opt.Load()
	if err != nil {
		t.opt.Log.Warn("load unknown, assuming none", "err", err)
		return 0
	}
	return share
}

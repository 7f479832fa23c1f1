package engine

import (
	"log/slog"
	"sync"
	"time"

	"searchmcp/engine/machine"
)

// A person's programs want the processor when they take half of it, and don't any more below a third: the gap keeps vectors from
// being begun and left every few seconds.
const (
	heavyLoad = 0.5
	lightLoad = 0.3
)

// lookAgain is how long an answer of the sensors holds. All projects share it, and nobody asks unless vectors are to be made.
const lookAgain = 10 * time.Second

// rest decides whether the making of vectors has to wait, by the settings and by what the computer has to spare.
type rest struct {
	settings *settings
	battery  machine.Battery
	load     machine.Load
	log      *slog.Logger
	again    time.Duration

	mu    sync.Mutex // held while sensors are read: two small files of the system
	asked time.Time
	heavy bool
	said  string
}

// why returns a sentence for a person, "" if nothing has to wait.
func (r *rest) why() string {
	battery, load := r.settings.on(settingBattery), r.settings.on(settingLoad)
	if !battery && !load {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if since := time.Since(r.asked); since < r.again {
		return r.said
	} else if since > 2*r.again && load {
		r.heavy = false
		r.others() // what was used in a long time without questions says little of now
	}
	r.asked, r.said = time.Now(), ""
	switch {
	case battery && r.onBattery():
		r.said = "Searching by meaning is prepared when the computer is plugged in again."
	case load && r.underLoad():
		r.said = "Searching by meaning is prepared when other programs leave room for it."
	}
	return r.said
}

// forget has the sensors asked anew: a setting has changed.
func (r *rest) forget() {
	r.mu.Lock()
	r.asked = time.Time{}
	r.mu.Unlock()
}

func (r *rest) onBattery() bool {
	on, err := r.battery.OnBattery()
	if err != nil {
		r.log.Warn("power source not known, taken for the mains", "err", err)
	}
	return on && err == nil
}

func (r *rest) underLoad() bool {
	limit := heavyLoad
	if r.heavy {
		limit = lightLoad
	}
	r.heavy = r.others() >= limit
	return r.heavy
}

func (r *rest) others() float64 {
	share, err := r.load.Others()
	if err != nil {
		r.log.Warn("load not known, taken for none", "err", err)
		return 0
	}
	return share
}

package throttle

import (
	"errors"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

type plug struct {
	on  bool
	err error
}

func (p *plug) OnBattery() (bool, error) { return p.on, p.err }

// others is a fake load in percent.
type others struct {
	percent, asked int
	err            error
}

func (o *others) Others() (float64, error) {
	o.asked++
	return float64(o.percent) / 100, o.err
}

func TestReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, busy := &plug{}, &others{}
		var onBattery, underLoad bool
		r := New(Options{
			OnBattery: func() bool { return onBattery }, UnderLoad: func() bool { return underLoad },
			Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Battery: p, Load: busy,
		})
		p.on = true
		busy.percent = 100
		if why := r.Reason(); why != "" || busy.asked != 0 {
			t.Errorf("nothing is switched on: %q, %d questions", why, busy.asked)
		}
		underLoad = true
		for i, tc := range []struct {
			percent int
			waits   bool
		}{{49, false}, {50, true}, {31, true}, {29, false}, {49, false}, {100, true}} {
			busy.percent = tc.percent
			if got := r.Reason() != ""; got != tc.waits {
				t.Errorf("%d: others take %d %%: waits %v", i, tc.percent, got)
			}
			before := busy.asked
			if r.Reason(); busy.asked != before {
				t.Error("asked again at once")
			}
			<-time.After(maxAge)
		}
		busy.err = errors.New("not to be read")
		if why := r.Reason(); why != "" {
			t.Errorf("an unknown load: %q", why)
		}
		onBattery = true
		r.Reset()
		if why := r.Reason(); why == "" {
			t.Error("on battery nothing waits")
		}
		p.err = errors.New("not to be read")
		r.Reset()
		if why := r.Reason(); why != "" {
			t.Errorf("an unknown power source: %q", why)
		}
	})
}

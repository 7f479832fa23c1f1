package throttle

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

func TestReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var onBattery, underLoad, unplugged bool
		var percent, asked int // the load
		var unknown, dark error
		r := New(Options{
			OnBattery: func() bool { return onBattery }, UnderLoad: func() bool { return underLoad },
			Log:     slog.New(slog.DiscardHandler),
			Battery: func() (bool, error) { return unplugged, dark },
			Load:    func() (float64, error) { asked++; return float64(percent) / 100, unknown },
		})
		unplugged = true
		percent = 100
		if why := r.Reason(); why != "" || asked != 0 {
			t.Errorf("nothing is switched on: %q, %d questions", why, asked)
		}
		underLoad = true
		for i, tc := range []struct {
			percent int
			waits   bool
		}{{49, false}, {50, true}, {31, true}, {29, false}, {49, false}, {100, true}} {
			percent = tc.percent
			if got := r.Reason() != ""; got != tc.waits {
				t.Errorf("%d: others take %d %%: waits %v", i, tc.percent, got)
			}
			before := asked
			if r.Reason(); asked != before {
				t.Error("asked again at once")
			}
			<-time.After(maxAge)
		}
		unknown = errors.New("not to be read")
		if why := r.Reason(); why != "" {
			t.Errorf("an unknown load: %q", why)
		}
		onBattery = true
		r.Reset()
		if why := r.Reason(); why == "" {
			t.Error("on battery nothing waits")
		}
		dark = errors.New("not to be read")
		r.Reset()
		if why := r.Reason(); why != "" {
			t.Errorf("an unknown power source: %q", why)
		}
	})
}

package watch

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/engine/api"
)

func passes(t *testing.T, o OrchestratorOptions) <-chan Batch {
	t.Helper()
	o.Strategy = api.Realtime
	return orchestrate(t, o).out
}

func TestFullPasses(t *testing.T) {
	day := 24 * time.Hour
	tests := []struct {
		name     string
		last     time.Duration // time since the last full pass; 0 means never
		from, to time.Duration
	}{
		{"never", 0, overdueDelay, overdueDelay + day/10},
		{"an hour ago", time.Hour, day - time.Hour, day - time.Hour + day/10},
		{"long overdue", 100 * day, overdueDelay, overdueDelay + day/10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := OrchestratorOptions{sleptFor: awake}
				if tt.last > 0 {
					o.Last = time.Now().Add(-tt.last)
				}
				began := time.Now()
				out := passes(t, o)
				b := <-out
				if took := time.Since(began); took < tt.from || took > tt.to {
					t.Errorf("after %v", took)
				}
				if !b.Full || !b.Rescan || b.Cause != CauseDaily {
					t.Errorf("%+v", b)
				}
				began = time.Now()
				<-out
				wantEqual(t, time.Since(began), day, "the second after")
			})
		})
	}
}

func awake() time.Duration { return 0 }

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		out := passes(t, OrchestratorOptions{Last: time.Now(),
			sleptFor: func() time.Duration { return time.Duration(slept.Load()) }})
		select {
		case b := <-out:
			t.Errorf("without sleep: %+v", b)
		case <-time.After(time.Hour):
		}
		slept.Store(int64(time.Minute))
		began := time.Now()
		if b := <-out; !b.Rescan || b.Full || b.Cause != CauseWake || time.Since(began) > sleepPoll {
			t.Errorf("after %v: %+v", time.Since(began), b)
		}
	})
}

func TestSystemClock(t *testing.T) {
	first := sleptFor()
	if second := sleptFor(); second-first > time.Second || first-second > time.Second {
		t.Errorf("slept %v, then %v", first, second)
	}
}

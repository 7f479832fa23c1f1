package engine

import (
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
)

// plug is a battery that a test unplugs.
type plug struct {
	on  atomic.Bool
	err error
}

func (p *plug) OnBattery() (bool, error) { return p.on.Load(), p.err }

// others is a load that a test sets, in percent.
type others struct {
	percent atomic.Int64
	asked   atomic.Int64
	err     error
}

func (o *others) Others() (float64, error) {
	o.asked.Add(1)
	return float64(o.percent.Load()) / 100, o.err
}

// TestVectorsWaitOnBattery saves files while the computer is unplugged and plugs it in again.
func TestVectorsWaitOnBattery(t *testing.T) {
	p := &plug{}
	e := openOpt(t, t.TempDir(), func(o *Options) { o.battery = p })
	p.on.Store(true)
	if _, err := e.SetSettings(map[string]any{settingBattery: true}); err != nil {
		t.Fatal(err)
	}
	root := tree(t, shop)
	create(t, e, root) // does not wait for the mains
	s, err := e.Status(t.Context(), root)
	if err != nil || s.State != api.StateEmbedding || s.Waiting == "" || s.Vectors != 0 || s.Files == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	r := find(t, e, root, "Charge")
	if len(r.Hits) == 0 || r.Hits[0].Path != "pay/charge.go" {
		t.Errorf("by words: %s", paths(r))
	}
	p.on.Store(false)
	becomesTrue(t, e, root)
	if s, _ := e.Status(t.Context(), root); s.Waiting != "" || s.State != api.StateReady {
		t.Errorf("plugged in: %s, %q", s.State, s.Waiting)
	}
}

// TestVectorsFollowTheSetting waits under load until the setting is switched off.
func TestVectorsFollowTheSetting(t *testing.T) {
	busy := &others{}
	busy.percent.Store(90)
	e := openOpt(t, t.TempDir(), func(o *Options) { o.load = busy })
	if _, err := e.SetSettings(map[string]any{settingLoad: true}); err != nil {
		t.Fatal(err)
	}
	root := tree(t, shop)
	create(t, e, root)
	if s, err := e.Status(t.Context(), root); err != nil || s.Waiting == "" {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := e.SetSettings(map[string]any{settingLoad: false}); err != nil {
		t.Fatal(err)
	}
	becomesTrue(t, e, root)
}

// TestRest follows the sensors over time.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _, err := files.OpenSettings(t.TempDir(), knownSettings())
		if err != nil {
			t.Fatal(err)
		}
		s := &settings{file: f}
		p, busy := &plug{}, &others{}
		r := &rest{settings: s, battery: p, load: busy, log: slog.New(slog.NewTextHandler(io.Discard, nil)), again: lookAgain}
		p.on.Store(true)
		busy.percent.Store(100)
		if why := r.why(); why != "" || busy.asked.Load() != 0 {
			t.Errorf("nothing is switched on: %q, %d questions", why, busy.asked.Load())
		}
		if err := s.set(map[string]any{settingLoad: true}); err != nil {
			t.Fatal(err)
		}
		for i, tc := range []struct {
			percent int64
			waits   bool
		}{{49, false}, {50, true}, {31, true}, {29, false}, {49, false}, {100, true}} {
			busy.percent.Store(tc.percent)
			if got := r.why() != ""; got != tc.waits {
				t.Errorf("%d: others take %d %%: waits %v", i, tc.percent, got)
			}
			before := busy.asked.Load()
			if r.why(); busy.asked.Load() != before {
				t.Error("asked again at once")
			}
			time.Sleep(lookAgain) // of the test's own clock
		}
		busy.err = errors.New("not to be read")
		if why := r.why(); why != "" {
			t.Errorf("an unknown load: %q", why)
		}
		if err := s.set(map[string]any{settingBattery: true}); err != nil {
			t.Fatal(err)
		}
		r.forget()
		if why := r.why(); why == "" {
			t.Error("on battery nothing waits")
		}
		p.err = errors.New("not to be read")
		r.forget()
		if why := r.why(); why != "" {
			t.Errorf("an unknown power source: %q", why)
		}
	})
}

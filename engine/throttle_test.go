package engine

import (
	"sync/atomic"
	"testing"

	"searchmcp/engine/api"
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

package engine

import (
	"errors"
	"sync/atomic"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/settings"
)

func TestVectorsWaitOnBattery(t *testing.T) {
	t.Parallel()
	var unplugged atomic.Bool
	e := openOpt(t, t.TempDir(), func(o *Options) {
		o.battery = func() (bool, error) { return unplugged.Load(), nil }
	})
	unplugged.Store(true)
	must(t, second(e.SetSettings(map[string]any{settings.OnBattery: true})))
	root := tree(t, shop)
	create(t, e, root) // does not wait for external power
	s, err := e.Status(t.Context(), root)
	if err != nil || s.State != api.StateEmbedding || s.Waiting == "" || s.Vectors != 0 || s.Files == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	r := find(t, e, root, "Charge")
	if len(r.Hits) == 0 || r.Hits[0].Path != "pay/charge.go" {
		t.Errorf("by words: %s", paths(r))
	}
	if s.Static != s.Chunks || !r.Semantic || r.Static != 1 {
		t.Errorf("%d static vectors of %d chunks, of which searches heed %v", s.Static, s.Chunks, r.Static)
	}
	unplugged.Store(false)
	becomesTrue(t, e, root)
	if s, _ := e.Status(t.Context(), root); s.Waiting != "" || s.State != api.StateReady || s.Static != 0 {
		t.Errorf("plugged in: %s, %q", s.State, s.Waiting)
	}
}

func TestLight(t *testing.T) {
	t.Parallel()
	model := &moody{}
	model.fail(errors.New("the model must not be asked"))
	e := openOpt(t, t.TempDir(), func(o *Options) { o.model = model })
	light := func(on bool) {
		must(t, second(e.SetSettings(map[string]any{settings.Light: on})))
	}
	light(true)
	root := tree(t, shop)
	create(t, e, root)
	becomesTrue(t, e, root)
	ask := func(static float64) {
		t.Helper()
		r := find(t, e, root, "who takes the money of a customer")
		if len(r.Hits) == 0 || !r.Semantic || r.Coverage != 1 || r.Static != static || len(r.Notes) > 0 {
			t.Errorf("light %v: %s, %+v", e.settings.On(settings.Light), paths(r), r)
		}
	}
	ask(1)
	model.mu.Lock()
	if model.seen > 0 {
		t.Errorf("the model was given %d texts", model.seen)
	}
	model.mu.Unlock()
	model.fail(nil)
	light(false)
	becomesTrue(t, e, root)
	ask(0)
	light(true)
	becomesTrue(t, e, root)
	ask(1)
}

func TestQuickVectorsAreSearched(t *testing.T) {
	model := &moody{}
	e := openOpt(t, t.TempDir(), func(o *Options) { o.model = model })
	root := tree(t, shop)
	create(t, e, root)
	becomesTrue(t, e, root)
	gone := errors.New("the model's file is gone")
	model.fail(gone)
	e.model.SetMissing(gone)
	e.Registry.Wake()
	reaches(t, e, root, "static vectors of all", func(p api.Project) bool {
		return p.Chunks > 0 && p.Static == p.Chunks && p.Term() == api.TermQuick
	})
	r := find(t, e, root, "who takes the money of a customer")
	if len(r.Hits) == 0 || !r.Semantic || r.Coverage != 1 || r.Static != 1 {
		t.Errorf("%s, %+v", paths(r), r)
	}
	model.fail(nil)
	e.model.SetMissing(nil)
	e.Registry.Wake()
	becomesTrue(t, e, root)
	if r := find(t, e, root, "who takes the money of a customer"); !r.Semantic || r.Static != 0 {
		t.Errorf("with the model again: %+v", r)
	}
}

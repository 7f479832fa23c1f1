package index_test

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"searchmcp/engine/api"
)

// The snapshot reports that search is only lexical without a model.
func TestNotReadyWithoutModel(t *testing.T) {
	var missing atomic.Pointer[api.Error]
	f := project(t, map[string]string{"a.go": "package a // refunds"},
		func(f *fixture) { f.opt.NoModel = missing.Load }).run()
	f.build()
	if s := f.Snapshot(); s.State != api.StateReady {
		t.Fatalf("%+v", s)
	}
	missing.Store(api.ErrModelDownload(errors.New("no model here")))
	f.Wake()
	if s := f.Snapshot(); s.State != api.StateDegraded || s.Problem == nil || s.Problem.Code != api.ModelDownloadFailed {
		t.Errorf("without a model: %+v", s)
	}
	missing.Store(nil)
	f.Wake()
	if s := f.Snapshot(); s.State != api.StateReady || s.Problem != nil {
		t.Errorf("with one again: %+v", s)
	}
}

// An older snapshot could remain for minutes.
func TestNewestSnapshotStays(t *testing.T) {
	var made atomic.Int64
	f := project(t, map[string]string{"a.go": "package a // refunds"}, func(f *fixture) {
		f.opt.NoModel = func() *api.Error {
			return &api.Error{Code: api.ModelDownloadFailed, DeveloperMessage: strconv.FormatInt(made.Add(1), 10)}
		}
	}).run()
	f.build()
	for range 20_000 {
		var both sync.WaitGroup
		for range 16 {
			both.Go(func() { f.SetPending(0) })
		}
		both.Wait()
		if s := f.Snapshot(); s.Problem == nil || s.Problem.DeveloperMessage != strconv.FormatInt(made.Load(), 10) {
			t.Fatalf("%d snapshots were made, the last has the problem %+v", made.Load(), s.Problem)
		}
	}
}

package index_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"searchmcp/engine/api"
)

// TestWithoutAModelNothingIsReady: an index with all its vectors is searched by words only while there is no model to
// make a question's with, and says so until there is one.
func TestWithoutAModelNothingIsReady(t *testing.T) {
	var missing atomic.Pointer[api.Error]
	f := project(t, map[string]string{"a.go": "package a // refunds"},
		func(f *fixture) { f.opt.NoModel = missing.Load }).run()
	f.build()
	if s := f.Snapshot(); s.State != api.StateReady {
		t.Fatalf("%+v", s)
	}
	missing.Store(api.ErrModelDownload(errors.New("no model here")))
	f.Refresh()
	if s := f.Snapshot(); s.State != api.StateDegraded || s.Problem == nil || s.Problem.Code != api.ModelDownloadFailed {
		t.Errorf("without a model: %+v", s)
	}
	missing.Store(nil)
	f.Refresh()
	if s := f.Snapshot(); s.State != api.StateReady || s.Problem != nil {
		t.Errorf("with one again: %+v", s)
	}
}

//go:build unix

package site

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"searchmcp/engine/api"
)

func TestIndexThatIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.json")
	must(t, syscall.Mkfifo(path, 0o600))
	r := open(t, t.TempDir())
	done := make(chan error, 1)
	go func() { _, err := r.AddSite(t.Context(), api.SiteLocation{URL: path}, ""); done <- err }()
	select {
	case err := <-done:
		if err == nil {
			t.Error("a pipe was added")
		}
	case <-time.After(time.Minute):
		t.Fatal("waits")
	}
}

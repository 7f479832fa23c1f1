package engine

import (
	"strings"
	"sync/atomic"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
)

// TestPanicIsLoggedWithItsStack checks that a panic while indexing fails the job, is logged, and does not stop the
// project.
func TestPanicIsLoggedWithItsStack(t *testing.T) {
	t.Parallel()
	var faulty atomic.Bool
	e := openOpt(t, t.TempDir(), func(o *Options) {
		o.free = func(dir string) (int64, error) {
			if faulty.Load() {
				panic("a fault")
			}
			return disk.FreeBytes(dir)
		}
	})
	root := tree(t, shop)
	create(t, e, root)
	faulty.Store(true)
	j, err := e.Create(t.Context(), root, api.Approval{})
	if err != nil {
		t.Fatal(err)
	}
	<-j.Done()
	faulty.Store(false)
	if _, err := j.Result(); api.CodeOf(err) != api.Internal {
		t.Errorf("the job ended with %v", err)
	}
	lines, err := e.Logs(root, 0, "error")
	if log := strings.Join(lines, "\n"); err != nil || !strings.Contains(log, "a fault") || !strings.Contains(log,
		"TestPanicIsLoggedWithItsStack") {
		t.Errorf("the log does not say where it was: %v\n%s", err, log)
	}
	create(t, e, root)
	if r := find(t, e, root, "Charge"); len(r.Hits) == 0 {
		t.Error("nothing is found afterwards")
	}
}

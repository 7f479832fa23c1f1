package index

import (
	"fmt"
	"io/fs"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
)

// Its later removal is a change.
func TestUnreadableIsNotMissing(t *testing.T) {
	said := map[string]bool{}
	for term, cause := range map[string]error{api.TermUnreadable: fs.ErrPermission,
		api.StateOffline.Term(): fs.ErrNotExist} {
		for _, root := range []api.Root{{Path: "/p"}, {Name: "lib", Path: "/lib"}} {
			e := offline(root, fmt.Errorf("%w: %w", scan.ErrRootGone, cause))
			if got := (api.Project{State: api.StateOffline, Problem: e}).Term(); got != term {
				t.Errorf("%v: %q, want %q", cause, got, term)
			}
			said[(&status{offlineErr: e}).missingText()] = true
			said[(&status{missing: []*api.Error{e}}).missingText()] = true
		}
	}
	if len(said) != 8 {
		t.Errorf("%d different things are said: %v", len(said), said)
	}
}

package index

import (
	"fmt"
	"io/fs"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
)

func TestUnreadableIsNotMissing(t *testing.T) {
	for term, cause := range map[string]error{api.TermUnreadable: fs.ErrPermission,
		api.StateOffline.Term(): fs.ErrNotExist} {
		for _, root := range []api.Root{{Path: "/p"}, {Name: "lib", Path: "/lib"}} {
			e := MissingRootError(root, fmt.Errorf("%w: %w", scan.ErrRootGone, cause))
			if got := (api.Project{State: api.StateOffline, Problem: e}).Term(); got != term {
				t.Errorf("%v: %q, want %q", cause, got, term)
			}
		}
	}
}

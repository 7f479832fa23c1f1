package cli

import (
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
)

// TestTermsInStatus: the terminal calls a state what window, tray and guide do (app.TestTerms).
func TestTermsInStatus(t *testing.T) {
	for _, p := range []api.Project{{State: api.StateReady}, {State: api.StateEmbedding, Waiting: api.WaitingForPower},
		{State: api.StateOffline, Problem: &api.Error{Code: api.FolderUnreadable}}, {State: api.StateStalled}} {
		if got := (style{}).summary(p, time.Now()); !strings.HasPrefix(got, p.Term()) {
			t.Errorf("%q, want it to begin with %q", got, p.Term())
		}
	}
}

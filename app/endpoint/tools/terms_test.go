package tools

import (
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// TestTermsForAssistants: an assistant reads the term that its person reads (app.TestTerms).
func TestTermsForAssistants(t *testing.T) {
	for _, p := range []api.Project{{State: api.StateReady}, {State: api.StateEmbedding, Waiting: api.WaitingForPower},
		{State: api.StateOffline, Problem: &api.Error{Code: api.FolderUnreadable,
			UserMessage: "This project's folder can't be read."}}} {
		if got := stateMessage(p); !strings.HasPrefix(got, p.Term()+". ") {
			t.Errorf("%q, want it to begin with %q", got, p.Term())
		}
	}
}

package present

import (
	"testing"

	"searchmcp/engine/api"
)

func TestDocuments(t *testing.T) {
	p := func(s api.State) api.Project { return api.Project{ID: "p", State: s, DocFiles: 7} }
	for _, test := range []struct {
		name    string
		source  api.DocumentSource
		project api.Project
		mark    Mark
		line    string
		urgent  bool
	}{
		{"read", api.DocumentSource{Documents: 5}, p(api.StateReady), MarkReady, "5 documents", false},
		{"not read", api.DocumentSource{Reading: true}, p(api.StateReady), MarkReady, "7 documents", false},
		{"folder gone", api.DocumentSource{Reading: true}, p(api.StateOffline), MarkNeeds, "Folder not found", true},
		{"indexing", api.DocumentSource{Reading: true}, p(api.StateIndexing), MarkBusy, "Indexing · 7 documents", false},
		{"no model", api.DocumentSource{Reading: true}, p(api.StateDegraded), MarkReady, "7 documents", false},
		{"too many", api.DocumentSource{Documents: 5, Problem: "3 more are not served."}, p(api.StateReady), MarkNeeds,
			"3 more are not served.", true},
		{"added", api.DocumentSource{Reading: true}, api.Project{}, MarkBusy, "Reading…", false},
		{"added and read", api.DocumentSource{Documents: 1}, api.Project{}, MarkReady, "1 document", false},
	} {
		if v := DocumentsOf(test.source, test.project, now); v.Mark != test.mark || v.Line != test.line ||
			v.Urgent != test.urgent {
			t.Errorf("%s: %+v", test.name, v)
		}
	}
}

package present

import (
	"time"

	"searchmcp/engine/api"
)

// Documents is a folder of documents in a list of sources.
type Documents struct {
	Source    api.DocumentSource
	Mark      Mark
	Line      string // how many documents, or what keeps them away
	Urgent    bool   // Line is what a person has to act on
	Documents int
}

// DocumentsOf words a folder of documents. p is the project that it belongs to, the zero Project if there is none: a
// project's own state comes first, and while its folder is not read, its documents are those in its index: the app
// keeps few folders read, fewer than a person may have projects.
func DocumentsOf(d api.DocumentSource, p api.Project, now time.Time) Documents {
	v := Documents{Source: d, Mark: MarkReady, Documents: d.Documents}
	if p.ID != "" && d.Reading {
		v.Documents, d.Reading = p.DocFiles, false
	}
	v.Line = Count(v.Documents, "document")
	switch {
	case p.State == api.StateOffline || p.State == api.StateError:
		v.Mark, v.Line, v.Urgent = MarkNeeds, Said(p.Term()), true
	case d.Problem != "":
		v.Mark, v.Line, v.Urgent = MarkNeeds, Said(d.Problem), true
	case p.State == api.StateNotIndexed || p.State == api.StateIndexing || p.State == api.StatePaused:
		v.Mark, v.Line = RowOf(p, nil, "", now).Mark, Join(Said(p.Term()), v.Line)
	case d.Reading:
		v.Mark, v.Line = MarkBusy, T("Reading…")
	}
	return v
}

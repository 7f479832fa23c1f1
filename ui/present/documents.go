package present

import (
	"time"

	"searchmcp/engine/api"
)

type Documents struct {
	Source    api.DocumentSource
	Mark      Mark
	Line      string // number of documents or a problem
	Urgent    bool   // Line needs action
	Documents int
}

func DocumentsOf(d api.DocumentSource, p api.Project, now time.Time) Documents {
	v := Documents{Source: d, Mark: MarkReady, Documents: d.Documents}
	if p.ID != "" && d.Reading {
		v.Documents, d.Reading = p.DocFiles, false
	}
	v.Line = Count(v.Documents, "document")
	switch {
	case p.State == api.StateOffline || p.State == api.StateError:
		v.Mark, v.Line, v.Urgent = MarkNeeds, Sentence(p.Term()), true
	case d.Problem != "":
		v.Mark, v.Line, v.Urgent = MarkNeeds, Sentence(d.Problem), true
	case p.State == api.StateNotIndexed || p.State == api.StateIndexing || p.State == api.StatePaused:
		v.Mark, v.Line = RowOf(p, nil, "", now).Mark, Join(Sentence(p.Term()), v.Line)
	case d.Reading:
		v.Mark, v.Line = MarkBusy, T("Reading…")
	}
	return v
}

package tools

import (
	"testing"

	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

func TestPercentRisesThroughThePhases(t *testing.T) {
	last := -1.0
	for _, p := range []api.Progress{
		{Phase: api.PhaseWaiting}, {Phase: api.PhaseScanning, FilesTotal: 9}, {Phase: api.PhaseIndexing, FilesTotal: 9},
		{Phase: api.PhaseIndexing, FilesTotal: 9, FilesDone: 9}, {Phase: api.PhaseEmbedding, ChunksTotal: 7, ChunksDone: 1},
		{Phase: api.PhaseEmbedding, ChunksTotal: 7, ChunksDone: 8}, {Phase: api.PhaseFinishing},
	} {
		if got := p.Percent(); got <= last || got >= session.Percents {
			t.Errorf("%+v: %v after %v", p, got, last)
		} else {
			last = got
		}
	}
}

// TestProgressStaysBelowItsTotal checks files that were added after the last count of the total.
func TestProgressStaysBelowItsTotal(t *testing.T) {
	p := api.Progress{Phase: api.PhaseEmbedding, ChunksTotal: 995, ChunksDone: 1012}
	if got := describe(p); got != "Search by meaning: 995 of 995 passages" {
		t.Errorf("%q", got)
	}
}

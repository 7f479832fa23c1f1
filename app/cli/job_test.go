package cli

import (
	"strings"
	"testing"
	"time"

	"searchmcp/app/socket/client"
	"searchmcp/engine/api"
)

// TestAftermath checks the sentence about the state after Ctrl-C.
func TestAftermath(t *testing.T) {
	at := func(change func(*api.Project)) *api.Project {
		p := &api.Project{Files: 12, Chunks: 40, Vectors: 40, LastFull: time.Unix(1, 0)}
		change(p)
		return p
	}
	for _, x := range []struct {
		tool string
		p    *api.Project
		want string
	}{
		{"create_index", nil, "Cancelled. /p is not indexed."},
		{"create_index", at(func(p *api.Project) { p.LastFull = time.Time{} }), "Cancelled. /p is not indexed."},
		{"create_index", at(func(p *api.Project) { p.Vectors = 3 }), "12 files can be searched by words"},
		{"create_index", at(func(*api.Project) {}), "stays indexed"},
		{"create_index", at(func(p *api.Project) {
			p.Progress = &api.Progress{JobID: "j", Action: api.ActionCreate}
		}), "continues in Search MCP"},
		{"create_index", at(func(p *api.Project) { // changes of another job
			p.Progress = &api.Progress{JobID: "j", Action: api.ActionUpdate}
		}), "stays indexed"},
		{"reindex_project", at(func(*api.Project) {}), "The index is unchanged"},
		{"reindex_file", at(func(*api.Project) {}), "will still read"},
		{"delete_index", nil, "has been deleted"},
		{"delete_index", at(func(*api.Project) {}), "Nothing was changed"},
	} {
		if got := aftermath(x.tool, "/p", x.p); !strings.Contains(got, x.want) {
			t.Errorf("%s: %q lacks %q", x.tool, got, x.want)
		}
	}
}

func TestTheRemainingTimeFits(t *testing.T) {
	const passages = "Preparing search by meaning: 12345 of 67890 passages"
	for _, x := range []struct {
		columns          int
		text, rate, want string
	}{
		{80, "Reading files: 120 of 4812, about 2m 10s left", " (34 files/s)",
			"Reading files: 120 of 4812, about 2m 10s left (34 files/s)"},
		{79, "Reading files: 120 of 4812, about 2m 10s left", " (34 files/s)",
			"Reading files: 120 of 4812, about 2m 10s left"},
		{80, passages + ", about 12m 5s left", "", "Preparing search by meaning: 12345 of …, about 12m 5s left"},
		{40, passages + ", about 12m 5s left", "", ""},
		{40, "Finishing", "", "Finishing"},
	} {
		b := bar{width: x.columns - barLeast - barFrame}
		if got := b.fit(x.text, x.rate); got != x.want {
			t.Errorf("%d columns: %q, want %q", x.columns, got, x.want)
		}
	}
}

// TestBarShowsTheStep checks that the bar shows the share of the counts in its text.
func TestBarShowsTheStep(t *testing.T) {
	var b bar
	for _, x := range []struct {
		text      string
		all, want float64
	}{
		{"Looking for files: 12 so far", 1, 0.01}, {"Reading files: 320 of 400", 10, 0.8},
		{"Reading files: 330 of 500", 10, 0.8}, {"Search by meaning: 500 of 1,000 passages", 50, 0.5}, {"Finishing", 99, 0.5},
	} {
		if got := b.shareOf(client.ToolProgress{Message: x.text, Progress: x.all, Total: 100}); got != x.want {
			t.Errorf("%s: %v, want %v", x.text, got, x.want)
		}
	}
}

func TestPausedJobIsExplainedOnce(t *testing.T) {
	var out strings.Builder
	b := bar{err: &out}
	for range 2 {
		b.event(api.Event{Kind: api.EventProgress, Progress: &api.Progress{Phase: api.PhasePaused, Started: time.Now()}})
	}
	if got := out.String(); got != "Indexing is paused. Continue it with: search-mcp resume\n" {
		t.Errorf("%q", got)
	}
}

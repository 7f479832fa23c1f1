package project

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

func (r *Registry) Examine(ctx context.Context, root string) []api.Finding {
	var out []api.Finding
	list := r.List()
	if root != "" {
		p := r.Find(root)
		if b, ok := r.brokenOf(root); ok {
			return []api.Finding{brokenFinding(b)}
		}
		if p == nil {
			return []api.Finding{{Subject: root, Text: "This folder has no index.",
				Remedy: "Index it (search-mcp index " + root + ")."}}
		}
		list = []*Project{p}
	}
	if len(list) == 0 {
		out = append(out, api.Finding{OK: true, Subject: "projects", Text: "No project is indexed yet.",
			Remedy: "Add a folder (search-mcp index DIR)."})
	}
	examined := make([]func() []api.Finding, len(list))
	for i, p := range list {
		examined[i] = WithTimeLimit(ctx, "project "+p.record().Name, p.examine)
	}
	for _, findings := range examined {
		out = append(out, findings()...)
	}
	if root == "" {
		for _, b := range r.brokenList() {
			out = append(out, brokenFinding(b))
		}
	}
	return out
}

// WithTimeLimit calls examine in a goroutine. The returned function waits for the result of examine. If ctx ends first,
// it reports that examining subject took too long.
func WithTimeLimit(
	ctx context.Context, subject string, examine func(context.Context) []api.Finding,
) func() []api.Finding {
	done := make(chan []api.Finding, 1)
	go func() { done <- examine(ctx) }()
	return func() []api.Finding {
		select {
		case out := <-done:
			return out
		case <-ctx.Done():
			return []api.Finding{{Subject: subject, Text: "The check timed out: this part is busy or not responding.",
				Remedy: "Try again. If the problem persists, quit Search MCP and start it again."}}
		}
	}
}

func (p *Project) examine(ctx context.Context) []api.Finding {
	snap := p.Snapshot()
	name := "project " + snap.Name
	var out []api.Finding
	add := func(ok bool, text, detail, remedy string) {
		out = append(out, api.Finding{OK: ok, Subject: name, Text: text, Detail: detail, Remedy: remedy})
	}
	// The engine reports a failed download of the model.
	if snap.Problem != nil && snap.Problem.Code != api.ModelDownloadFailed {
		add(false, snap.Problem.UserMessage, firstLine(snap.Problem.DeveloperMessage), help[snap.Problem.Code])
	}
	note := p.history.Note()
	if note != "" {
		add(false, note, "", "")
	}
	for _, w := range snap.Warnings {
		if w == note {
			continue
		}
		add(false, w, "", "Correct the project's settings (search-mcp status shows where config.json is).")
	}
	for _, n := range snap.Notices {
		add(n.Code == api.IndexCorrupt, n.UserMessage, n.DeveloperMessage, remedies[n.Code])
	}
	routine := func(text string) {
		out = append(out, api.Finding{OK: true, Subject: name, Text: text, Routine: true})
	}
	for _, text := range omissions(snap) {
		routine(text)
	}
	if snap.State == api.StateOffline || snap.State == api.StatePaused && snap.Problem != nil {
		return out // already reported above
	}
	if snap.WatcherNote != "" || !snap.WatcherActive {
		add(snap.WatcherActive, cmp.Or(snap.WatcherNote, "Changes to its files are currently not being detected."), "", "")
	}
	report, err := p.actor.Store().Check(ctx)
	if err != nil {
		add(false, "The parts of the index can't be compared.", err.Error(), rebuild)
		return out
	}
	if report.Clean() {
		routine(fmt.Sprintf("%d files, %d passages, %d with vectors; fingerprints, text index and vectors agree.",
			snap.Files, snap.Chunks, snap.Vectors))
		return out
	}
	for corpus, c := range report.Corpora {
		describeCheck(c, func(text, detail string) {
			add(false, text, strings.TrimSuffix(string(corpus)+": "+detail, ": "),
				"It repairs itself within a minute; to repair it now, rebuild the index (search-mcp reindex).")
		})
	}
	if n := len(report.InBothCorpora); n > 0 {
		add(false, fmt.Sprintf("%d files are in both the code index and the docs index.", n), "", rebuild)
	}
	return out
}

const rebuild = "Rebuild its index (search-mcp reindex)."

var help = map[api.Code]string{
	api.ProjectOffline:   "Connect the disk, or click Locate… under Projects and choose the folder's new location.",
	api.FolderUnreadable: "Give yourself read access to the folder.",
	api.IndexCorrupt:     rebuild,
	api.PermissionDenied: "Give yourself write access to the folder.",
	api.DiskFull:         "Free up space, or delete indexes you don't need (search-mcp projects).",
	api.ConfigInvalid:    "Correct the project's settings (search-mcp status shows where config.json is).",
}

var remedies = map[api.Code]string{
	api.PermissionDenied: "Give yourself permission to read them, or exclude them in the project's settings.",
	api.FileLimitWarning: "Exclude some in the project's settings, or raise the limit there (maxFiles).",
	api.ProjectOffline:   "Connect the disk, or remove the folder from the project (search-mcp root remove DIR).",
	api.FolderUnreadable: "Give yourself read access to the folder.",
}

func describeCheck(c store.CorpusCheck, add func(text, detail string)) {
	if n := len(c.NoRows); n > 0 {
		add(fmt.Sprintf("%d files are listed as indexed but have no text, for example %s.", n, c.NoRows[0]), "")
	}
	if c.OrphanRows > 0 {
		add(fmt.Sprintf("%d passages don't belong to an indexed file; searches ignore them.", c.OrphanRows), "")
	}
	if c.OrphanVectors > 0 {
		add(fmt.Sprintf("%d vectors don't belong to any passage; searches ignore them.", c.OrphanVectors), "")
	}
	if c.VectorProblem != "" {
		add("The vectors can't be read.", firstLine(c.VectorProblem))
	}
}

// firstLine returns the first line of an error. LanceDB's errors contain a stack trace after the first line.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func brokenFinding(b api.Project) api.Finding {
	return api.Finding{
		Subject: "project " + b.Name, Text: b.Problem.UserMessage, Detail: b.Problem.DeveloperMessage,
		Remedy: "Delete the index and index the folder again (search-mcp delete " + b.Root() +
			", then search-mcp index " + b.Root() + ").",
	}
}

package project

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// Examine checks one project, all of them for "": folder, watcher, and the stores against each other.
func (r *Registry) Examine(ctx context.Context, root string) []api.Finding {
	var out []api.Finding
	list := r.List()
	if root != "" {
		p := r.Find(root)
		if b, ok := r.brokenOf(root); ok {
			return []api.Finding{brokenFinding(b)}
		}
		if p == nil {
			return []api.Finding{{Subject: root, Text: "This folder has no index.", Remedy: "search-mcp index " + root}}
		}
		list = []*Project{p}
	}
	if len(list) == 0 {
		out = append(out, api.Finding{OK: true, Subject: "projects", Text: "No project is indexed yet.",
			Remedy: "search-mcp index DIR"})
	}
	for _, p := range list {
		out = append(out, p.examine(ctx)...)
	}
	if root == "" {
		for _, b := range r.brokenList() {
			out = append(out, brokenFinding(b))
		}
	}
	return out
}

// examine checks one project: its folder, its watcher, and its stores against each other.
func (p *Project) examine(ctx context.Context) []api.Finding {
	snap := p.Snapshot()
	name := "project " + snap.Name
	var out []api.Finding
	say := func(ok bool, text, remedy string) {
		out = append(out, api.Finding{OK: ok, Subject: name, Text: text, Remedy: remedy})
	}
	if snap.Problem != nil {
		say(false, snap.Problem.Person()+" ("+firstLine(snap.Problem.DeveloperMessage)+")", help[snap.Problem.Code])
	}
	for _, w := range snap.Warnings {
		say(false, w, "search-mcp settings, or edit config.json of the project")
	}
	for _, n := range snap.Notices {
		say(false, n.UserMessage+" ("+n.DeveloperMessage+")", remedies[n.Code])
	}
	routine := func(text string) {
		out = append(out, api.Finding{OK: true, Subject: name, Text: text, Routine: true})
	}
	for _, text := range omissions(snap) {
		routine(text)
	}
	if snap.State == api.StateOffline || snap.State == api.StatePaused && snap.Problem != nil {
		return out // nothing is watched nor compared then, for the reason that is said
	}
	if snap.WatcherNote != "" || !snap.WatcherActive {
		say(snap.WatcherActive, "Watching: "+cmp.Or(snap.WatcherNote, "not active"), "")
	}
	report, err := p.actor.Store().Check(ctx)
	if err != nil {
		say(false, "The stores can't be compared: "+err.Error(), "search-mcp reindex")
		return out
	}
	text := fmt.Sprintf("%d files, %d passages, %d with vectors; fingerprints, text index and vectors agree.",
		snap.Files, snap.Chunks, snap.Vectors)
	if report.Clean() {
		routine(text)
		return out
	}
	for corpus, c := range report.Corpora {
		for _, line := range describeCheck(c) {
			say(false, string(corpus)+": "+line, "It is repaired at the next start; search-mcp reindex does it now.")
		}
	}
	if n := len(report.InBothCorpora); n > 0 {
		say(false, fmt.Sprintf("%d files are in code and docs at once.", n), "search-mcp reindex")
	}
	return out
}

// help says what a person can do about a project's problem.
var help = map[api.Code]string{
	api.ProjectOffline:      "Connect the disk, or say in the window where the folder is now: Projects, Locate…",
	api.FolderUnreadable:    "Give yourself the right to read the folder.",
	api.IndexCorrupt:        "search-mcp reindex",
	api.DiskFull:            "Free up space, or delete indexes you don't need: search-mcp projects",
	api.ModelDownloadFailed: "Install Search MCP again.",
	api.ConfigInvalid:       "Correct config.json of the project: search-mcp status says where it is.",
}

// remedies say what a person can do about a notice.
var remedies = map[api.Code]string{
	api.PermissionDenied: "Make them readable for you, or leave them out by exclude in config.json of the project.",
	api.FileLimitWarning: "Leave some out by exclude in config.json of the project, or raise maxFiles there.",
	api.ProjectOffline:   "Connect the disk, or take the folder out: search-mcp root remove DIR",
	api.FolderUnreadable: "Give yourself the right to read the folder.",
}

// omissions say what is not in the index, a sentence for each reason.
func omissions(p api.Project) []string {
	var out []string
	for _, reason := range slices.Sorted(maps.Keys(p.Skipped)) {
		if reason == api.SkipUnreadable { // a notice says so
			continue
		}
		n, names := p.Skipped[reason], p.Examples[reason]
		text := fmt.Sprintf("Left out: %d, because %s", n, reason.InWords())
		if len(names) > 0 {
			text += ": " + strings.Join(names, ", ")
		}
		if more := n - len(names); len(names) > 0 && more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		out = append(out, text+".")
	}
	for _, f := range p.Partial {
		out = append(out, "Indexed in part: "+f.Path+" ("+f.InWords()+").")
	}
	if more := p.PartialFiles - len(p.Partial); more > 0 {
		out = append(out, fmt.Sprintf("Indexed in part: %d more files.", more))
	}
	return out
}

func describeCheck(c store.CorpusCheck) []string {
	var out []string
	if n := len(c.NoRows); n > 0 {
		out = append(out, fmt.Sprintf("%d files are listed as indexed but have no text, %s among them.", n, c.NoRows[0]))
	}
	if c.OrphanRows > 0 {
		out = append(out, fmt.Sprintf("%d rows belong to no listed file; searches pass over them.", c.OrphanRows))
	}
	if c.OrphanVectors > 0 {
		out = append(out, fmt.Sprintf("%d vectors belong to no chunk; searches pass over them.", c.OrphanVectors))
	}
	if c.VectorProblem != "" {
		out = append(out, "vectors: "+firstLine(c.VectorProblem))
	}
	return out
}

// firstLine leaves out the stack that a native library appends to its errors.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func brokenFinding(b api.Project) api.Finding {
	return api.Finding{
		Subject: "project " + b.Name, Text: b.Problem.UserMessage + " (" + b.Problem.DeveloperMessage + ")",
		Remedy: "search-mcp delete " + b.Root() + ", then search-mcp index " + b.Root(),
	}
}

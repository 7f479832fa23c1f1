package engine

import (
	"context"
	"fmt"
	"os"

	"searchmcp/engine/api"
	"searchmcp/engine/embed"
	"searchmcp/engine/index"
	"searchmcp/engine/store"
)

// Model is "loaded", "unloaded" (it loads when it is needed), "missing" or "failed".
func (e *Engine) Model() string {
	if e.embedder == nil {
		return "failed"
	}
	if e.embedder.Loaded() {
		return "loaded"
	}
	for _, p := range e.Problems() {
		if p.Code == api.ModelDownloadFailed {
			return "missing"
		}
	}
	return "unloaded"
}

// leastFree is the free space below which doctor warns: an index of a middling project.
const leastFree = 1 << 30

// Doctor examines the app, and one project or all of them for "".
func (e *Engine) Doctor(ctx context.Context, root string) []api.Finding {
	out := e.examineApp(ctx)
	list := e.list()
	if root != "" {
		p := e.byRoot(root)
		if b, ok := e.brokenOf(root); ok {
			return append(out, brokenFinding(b))
		}
		if p == nil {
			return append(out, api.Finding{Subject: root, Text: "This folder has no index.", Remedy: "search-mcp index " + root})
		}
		list = []*project{p}
	}
	if len(list) == 0 {
		out = append(out, api.Finding{OK: true, Subject: "projects", Text: "No project is indexed yet.", Remedy: "search-mcp index DIR"})
	}
	for _, p := range list {
		out = append(out, p.examine(ctx)...)
	}
	if root == "" {
		for _, b := range e.brokenList() {
			out = append(out, brokenFinding(b))
		}
	}
	return out
}

func (e *Engine) examineApp(ctx context.Context) []api.Finding {
	var out []api.Finding
	info, err := os.Stat(e.opt.Data)
	switch {
	case err != nil:
		out = append(out, api.Finding{Subject: "data folder", Text: err.Error()})
	case info.Mode().Perm()&0o077 != 0:
		out = append(out, api.Finding{Subject: "data folder", Text: "Other users can look into " + e.opt.Data + ".",
			Remedy: "chmod 700 " + e.opt.Data})
	default:
		out = append(out, api.Finding{OK: true, Subject: "data folder", Text: e.opt.Data + ", yours alone"})
	}
	if free, err := index.FreeBytes(e.opt.Data); err == nil {
		f := api.Finding{OK: free >= leastFree, Subject: "disk", Text: fmt.Sprintf("%.1f GB free", float64(free)/(1<<30))}
		if !f.OK {
			f.Remedy = "Free up space, or delete indexes you don't need: search-mcp projects"
		}
		out = append(out, f)
	}
	if path, err := embed.LibraryPath(); err != nil {
		out = append(out, api.Finding{Subject: "ONNX Runtime", Text: err.Error(), Remedy: "Install Search MCP again."})
	} else {
		out = append(out, api.Finding{OK: true, Subject: "ONNX Runtime", Text: path})
	}
	if dir, err := embed.Locate(ctx, embed.LocateOptions{Log: e.log}); err != nil {
		out = append(out, api.Finding{Subject: "model", Text: err.Error(), Remedy: "Install Search MCP again."})
	} else {
		out = append(out, api.Finding{OK: true, Subject: "model", Text: dir + ", unharmed"})
	}
	for _, p := range e.Problems() {
		out = append(out, api.Finding{Subject: "app", Text: p.UserMessage + " (" + p.DeveloperMessage + ")"})
	}
	return out
}

// examine checks one project: its folder, its watcher, and its stores against each other.
func (p *project) examine(ctx context.Context) []api.Finding {
	snap := p.snapshot()
	name := "project " + snap.Name
	var out []api.Finding
	say := func(ok bool, text, remedy string) {
		out = append(out, api.Finding{OK: ok, Subject: name, Text: text, Remedy: remedy})
	}
	if snap.Problem != nil {
		say(false, snap.Problem.UserMessage+" ("+snap.Problem.DeveloperMessage+")", "")
	}
	for _, w := range snap.Warnings {
		say(false, w, "search-mcp settings, or edit config.json of the project")
	}
	if snap.WatcherNote != "" || !snap.WatcherActive {
		say(snap.WatcherActive, "Watching: "+orElse(snap.WatcherNote, "not active"), "")
	}
	report, err := p.actor.Store().Check(ctx)
	if err != nil {
		say(false, "The stores can't be compared: "+err.Error(), "search-mcp reindex")
		return out
	}
	text := fmt.Sprintf("%d files, %d chunks, %d with vectors; fingerprints, text index and vectors agree.",
		snap.Files, snap.Chunks, snap.Vectors)
	if report.Clean() {
		say(true, text, "")
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

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
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
		out = append(out, "vectors: "+c.VectorProblem)
	}
	return out
}

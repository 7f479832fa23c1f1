package engine

import (
	"context"
	"fmt"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo"
	"searchmcp/engine/host/datadir"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/project"
)

// Doctor reports a problem if fewer bytes of disk space are free. The index of a medium-sized project needs as much.
const leastFree = 1 << 30

// doctorWithin is Doctor's time limit if its context has no deadline.
const doctorWithin = 8 * time.Second

// Doctor examines the app and its projects. If root is not "", it examines only the project at root.
func (e *Engine) Doctor(ctx context.Context, root string) []api.Finding {
	if _, given := ctx.Deadline(); !given {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, doctorWithin)
		defer cancel()
	}
	var parts []func() []api.Finding
	for _, p := range []struct {
		subject string
		examine func(context.Context) []api.Finding
	}{{"data folder", e.examineData}, {"worker", e.examineWorkers}, {"git", examineGit}, {"model", e.examineModel}} {
		parts = append(parts, project.InTime(ctx, p.subject, p.examine))
	}
	projects := e.Registry.Examine(ctx, root)
	var out []api.Finding
	for _, findings := range parts {
		out = append(out, findings()...)
	}
	if names := e.Unread(); len(names) > 0 {
		out = append(out, api.Finding{OK: true, Subject: "documents", Text: api.UnreadLine(names)})
	}
	return append(out, projects...)
}

func (e *Engine) examineData(context.Context) []api.Finding {
	var out []api.Finding
	reach, remedy, err := datadir.OthersReach(e.opt.Data)
	switch {
	case err != nil:
		out = append(out, api.Finding{Subject: "data folder",
			Text: "Search MCP can't determine who has access to the data folder.", Detail: err.Error()})
	case reach:
		out = append(out, api.Finding{Subject: "data folder", Text: "Other users can read " + e.opt.Data + ".",
			Remedy: remedy})
	default:
		out = append(out, api.Finding{OK: true, Subject: "data folder", Text: e.opt.Data + " is readable only by you"})
	}
	if err := disk.Writable(e.opt.Data); err != nil {
		out = append(out, api.Finding{Subject: "data folder", Text: "The data folder is not writable.",
			Detail: err.Error(), Remedy: "Give yourself write access to the folder."})
	}
	if free, err := disk.FreeBytes(e.opt.Data); err == nil {
		f := api.Finding{OK: free >= leastFree, Subject: "disk", Text: fmt.Sprintf("%.1f GB free", float64(free)/(1<<30))}
		if !f.OK {
			f.Text = fmt.Sprintf("Only %d MB is free on its disk.", free>>20)
			f.Remedy = "Free up space, or delete indexes you don't need (search-mcp projects)."
		}
		out = append(out, f)
	}
	return out
}

// examineModel examines the embedding model and ONNX Runtime.
func (e *Engine) examineModel(ctx context.Context) []api.Finding {
	var out []api.Finding
	if path, err := embed.LibraryPath(); err != nil {
		out = append(out, api.Finding{Subject: "ONNX Runtime", Text: "The library for search by meaning is missing.",
			Detail: err.Error(), Remedy: "Install Search MCP again."})
	} else {
		out = append(out, api.Finding{OK: true, Subject: "ONNX Runtime", Text: path})
	}
	if dir, err := embed.Locate(ctx, embed.LocateOptions{Log: e.log}); err != nil {
		out = append(out, api.Finding{Subject: "model", Text: modelProblem(err).UserMessage, Detail: err.Error(),
			Remedy: "Search MCP keeps looking for it. If it is still missing later, reinstall Search MCP."})
	} else {
		out = append(out, api.Finding{OK: true, Subject: "model", Text: dir + " is intact"})
	}
	reported := map[string]bool{}
	for _, f := range out {
		reported[f.Subject] = reported[f.Subject] || !f.OK
	}
	for _, p := range e.Problems() {
		if p.Code == api.ModelDownloadFailed && (reported["model"] || reported["ONNX Runtime"]) {
			continue
		}
		out = append(out, api.Finding{Subject: "app", Text: p.UserMessage, Detail: p.DeveloperMessage,
			Remedy: remedies[p.Code]})
	}
	return out
}

var remedies = map[api.Code]string{
	api.ModelDownloadFailed: "Install Search MCP again, or connect this computer to the internet.",
	api.ConfigInvalid:       "Correct the setting. To see its value, run search-mcp settings get.",
	api.IndexCorrupt:        "Rebuild the index of each project that is not searchable (search-mcp reindex).",
	api.Internal: "Check the log (search-mcp logs). If the problem persists, quit Search MCP and " +
		"start it again.",
}

func (e *Engine) examineWorkers(ctx context.Context) []api.Finding {
	path, err := worker.Program()
	if err != nil {
		return []api.Finding{{Subject: "worker", Text: "A part of Search MCP is missing.", Detail: err.Error(),
			Remedy: "Install Search MCP again."}}
	}
	for _, kind := range worker.Kinds {
		if err := e.workers[kind].Start(ctx); err != nil {
			found := api.Finding{Subject: "worker", Text: "A part of Search MCP can't be started.",
				Detail: string(kind) + ": " + err.Error(), Remedy: "Install Search MCP again."}
			if e := api.ErrOpenFiles(err); e != nil {
				found.Text, found.Remedy = e.UserMessage, ""
			}
			return []api.Finding{found}
		}
	}
	out := []api.Finding{{OK: true, Subject: "worker", Text: path + ", of the app's version"}}
	for _, kind := range worker.Kinds {
		if n, last := e.workers[kind].Deaths(time.Now().Add(-loopTime)); n >= loopOfCrashes {
			out = append(out, api.Finding{Subject: "worker",
				Text:   fmt.Sprintf("A part of Search MCP exited unexpectedly %d times in the last hour.", n),
				Detail: fmt.Sprintf("%s: %v", kind, last), Remedy: remedies[api.Internal]})
		}
	}
	return out
}

func examineGit(context.Context) []api.Finding {
	path, err := repo.Program()
	if err != nil {
		path = "not installed where programs usually are"
	}
	return []api.Finding{{OK: true, Subject: "git", Text: path}}
}

// Package doctor examines the data folder, the workers, git, the embedding model and the projects.
package doctor

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo"
	"searchmcp/engine/host/datadir"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/model"
	"searchmcp/engine/project"
)

// Doctor examines the parts of the app in its fields.
type Doctor struct {
	Data     string
	Workers  map[worker.Kind]*native.Process
	Problems func() []api.Error
	Unread   func() []string // names of the documents that crashed the parser
	Projects *project.Registry
	Log      *slog.Logger
}

// leastFree is the free disk space in bytes below which Examine reports a problem. The index of a medium-sized project
// needs as much.
const leastFree = 1 << 30

// A loop of crashes is ManyCrashes crashes within CrashWindow.
const (
	ManyCrashes = 3
	CrashWindow = time.Hour
)

// timeLimit is Examine's time limit if its context has no deadline.
const timeLimit = 8 * time.Second

// Examine examines the app and its projects. If root is not "", it examines only the project at root.
func (d *Doctor) Examine(ctx context.Context, root string) []api.Finding {
	if _, given := ctx.Deadline(); !given {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeLimit)
		defer cancel()
	}
	parts := []func() []api.Finding{
		project.WithTimeLimit(ctx, "data folder", d.examineData), project.WithTimeLimit(ctx, "worker", d.examineWorkers),
		project.WithTimeLimit(ctx, "git", examineGit), project.WithTimeLimit(ctx, "model", d.examineModel),
	}
	projects := d.Projects.Examine(ctx, root)
	var out []api.Finding
	for _, findings := range parts {
		out = append(out, findings()...)
	}
	if names := d.Unread(); len(names) > 0 {
		out = append(out, api.Finding{OK: true, Subject: "documents", Text: api.UnreadLine(names)})
	}
	return append(out, projects...)
}

func (d *Doctor) examineData(context.Context) []api.Finding {
	var out []api.Finding
	reach, remedy, err := datadir.OthersHaveAccess(d.Data)
	switch {
	case err != nil:
		out = append(out, api.Finding{Subject: "data folder",
			Text: "Search MCP can't determine who has access to the data folder.", Detail: err.Error()})
	case reach:
		out = append(out, api.Finding{Subject: "data folder", Text: "Other users can read " + d.Data + ".",
			Remedy: remedy})
	default:
		out = append(out, api.Finding{OK: true, Subject: "data folder", Text: d.Data + " is readable only by you"})
	}
	if err := disk.Writable(d.Data); err != nil {
		out = append(out, api.Finding{Subject: "data folder", Text: "The data folder is not writable.",
			Detail: err.Error(), Remedy: "Give yourself write access to the folder."})
	}
	if free, err := disk.FreeBytes(d.Data); err == nil {
		f := api.Finding{OK: free >= leastFree, Subject: "disk", Text: fmt.Sprintf("%.1f GB are free", float64(free)/(1<<30))}
		if !f.OK {
			f.Text = fmt.Sprintf("Only %d MB is free on its disk.", free>>20)
			f.Remedy = "Free up space, or delete indexes you don't need (search-mcp projects)."
		}
		out = append(out, f)
	}
	return out
}

// examineModel examines the embedding model and ONNX Runtime.
func (d *Doctor) examineModel(ctx context.Context) []api.Finding {
	var out []api.Finding
	if path, err := embed.LibraryPath(); err != nil {
		out = append(out, api.Finding{Subject: "ONNX Runtime", Text: "The library for search by meaning is missing.",
			Detail: err.Error(), Remedy: "Install Search MCP again."})
	} else {
		out = append(out, api.Finding{OK: true, Subject: "ONNX Runtime", Text: path})
	}
	if dir, err := embed.Locate(ctx, embed.LocateOptions{Log: d.Log}); err != nil {
		out = append(out, api.Finding{Subject: "model", Text: model.Problem(err).UserMessage, Detail: err.Error(),
			Remedy: "Search MCP keeps looking for it. If it is still missing later, reinstall Search MCP."})
	} else {
		out = append(out, api.Finding{OK: true, Subject: "model", Text: dir + " is intact"})
	}
	reported := slices.ContainsFunc(out, func(f api.Finding) bool { return !f.OK })
	for _, p := range d.Problems() {
		if p.Code == api.ModelDownloadFailed && reported {
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

func (d *Doctor) examineWorkers(ctx context.Context) []api.Finding {
	path, err := worker.Program()
	if err != nil {
		return []api.Finding{{Subject: "worker", Text: "A part of Search MCP is missing.", Detail: err.Error(),
			Remedy: "Install Search MCP again."}}
	}
	for _, kind := range worker.Kinds {
		if err := d.Workers[kind].Start(ctx); err != nil {
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
		if n, last := d.Workers[kind].Deaths(time.Now().Add(-CrashWindow)); n >= ManyCrashes {
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

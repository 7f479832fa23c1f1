package tools

import (
	"context"
	"fmt"
	"slices"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

type statusResult struct {
	Status           string `json:"status" doc:"not_indexed, indexing, embedding, ready, paused, offline, degraded or error"`
	ProjectPath      string `json:"projectPath"`
	TotalFiles       int    `json:"totalFiles"`
	TotalChunks      int    `json:"totalChunks"`
	LastUpdated      string `json:"lastUpdated" doc:"Empty: never"`
	StorageSize      string `json:"storageSize"`
	WatcherActive    bool   `json:"watcherActive"`
	_                beyondRFC
	Message          string       `json:"message"`
	Name             string       `json:"name"`
	Roots            []api.Root   `json:"roots,omitempty"`
	DocFiles         int          `json:"docFiles"`
	DocChunks        int          `json:"docChunks"`
	Vectors          int          `json:"vectors" doc:"Chunks found by meaning"`
	Static           int          `json:"staticVectors,omitempty" doc:"More chunks, found by quick vectors so far"`
	PendingFiles     int          `json:"pendingFiles"`
	IndexingStrategy string       `json:"indexingStrategy"`
	LastFullIndex    string       `json:"lastFullIndex,omitempty"`
	WatcherNote      string       `json:"watcherNote,omitempty"`
	Waiting          string       `json:"waiting,omitempty"`
	Warnings         []string     `json:"warnings,omitempty"`
	Problem          *api.Error   `json:"problem,omitempty"`
	Progress         *jobProgress `json:"progress,omitempty"`
	SharedIndex      string       `json:"sharedIndex,omitempty"`
	OtherProjects    []string     `json:"otherProjects,omitempty"`
	omissions
	notes
}

func getIndexStatus() tool {
	return define(tool{
		name: "get_index_status", title: "Index status",
		sentence: "Returns diagnostic information about the current index.",
		more:     "Progress, and why a file is not found.",
		output:   statusResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a projectParam) (any, error) {
		roots, err := c.projects(ctx, one(a.Project))
		if err != nil {
			return nil, err
		}
		p, err := c.engine.Status(ctx, roots[0])
		if err != nil {
			return nil, err
		}
		r := &statusResult{
			Status: string(p.State), ProjectPath: roots[0], TotalFiles: p.Files, TotalChunks: p.Chunks,
			LastUpdated: display.Time(p.LastUpdated), StorageSize: display.Size(p.SizeBytes), WatcherActive: p.WatcherActive,
			Message: p.Term() + ". " + explained(p), Name: p.Name, DocFiles: p.DocFiles, DocChunks: p.DocChunks,
			Vectors: p.Vectors, Static: min(p.Static, p.Chunks-p.Vectors),
			PendingFiles: p.Pending, IndexingStrategy: string(p.Strategy), LastFullIndex: display.Time(p.LastFull),
			WatcherNote: p.WatcherNote, Waiting: p.Waiting, Warnings: slices.Clone(p.Warnings),
			OtherProjects: slices.Clone(roots[1:]), omissions: omissionsOf(p),
		}
		if len(p.Roots) > 1 {
			r.Roots = slices.Clone(p.Roots)
		}
		if p.Problem != nil {
			r.Problem = problemOf(p.Problem)
		}
		if p.Progress != nil {
			r.Progress = figures(*p.Progress)
		}
		if s := p.Shared; s != nil {
			r.SharedIndex = fmt.Sprintf("%s (%d files)", s.Location, s.Files)
			for _, more := range []string{s.Note, s.Problem} {
				if more != "" {
					r.SharedIndex += "; " + more
				}
			}
		}
		return r, nil
	})
}

func explained(p api.Project) string {
	switch {
	case p.State == api.StatePaused && p.Problem != nil, p.State == api.StateOffline && p.Problem != nil:
		return p.Problem.UserMessage
	case p.State == api.StateNotIndexed:
		return "This project has no index yet. create_index creates it after the user has approved."
	case p.State == api.StateReady:
		return readyMessage(p)
	}
	text := map[api.State]string{
		api.StateIndexing:  "Files are being indexed. Searches use the files indexed so far.",
		api.StateEmbedding: "Every file can be searched by words, and by meaning with quick vectors. Better vectors follow.",
		api.StatePaused:    "The user has paused indexing. Changes are not indexed until it is resumed in the app.",
		api.StateDegraded:  "Searches use only words and quick vectors at the moment, because the model can't be used.",
		api.StateStalled:   "Searches use the older index; recent changes can't be indexed at the moment.",
		api.StateError:     "The index can't be used.",
	}[p.State]
	if p.Problem != nil {
		text += " " + p.Problem.UserMessage
	}
	if p.Progress != nil && p.State != api.StatePaused { // a paused job makes no progress
		text += " " + describe(*p.Progress) + "."
	}
	if p.Waiting != "" {
		text += " " + p.Waiting
	}
	if p.Pending > 0 {
		text += fmt.Sprintf(" %s changed and not yet indexed.", display.Files(p.Pending))
	}
	return text
}

func readyMessage(p api.Project) string {
	switch {
	case p.Files == 0 && p.Pending == 0:
		return "The index is empty because this folder has no files that are allowed to be indexed."
	case p.Pending == 0 && p.WatcherActive:
		return "The index is complete and kept up to date."
	case p.Pending == 0 && p.WatcherNote != "":
		return "The index is complete, but some changes are currently not being detected. " + p.WatcherNote
	case p.Pending == 0:
		return "The index is complete, but changes are currently not being detected."
	case p.Strategy == api.Realtime:
		return fmt.Sprintf("The index is complete except for %s that changed just now.", display.Files(p.Pending))
	}
	return fmt.Sprintf("The index is complete except for %s that changed since. The strategy '%s' indexes them later.",
		display.Files(p.Pending), p.Strategy)
}

func (r *statusResult) shrink(share float64) bool {
	return drop(share, to(1, &r.Warnings), to(0, &r.OtherProjects)) || r.omissions.shrink(share)
}

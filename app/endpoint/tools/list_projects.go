package tools

import (
	"context"
	"fmt"
	"slices"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

type listResult struct {
	Projects      []listed `json:"projects"`
	TotalProjects int      `json:"totalProjects"`
	notes
}

type listed struct {
	Name          string   `json:"name"`
	ProjectPath   string   `json:"projectPath"`
	Status        string   `json:"status"`
	TotalFiles    int      `json:"totalFiles"`
	TotalChunks   int      `json:"totalChunks"`
	LastUpdated   string   `json:"lastUpdated"`
	StorageSize   string   `json:"storageSize"`
	WatcherActive bool     `json:"watcherActive"`
	Current       bool     `json:"current"`
	Percent       *float64 `json:"percent,omitempty"`
	Waiting       string   `json:"waiting,omitempty"`
}

func listProjects() tool {
	return define(tool{
		name: "list_projects", title: "List projects",
		sentence: "Show all indexed projects with stats.",
		more:     "Lists the names and paths that project accepts.",
		output:   listResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a projectParam) (any, error) {
		projects := c.engine.Projects()
		if a.Project != "" {
			roots, err := c.find().RootsOf(one(a.Project))
			if err != nil {
				return nil, err
			}
			projects = slices.DeleteFunc(slices.Clone(projects),
				func(p api.Project) bool { return !slices.Contains(roots, p.Root()) })
		}
		current, _ := c.find().Known(ctx) // on error, no project is marked as current
		r := &listResult{Projects: make([]listed, 0, len(projects)), TotalProjects: len(projects)}
		for _, p := range projects {
			entry := listed{
				Name: p.Name, ProjectPath: p.Root(), Status: string(p.State), TotalFiles: p.Files, TotalChunks: p.Chunks,
				LastUpdated: display.Time(p.LastUpdated), StorageSize: display.Size(p.SizeBytes), WatcherActive: p.WatcherActive,
				Current: slices.Contains(current, p.Root()), Waiting: p.Waiting,
			}
			if p.Progress != nil {
				entry.Percent = &figures(*p.Progress).Percent
			}
			r.Projects = append(r.Projects, entry)
		}
		if len(projects) == 0 {
			r.addNote("No project is indexed yet. create_index creates an index after the user has approved.")
		}
		c.activity.Results = len(projects)
		return r, nil
	})
}

func (r *listResult) shrink(share float64) bool {
	if !drop(share, to(0, &r.Projects)) {
		return false
	}
	r.Notes = []string{fmt.Sprintf("The list was cut to its size limit. %d of %d projects are shown.",
		len(r.Projects), r.TotalProjects)}
	return true
}

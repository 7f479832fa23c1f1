package endpoint

import (
	"context"
	"fmt"
	"slices"

	"searchmcp/engine/api"
)

// listResult is the output of list_projects (RFC 12).
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
	Waiting       string   `json:"waiting,omitempty" doc:"-"`
}

func listProjects() tool {
	return tool{
		name: "list_projects", title: "List projects",
		sentence: "Show all indexed projects with stats.",
		more:     "Use it to find the name or path to pass as project to the other tools.",
		params:   []param{{name: projectParam.name, kind: kindString, description: "Only this project (path or name)"}},
		output:   listResult{}, readOnly: true, idempotent: true,
		run: func(ctx context.Context, c *call) (any, error) { return c.list(ctx) },
	}
}

func (c *call) list(ctx context.Context) (any, error) {
	projects := c.backend.Projects()
	if ref := c.args.text("project"); ref != "" {
		root, err := c.targets().named(ref)
		if err != nil {
			return nil, err
		}
		projects = slices.DeleteFunc(slices.Clone(projects), func(p api.Project) bool { return p.Root() != root })
	}
	current := c.current(ctx)
	r := &listResult{Projects: make([]listed, 0, len(projects)), TotalProjects: len(projects)}
	for _, p := range projects {
		entry := listed{
			Name: p.Name, ProjectPath: p.Root(), Status: string(p.State), TotalFiles: p.Files, TotalChunks: p.Chunks,
			LastUpdated: stamp(p.LastUpdated), StorageSize: size(p.SizeBytes), WatcherActive: p.WatcherActive,
			Current: slices.Contains(current, p.Root()), Waiting: p.Waiting,
		}
		if p.Progress != nil {
			entry.Percent = &figures(*p.Progress).Percent
		}
		r.Projects = append(r.Projects, entry)
	}
	if len(projects) == 0 {
		r.addNote("No project is indexed yet. create_index makes an index after the user has agreed.")
	}
	c.activity.Results = len(projects)
	return r, nil
}

// current returns the session's projects by what is known; nobody is asked for a list.
func (c *call) current(ctx context.Context) []string {
	roots, err := c.targets().implied(ctx, func(context.Context) ([]string, error) {
		dirs, _, _ := c.session.knownRoots()
		return dirs, nil
	})
	if err != nil {
		return nil
	}
	return roots
}

// shrink leaves projects out from the end.
func (r *listResult) shrink(share float64) bool {
	if len(r.Projects) == 0 {
		return false
	}
	r.Projects = r.Projects[:min(int(float64(len(r.Projects))*share), len(r.Projects)-1)]
	r.Notes = []string{fmt.Sprintf("The list was cut to its size limit: %d of %d projects are shown.", len(r.Projects), r.TotalProjects)}
	return true
}

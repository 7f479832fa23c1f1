package tools

import (
	"context"
	"fmt"
	"time"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

type createResult struct {
	Status      api.Outcome `json:"status" doc:"success, indexing (continues in the background) or cancelled"`
	ProjectPath string      `json:"projectPath"`
	jobFigures
	_       beyondRFC
	Message string `json:"message"`
	jobDetails
}

func createIndex() tool {
	return define(tool{
		name: "create_index", title: "Index a project",
		sentence: "Creates a new index for the current project.",
		more: "Once, after INDEX_NOT_FOUND. The user is asked first. " +
			"\"indexing\": continues in the background.",
		output: createResult{}, idempotent: true, asks: true,
	}, func(ctx context.Context, c *call, a projectParam) (any, error) {
		root, err := c.folder(ctx, a.Project)
		if err != nil {
			return nil, err
		}
		done := "Index created successfully"
		job, running := c.engine.Running(root, api.ActionCreate)
		if !running {
			p, err := c.engine.Status(ctx, root)
			if err != nil {
				return nil, err
			}
			if p.State == api.StateEmbedding && p.Progress == nil { // no vectors are computed on battery
				p.Progress = &api.Progress{Phase: api.PhaseEmbedding, ChunksDone: p.Vectors, ChunksTotal: p.Chunks,
					Started: time.Now()}
			}
			if p.Progress != nil && (p.State == api.StateIndexing || p.State == api.StateEmbedding) {
				c.activity.Outcome = api.OutcomeGoesOn
				o := &createResult{ProjectPath: root}
				o.indexing(*p.Progress)
				o.jobFigures = jobFiguresOf(p.Files, p.Chunks, time.Since(p.Progress.Started))
				o.addNotes(p.Waiting)
				return o, nil
			}
			// If the user chose "always allow", a repeated call updates the index without asking.
			if p.State != api.StateNotIndexed && !p.AlwaysAllow {
				return nil, c.alreadyIndexed(root, p)
			}
			if p.State != api.StateNotIndexed {
				done = "Index brought up to date"
			}
			answer, err := c.confirm(ctx, api.ActionCreate, root, p)
			if err != nil {
				return nil, err
			}
			if !answer.Yes() {
				return declined(root, answer.Answer), nil
			}
			// The job continues if the client disconnects.
			if job, err = c.engine.Create(context.WithoutCancel(ctx), root, answer); err != nil {
				return nil, err
			}
		}
		o, err := c.follow(ctx, root, job, done)
		if err == nil && o.Status == api.OutcomeDone && o.FilesIndexed == 0 {
			o.Message = "The index was created but is empty because this folder has no files that are allowed to be indexed."
		}
		return o, err
	})
}

// folder returns the root of the named project, like project. For a command in a terminal, without a name, it may also
// return the working directory, but not a home folder or a whole disk.
func (c *call) folder(ctx context.Context, named string) (root string, err error) {
	hello := c.session.Hello()
	if named != "" || c.session.Role() != api.RoleTerminal || hello.Project != "" || hello.Dir == "" {
		return c.project(ctx, named)
	}
	f := c.find()
	if roots, err := f.DefaultRoots(ctx, nil); err == nil && !f.Only {
		root = roots[0]
	} else if root, err = c.engine.Canonical(hello.Dir); err != nil {
		return "", err
	} else if c.engine.IsTooBroad(root) {
		return "", api.New(api.InvalidArgument, fmt.Sprintf("'%s' contains a home folder or a whole disk. To index it all, "+
			"pass it as an argument: search-mcp index DIR", display.Visible(root)),
			"too broad to be chosen by the working directory alone", nil)
	}
	c.about(root)
	return root, nil
}

func (c *call) alreadyIndexed(root string, p api.Project) *api.Error {
	text := "This project is already indexed and is kept up to date automatically. To rebuild it from " +
		"scratch, use reindex_project."
	if p.DocFiles == 0 && p.State == api.StateReady {
		text = "This project is already indexed and is kept up to date automatically. It has no documentation to search. " +
			"search_code covers all of its files."
	}
	if c.fallback != "" {
		text = c.fallback + " " + text + " To index another folder, pass it as the argument 'project'."
	}
	return api.New(api.AlreadyIndexed, text, fmt.Sprintf("%s has an index (%s, %s)", root, p.State,
		display.Files(p.Files)), nil)
}

package tools

import (
	"context"
	"fmt"
	"time"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

// Indexing changes indexes. A person has been asked before Create, Reindex or Delete is called.
type Indexing interface {
	// Status describes any folder; State is api.StateNotIndexed if it has no index.
	Status(ctx context.Context, root string) (api.Project, error)
	// Running returns the job of that kind that runs for root.
	Running(root string, a api.Action) (api.Job, bool)
	// Create starts indexing root, or joins a job of the same kind that runs there already. always keeps «always
	// allow for this project». The job outlives ctx.
	Create(ctx context.Context, root string, always bool) (api.Job, error)
	// Reindex starts a rebuild, or joins the one that runs.
	Reindex(ctx context.Context, root string) (api.Job, error)
	// Delete ends the project's jobs and removes its index for good.
	Delete(ctx context.Context, root string) error
	// ReindexFile reads one file again and returns the number of its chunks. path is relative to the project.
	ReindexFile(ctx context.Context, root, path string) (chunks int, err error)
	// Partial says in words what of an indexed file is not indexed, "" if all is.
	Partial(root, path string) string
	// PathIn is the path in a project that somebody means by what was typed.
	PathIn(root, typed string) string
}

// createResult is RFC 4.1's output and what a call that could not wait has to add.
type createResult struct {
	Status        string `json:"status" doc:"success, indexing (goes on in the background) or cancelled"`
	ProjectPath   string `json:"projectPath"`
	FilesIndexed  int    `json:"filesIndexed"`
	ChunksCreated int    `json:"chunksCreated"`
	Duration      string `json:"duration"`
	_             beyondRFC
	Message       string       `json:"message"`
	Progress      *jobProgress `json:"progress,omitempty"`
	omissions
	notes
}

func createIndex() tool {
	return define(tool{
		name: "create_index", title: "Index a project",
		sentence: "Creates a new index for the current project.",
		more: "Once, after INDEX_NOT_FOUND. The user is asked first. " +
			"\"indexing\": continues in the background.",
		output: createResult{}, idempotent: true, asks: true,
	}, create)
}

func create(ctx context.Context, c *call, a projectParam) (any, error) {
	named, err := c.folder(ctx, a.Project)
	if err != nil {
		return nil, err
	}
	root, err := c.project(ctx, named)
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
		if p.State == api.StateEmbedding && p.Progress == nil { // no job waits for them, as while they wait for mains power
			p.Progress = &api.Progress{Phase: api.PhaseEmbedding, ChunksDone: p.Vectors, ChunksTotal: p.Chunks,
				Started: time.Now()}
		}
		if p.Progress != nil && (p.State == api.StateIndexing || p.State == api.StateEmbedding) {
			return unfinished(p), nil
		}
		// With «always allow» a repeated call brings the index up to date instead; nothing is asked then.
		if p.State != api.StateNotIndexed && !p.AlwaysAllow {
			return nil, alreadyIndexed(root, p)
		}
		if p.State != api.StateNotIndexed {
			done = "Index brought up to date"
		}
		answer, err := c.confirm(ctx, api.ActionCreate, root, p)
		if err != nil {
			return nil, err
		}
		if !answer.Yes() {
			return &createResult{
				Status: statusCancelled, ProjectPath: root, Duration: display.Duration(0), Message: declined(answer),
			}, nil
		}
		// The person has decided: the work is the app's from here on, whether or not the client stays.
		if job, err = c.engine.Create(context.WithoutCancel(ctx), root, answer == api.Always); err != nil {
			return nil, err
		}
	}
	o, err := c.follow(ctx, root, job)
	if err != nil {
		return nil, err
	}
	p, err := c.engine.Status(ctx, root)
	if err != nil {
		return nil, err
	}
	r := &createResult{
		Status: o.status, ProjectPath: root, FilesIndexed: o.stats.FilesIndexed, ChunksCreated: o.stats.ChunksCreated,
		Duration: display.Duration(o.stats.Duration.Round(time.Second)), Progress: o.progress,
		Message: jobMessage(o, done), omissions: omissionsOf(p), notes: notes{Notes: sentences(p)},
	}
	if o.status == statusSuccess && o.stats.FilesIndexed == 0 {
		r.Message = "The index was created, but it holds no file: nothing in this folder may be indexed."
	}
	return r, nil
}

// folder is the folder that a person's terminal is in, where nothing names a project and no project is around it: a
// command that is typed in a folder means the folder. A home folder or a whole disk has to be named.
func (c *call) folder(ctx context.Context, named string) (string, error) {
	hello := c.session.Hello()
	if named != "" || c.session.Role() != api.RoleTerminal || hello.Project != "" || hello.Dir == "" {
		return named, nil
	}
	f := c.find()
	if _, err := f.Implied(ctx, nil); err == nil && !f.Only {
		return "", nil
	}
	root, err := c.engine.Canonical(hello.Dir)
	if err != nil {
		return "", err
	}
	if c.engine.IsTooBroad(root) {
		return "", api.New(api.InvalidArgument, fmt.Sprintf("'%s' is a home folder or a whole disk. To index all of it, "+
			"name it: search-mcp index DIR", display.Visible(root)), "too broad to be meant by being in it", nil)
	}
	return root, nil
}

func alreadyIndexed(root string, p api.Project) *api.Error {
	text := "This project is already indexed and is kept up to date by itself. To rebuild it from " +
		"scratch, use reindex_project."
	if p.DocFiles == 0 && p.State == api.StateReady {
		text = "This project is already indexed and is kept up to date by itself. It has no documentation to search: " +
			"search_code covers all of its files."
	}
	return api.New(api.AlreadyIndexed, text, fmt.Sprintf("%s has an index (%s, %s)", root, p.State,
		display.Files(p.Files)), nil)
}

// unfinished is the answer for an index that is being made without a job of ours, such as one that was interrupted and
// goes on since the app started.
func unfinished(p api.Project) *createResult {
	o := outcome{status: statusIndexing, progress: figures(*p.Progress)}
	r := &createResult{
		Status: o.status, ProjectPath: p.Root(), FilesIndexed: p.Files, ChunksCreated: p.Chunks,
		Duration: display.Duration(time.Since(p.Progress.Started).Round(time.Second)), Message: jobMessage(o, ""),
		Progress: o.progress,
	}
	if p.Waiting != "" {
		r.addNote(p.Waiting)
	}
	return r
}

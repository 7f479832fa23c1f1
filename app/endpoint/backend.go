package endpoint

import (
	"context"

	"searchmcp/engine/api"
)

// Backend is what the endpoint needs of the engine. All methods may be called from many goroutines at once. Roots are
// absolute, canonical paths as DetectRoot, Canonical and api.Project.Root give them. Errors meant for a person are
// *api.Error; every other error is shown as INTERNAL_ERROR.
type Backend interface {
	Projects
	Indexing
	Searching
	Events
	Administration
}

// Projects knows which folders are projects. None of its methods may wait for a running job.
type Projects interface {
	// Projects lists the registered projects, in the order in which they are shown.
	Projects() []api.Project
	// Status describes any folder; State is api.StateNotIndexed if it has no index.
	Status(ctx context.Context, root string) (api.Project, error)
	// Lookup finds a registered project by its name, by one of its roots or by a path below one of them.
	Lookup(ref string) (api.Project, bool)
	// DetectRoot climbs from dir to a project's root (RFC 5.1); it never finds "/" or a home folder.
	DetectRoot(dir string) (root string, ok bool)
	// Canonical resolves dir to the form of a root. It is an *api.Error if dir is not an existing folder.
	Canonical(dir string) (root string, err error)
	// IsTooBroad reports roots that only a person may name: "/", a home folder and their like.
	IsTooBroad(root string) bool
	// Config is the project's configuration, the defaults if it has none.
	Config(root string) api.Config
}

// Indexing changes indexes. The endpoint has asked a person before it calls Create, Reindex or Delete.
type Indexing interface {
	// Preview scans root and writes nothing. Preview.Broad marks roots that are asked about twice.
	Preview(ctx context.Context, root string) (api.Preview, error)
	// PreviewConfig is Preview with the text of a config.json that is not saved. problems has a sentence for each invalid
	// field; a text that is no configuration at all is an error.
	PreviewConfig(ctx context.Context, root, text string) (p api.Preview, problems []string, err error)
	// Create starts indexing root, or joins a job of the same kind that runs there already. always keeps «always
	// allow for this project». The job outlives ctx.
	Create(ctx context.Context, root string, always bool) (api.Job, error)
	// Reindex starts a rebuild, or joins the one that runs.
	Reindex(ctx context.Context, root string) (api.Job, error)
	// Delete ends the project's jobs and removes its index for good.
	Delete(ctx context.Context, root string) error
	// ReindexFile reads one file again and returns the number of its chunks. path is relative to the project.
	ReindexFile(ctx context.Context, root, path string) (chunks int, err error)
	// Running returns the job of that kind that runs for root.
	Running(root string, a api.Action) (api.Job, bool)
	// Cancel stops a job; the old index stays whole.
	Cancel(jobID string) error
	// Pause and Resume take "" for all projects.
	Pause(root string) error
	Resume(root string) error
	// Revoke takes «always allow» back.
	Revoke(root string) error
	// AddRoot, RemoveRoot and Relocate change a project's folders. RemoveRoot takes the folder or its name; Relocate says
	// that the project has moved to dir.
	AddRoot(ctx context.Context, root, dir, name string) (api.Project, error)
	RemoveRoot(ctx context.Context, root, dir string) (api.Project, error)
	Relocate(ctx context.Context, root, dir string) (api.Project, error)
}

// Searching answers questions. With several roots results are merged and each hit names its project.
type Searching interface {
	Search(ctx context.Context, roots []string, q api.Query) (api.Results, error)
	Files(ctx context.Context, roots []string, q api.FileQuery) (api.FileResults, error)
}

// Events is the engine's hub: the endpoint publishes questions, answers and activity to it, so that everybody who
// listens, on the socket or in the app's own process, sees one sequence.
type Events interface {
	// Subscribe returns the events from now on, until ctx ends; the channel is then closed. A subscriber that reads
	// slowly gets the newest snapshots and never delays a publisher.
	Subscribe(ctx context.Context) <-chan api.Event
	Publish(e api.Event)
}

// Administration serves the window and the command line.
type Administration interface {
	// Paused reports whether all work is paused.
	Paused() bool
	// Model is "loaded", "unloaded", "missing" or "failed".
	Model() string
	// Problems are those of the app as a whole.
	Problems() []api.Error
	// ConfigText is a project's config.json as it stands; SetConfigText replaces it. problems has a sentence for each
	// invalid field and what is used in its place.
	ConfigText(root string) (text string, problems []string, err error)
	SetConfigText(ctx context.Context, root, text string) (problems []string, err error)
	Settings() map[string]any
	// SetSettings changes the keys that are given and returns all of them.
	SetSettings(changes map[string]any) (map[string]any, error)
	// Logs returns the last lines of a project's log, of the app's own for "".
	Logs(root string, lines int, level string) ([]string, error)
	// Doctor examines the app and one project, all of them for "".
	Doctor(ctx context.Context, root string) []api.Finding
}

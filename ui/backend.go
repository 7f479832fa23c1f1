package ui

import (
	"context"
	"time"

	"searchmcp/engine/api"
)

// Backend is what the window needs of the app. All methods may be called from any goroutine, wait for the app's answer and
// give an *api.Error where the app has words for a person. project is a root or a registered name.
type Backend interface {
	Status(ctx context.Context) (Status, error)
	Preview(ctx context.Context, dir string) (api.Preview, error)

	// Create, Reindex and Delete are called after the person has agreed in this window: the question that the app then
	// asks everybody is answered with their word. They return when the work has begun (Create, Reindex) or is done (Delete).
	Create(ctx context.Context, dir string) error
	Reindex(ctx context.Context, project string) error
	Delete(ctx context.Context, project string) error

	Pause(ctx context.Context, project string) error  // "": everything
	Resume(ctx context.Context, project string) error // "": everything
	Cancel(ctx context.Context, jobID string) error
	Answer(ctx context.Context, questionID string, a api.Answer) error
	Revoke(ctx context.Context, project string) error
	AddRoot(ctx context.Context, project, dir string) error
	RemoveRoot(ctx context.Context, project, dir string) error
	Locate(ctx context.Context, project, dir string) error

	Search(ctx context.Context, project string, q api.Query) (api.Results, error)
	Files(ctx context.Context, project string, q api.FileQuery) (api.FileResults, error)

	Config(ctx context.Context, project string) (text string, problems []string, err error)
	SetConfig(ctx context.Context, project, text string) (saved string, problems []string, err error)
	Settings(ctx context.Context) (map[string]any, error)
	SetSettings(ctx context.Context, changes map[string]any) (map[string]any, error)
	Logs(ctx context.Context, project string, lines int, level string) ([]string, error)
	Activity(ctx context.Context) ([]api.Activity, error)
	Sessions(ctx context.Context) ([]Session, error)
	Doctor(ctx context.Context) ([]api.Finding, error)
	Quit(ctx context.Context) error
}

// Status is the state of the whole app.
type Status struct {
	Version  string
	Data     string
	Started  time.Time
	Paused   bool
	Model    string // "loaded", "unloaded", "missing", "failed"
	Projects []api.Project
	Problems []api.Error
	Open     []api.Question
}

// Session is one connection to the app.
type Session struct {
	Client  string
	Editor  bool // an editor's bridge, not a window or a terminal
	Project string
	Since   time.Time
	Calls   int
}

// Desktop is what the window needs of the machine it runs on.
type Desktop interface {
	// OpenFile opens a file in the person's editor, at a line from 1 if it is not 0.
	OpenFile(path string, line int) error
	// Reveal shows a file or folder in the file manager.
	Reveal(path string) error
	// Autostart reports whether the app starts at login; ok is false where that can't be set from here.
	Autostart() (on, ok bool)
	SetAutostart(on bool) error
	// Bridge is the command that an editor's configuration runs.
	Bridge() (command string, args []string)
	// Start starts the app if it does not run.
	Start(ctx context.Context) error
}

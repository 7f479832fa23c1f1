package admin

import (
	"context"
	"fmt"
	"slices"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Overview is the state of the whole engine.
type Overview interface {
	Projects() []api.Project
	// Paused reports whether all work is paused.
	Paused() bool
	// Model is "loaded", "unloaded", "missing" or "failed".
	Model() string
	// Problems are the problems of the whole app.
	Problems() []api.Error
	// Unread lists the documents on which the document reader crashed.
	Unread() []string
}

func status(_ context.Context, c *call, e Overview, _ wire.Empty) (wire.Status, error) {
	projects := e.Projects()
	if projects == nil {
		projects = []api.Project{}
	}
	return wire.Status{
		Version: c.o.Version, Data: c.o.Data, Started: c.o.Started, Paused: e.Paused(),
		Projects: projects, Model: e.Model(), Problems: e.Problems(), Open: c.o.Questions.List(),
		Unread: e.Unread(),
	}, nil
}

// Subscribing publishes events.
type Subscribing interface {
	// Subscribe returns the events from now until ctx ends, when the channel is closed. A slow subscriber gets the
	// newest snapshots and never delays a publisher.
	Subscribe(ctx context.Context) <-chan api.Event
}

func subscribe(_ context.Context, c *call, e Subscribing, _ wire.Empty) (wire.Empty, error) {
	if again := c.session.Watch(e.Subscribe); !again && c.session.Role() == api.RoleWindow {
		c.o.Questions.Watched(+1)
	}
	return wire.Empty{}, nil
}

// Settings are the app's settings.
type Settings interface {
	Settings() map[string]any
	// SetSettings changes the given keys and returns all settings.
	SetSettings(changes map[string]any) (map[string]any, error)
}

func getSettings(_ context.Context, _ *call, e Settings, _ wire.Empty) (map[string]any, error) {
	return e.Settings(), nil
}

// setSettings changes the app's settings. Disabling the activity deletes its entries.
func setSettings(_ context.Context, c *call, e Settings, changes map[string]any) (map[string]any, error) {
	all, err := e.SetSettings(changes)
	if !activity.On(e.Settings()) {
		c.o.Activity.Clear()
	}
	return all, err
}

// Logs provides diagnostics.
type Logs interface {
	// Logs returns the last lines of a project's log, or of the app's log if root is "".
	Logs(root string, lines int, level string) ([]string, error)
	// Doctor examines the app and one project, or all projects if root is "".
	Doctor(ctx context.Context, root string) []api.Finding
}

// The default and the maximum number of lines.
const (
	defaultLogLines = 200
	maxLogLines     = 10000
)

func logs(_ context.Context, _ *call, e Logs, root string, p wire.LogQuery) ([]string, error) {
	if p.Lines <= 0 {
		p.Lines = defaultLogLines
	}
	lines, err := e.Logs(root, min(p.Lines, maxLogLines), p.Level)
	if lines == nil {
		lines = []string{}
	}
	return lines, err
}

func doctor(ctx context.Context, _ *call, e Logs, root string, _ wire.ProjectRef) ([]api.Finding, error) {
	return e.Doctor(ctx, root), nil
}

func listActivity(_ context.Context, c *call, _ any, _ wire.Empty) ([]api.Activity, error) {
	return c.o.Activity.List(), nil
}

func usage(_ context.Context, c *call, _ any, _ wire.Empty) (api.Usage, error) {
	return c.o.Activity.Usage(), nil
}

func asked(_ context.Context, c *call, e Settings, p wire.Asked) (wire.Empty, error) {
	if activity.On(e.Settings()) {
		c.o.Activity.Asked(c.session.Name(), p)
	}
	return wire.Empty{}, nil
}

func sessions(_ context.Context, c *call, _ any, _ wire.Empty) ([]wire.Session, error) {
	return c.o.Sessions(), nil
}

func show(_ context.Context, c *call, _ any, p wire.Show) (wire.Empty, error) {
	return done(c.o.Questions.Show(p))
}

// quit answers the request before the app ends. A goroutine calls Quit.
func quit(_ context.Context, c *call, _ any, _ wire.Empty) (wire.Empty, error) {
	c.log.Info("the user quit the app")
	go func() {
		c.o.Quit()
		if c.o.QuitRequested != nil {
			c.o.QuitRequested()
		}
	}()
	return wire.Empty{}, nil
}

func questions(_ context.Context, c *call, _ any, _ wire.Empty) ([]api.Question, error) {
	return c.o.Questions.List(), nil
}

// answer accepts the user's answer from a window. Terminals ask on their own connection.
func answer(_ context.Context, c *call, _ any, p wire.AnswerQuestion) (wire.Empty, error) {
	if c.session.Role() != api.RoleWindow {
		return wire.Empty{}, api.New(api.PermissionDenied, "Questions are answered in the Search MCP window.",
			"the session is no window", nil)
	}
	if !slices.Contains([]api.Answer{api.Accept, api.Always, api.Decline}, p.Answer) {
		return wire.Empty{}, errParams{fmt.Errorf("unknown answer %q", p.Answer)}
	}
	return done(c.o.Questions.Answer(p.ID, p.Answer, c.session.Role()))
}

package client

import (
	"context"
	"encoding/json"
	"fmt"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// The private methods of app/socket/wire, one Go method each; the comments there say what they do. project is a root
// or a registered name, "" as the method defines it.

func ask[R any](ctx context.Context, c *Client, method string, params any) (R, error) {
	var result R
	err := c.Call(ctx, method, params, &result)
	return result, err
}

// follow is ask for a call that reports progress.
func follow[R any](
	ctx context.Context, c *Client, method string, params any, progress func(ToolProgress),
) (R, error) {
	var result R
	m, err := c.call(ctx, method, params, callMeta{}, progress)
	if err == nil {
		err = json.Unmarshal(m.Result, &result)
	}
	if err != nil {
		return result, fmt.Errorf("%s: %w", method, err)
	}
	return result, nil
}

// Status is the state of the whole app.
func (c *Client) Status(ctx context.Context) (wire.Status, error) {
	return ask[wire.Status](ctx, c, wire.MethodStatus, nil)
}

// Subscribe asks for events, which then come to Options.Event.
func (c *Client) Subscribe(ctx context.Context) error {
	return c.Call(ctx, wire.MethodSubscribe, nil, nil)
}

// Preview tells what indexing a folder would do.
func (c *Client) Preview(ctx context.Context, project string) (api.Preview, error) {
	return ask[api.Preview](ctx, c, wire.MethodPreview, wire.ProjectRef{Project: project})
}

// Pause pauses a project, all for "".
func (c *Client) Pause(ctx context.Context, project string) error {
	return c.Call(ctx, wire.MethodPause, wire.ProjectRef{Project: project}, nil)
}

// Resume resumes a project, all for "".
func (c *Client) Resume(ctx context.Context, project string) error {
	return c.Call(ctx, wire.MethodResume, wire.ProjectRef{Project: project}, nil)
}

// Purge rids a project's index, all for "", of text that was deleted or changed and is still on disk.
func (c *Client) Purge(ctx context.Context, project string) error {
	return c.Call(ctx, wire.MethodPurge, wire.ProjectRef{Project: project}, nil)
}

// Cancel stops a job; the old index stays whole.
func (c *Client) Cancel(ctx context.Context, jobID string) error {
	return c.Call(ctx, wire.MethodCancel, wire.CancelJob{JobID: jobID}, nil)
}

// Questions lists the open questions.
func (c *Client) Questions(ctx context.Context) ([]api.Question, error) {
	return ask[[]api.Question](ctx, c, wire.MethodQuestions, nil)
}

// Answer gives a person's answer to a question.
func (c *Client) Answer(ctx context.Context, id string, a api.Answer) error {
	return c.Call(ctx, wire.MethodAnswer, wire.AnswerQuestion{ID: id, Answer: a}, nil)
}

// Revoke takes «always allow» back.
func (c *Client) Revoke(ctx context.Context, project string) error {
	return c.Call(ctx, wire.MethodRevoke, wire.ProjectRef{Project: project}, nil)
}

// AddRoot adds a folder to a project.
func (c *Client) AddRoot(ctx context.Context, change wire.RootChange) (api.Project, error) {
	return ask[api.Project](ctx, c, wire.MethodRootAdd, change)
}

// RemoveRoot removes a folder from a project.
func (c *Client) RemoveRoot(ctx context.Context, change wire.RootChange) (api.Project, error) {
	return ask[api.Project](ctx, c, wire.MethodRootDel, change)
}

// Locate says where a project has moved.
func (c *Client) Locate(ctx context.Context, change wire.RootChange) (api.Project, error) {
	return ask[api.Project](ctx, c, wire.MethodLocate, change)
}

// Config reads a project's config.json.
func (c *Client) Config(ctx context.Context, project string) (wire.ConfigText, error) {
	return ask[wire.ConfigText](ctx, c, wire.MethodConfigGet, wire.ProjectRef{Project: project})
}

// SetConfig writes a project's config.json.
func (c *Client) SetConfig(ctx context.Context, text wire.ConfigText) (wire.ConfigText, error) {
	return ask[wire.ConfigText](ctx, c, wire.MethodConfigSet, text)
}

// TryConfig says what indexing a project with an unsaved config.json would do.
func (c *Client) TryConfig(ctx context.Context, text wire.ConfigText) (wire.ConfigTried, error) {
	return ask[wire.ConfigTried](ctx, c, wire.MethodConfigTry, text)
}

// Settings are the app's own.
func (c *Client) Settings(ctx context.Context) (map[string]any, error) {
	return ask[map[string]any](ctx, c, wire.MethodSettingsGet, nil)
}

// SetSettings changes the keys that are given and returns all settings.
func (c *Client) SetSettings(ctx context.Context, changes map[string]any) (map[string]any, error) {
	return ask[map[string]any](ctx, c, wire.MethodSettingsSet, changes)
}

// Logs returns the last lines of a log.
func (c *Client) Logs(ctx context.Context, q wire.LogQuery) ([]string, error) {
	return ask[[]string](ctx, c, wire.MethodLogs, q)
}

// Activity lists the last served calls.
func (c *Client) Activity(ctx context.Context) ([]api.Activity, error) {
	return ask[[]api.Activity](ctx, c, wire.MethodActivity, nil)
}

// Today says what assistants did since midnight.
func (c *Client) Today(ctx context.Context) (api.Today, error) {
	return ask[api.Today](ctx, c, wire.MethodToday, nil)
}

// Sessions lists who is connected.
func (c *Client) Sessions(ctx context.Context) ([]wire.Session, error) {
	return ask[[]wire.Session](ctx, c, wire.MethodSessions, nil)
}

// Doctor examines the app and a project, all for "".
func (c *Client) Doctor(ctx context.Context, project string) ([]wire.Finding, error) {
	return ask[[]wire.Finding](ctx, c, wire.MethodDoctor, wire.ProjectRef{Project: project})
}

// Search searches with everything that a query can say.
func (c *Client) Search(ctx context.Context, s wire.Search) (api.Results, error) {
	return ask[api.Results](ctx, c, wire.MethodSearch, s)
}

// Files finds files by a pattern.
func (c *Client) Files(ctx context.Context, f wire.Files) (api.FileResults, error) {
	return ask[api.FileResults](ctx, c, wire.MethodFiles, f)
}

// Languages lists what a query's language can be.
func (c *Client) Languages(ctx context.Context) ([]string, error) {
	return ask[[]string](ctx, c, wire.MethodLanguages, nil)
}

// FileText returns what is around a line of a file.
func (c *Client) FileText(ctx context.Context, f wire.FileText) (api.FileText, error) {
	return ask[api.FileText](ctx, c, wire.MethodFileText, f)
}

// Symbol finds where a name is defined and used.
func (c *Client) Symbol(ctx context.Context, s wire.Symbol) (api.SymbolResults, error) {
	return ask[api.SymbolResults](ctx, c, wire.MethodSymbol, s)
}

// Outline tells what is declared in a file, or what matters in a folder.
func (c *Client) Outline(ctx context.Context, o wire.Outline) (api.Outline, error) {
	return ask[api.Outline](ctx, c, wire.MethodOutline, o)
}

// StopApp tells the app that a person wants it gone.
func (c *Client) StopApp(ctx context.Context) error {
	return c.Call(ctx, wire.MethodQuit, nil, nil)
}

// Show opens the window or brings it to the front.
func (c *Client) Show(ctx context.Context, s wire.Show) error {
	return c.Call(ctx, wire.MethodShow, s, nil)
}

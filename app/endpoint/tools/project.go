package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

func (c *call) whole(ctx context.Context, named string) (string, error) {
	root, err := c.project(ctx, named)
	if err != nil {
		return "", err
	}
	return root, c.found.RequireRootOrName(root)
}

// projects returns the roots of the projects to search. If it detects none, it asks the user to choose a project.
func (c *call) projects(ctx context.Context, named refs) ([]string, error) {
	if len(named) > 0 {
		roots, err := c.find().RootsOf(named)
		if err != nil {
			return nil, err
		}
		c.about(roots...)
		return roots, nil
	}
	find := c.find()
	c.found = find
	roots, err := find.DefaultRoots(ctx, c.clientRoots)
	if err == nil && find.Only && c.session.Hello().Dir != "" {
		c.fallback = fmt.Sprintf("No project was found around %s, so the only indexed project was chosen: %s.",
			display.Visible(c.session.Hello().Dir), display.Visible(roots[0]))
		c.more.addNote(c.fallback)
	}
	if api.CodeOf(err) == api.ProjectNotDetected {
		var root string
		if root, err = c.choose(ctx, err); err == nil {
			roots = []string{root}
		}
	}
	if err != nil {
		return nil, err
	}
	c.about(roots...)
	return roots, nil
}

func (c *call) project(ctx context.Context, named string) (string, error) {
	if named != "" {
		c.found = c.find()
		root, err := c.found.Named(named)
		if err == nil {
			c.about(root)
		}
		return root, err
	}
	roots, err := c.projects(ctx, nil)
	if err != nil {
		return "", err
	}
	if len(roots) > 1 {
		return "", c.find().Ambiguous(roots)
	}
	return roots[0], nil
}

// choose asks the user to choose a project (RFC 5.1). If the user does not choose, it returns notDetected.
func (c *call) choose(ctx context.Context, notDetected error) (string, error) {
	if c.session.Choice().Refused || !c.session.Elicits(ctx) {
		return "", notDetected
	}
	var answer *mcp.ElicitationResponse
	switch {
	case !server.IsModernRequest(ctx):
		session.Yield(ctx)
		asking, cancel := context.WithTimeout(ctx, session.AnswerTime)
		defer cancel()
		var err error
		if answer, err = c.session.Elicit(asking, c.choiceForm()); err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", notDetected
		}
	case c.round.Step == session.StepChoose:
		c.round = session.Round{}
		if r := server.ElicitationResponse(c.request.Params.InputResponses, string(session.StepChoose)); r != nil {
			answer = &r.ElicitationResponse
		}
	default:
		return "", c.session.AskForm(session.Round{Tool: c.tool.name, Step: session.StepChoose}, c.choiceForm())
	}
	root, err := c.chosen(answer, notDetected)
	c.session.Choose(session.Choice{Root: root, Refused: err != nil})
	return root, err
}

func (c *call) choiceForm() mcp.ElicitationParams {
	dir := c.session.Hello().Dir
	lines := []string{"Could not detect project root."}
	choices := []string{"2"}
	if dir != "" {
		choices = []string{"1", "2"}
		lines = append(lines, "[1] Use current directory: "+display.Visible(dir))
	}
	lines = append(lines, "[2] Enter a custom path", "", c.find().Registered())
	return mcp.ElicitationParams{Message: strings.Join(lines, "\n"), RequestedSchema: map[string]any{
		"type": "object",
		"properties": map[string]any{
			"choice": map[string]any{"type": "string", "title": "Choice", "enum": choices},
			"path": map[string]any{"type": "string", "title": "Custom path",
				"description": "A folder, or the name of a registered project"},
		},
		"required": []string{"choice"},
	}}
}

func (c *call) chosen(answer *mcp.ElicitationResponse, notDetected error) (string, error) {
	if answer == nil || answer.Action != mcp.ElicitationResponseActionAccept {
		return "", notDetected
	}
	content, _ := answer.Content.(map[string]any)
	ref, _ := content["path"].(string)
	if content["choice"] == "1" {
		ref = c.session.Hello().Dir
	}
	if ref == "" {
		return "", notDetected
	}
	c.found = c.find()
	return c.found.Named(ref)
}

// clientRoots returns the folders of the client's MCP roots. In the stateless protocol it may return
// session.InputNeeded.
func (c *call) clientRoots(ctx context.Context) ([]string, error) {
	answer := server.RootsResponse(c.request.Params.InputResponses, string(session.StepRoots))
	dirs, ask, err := c.session.Roots(ctx, c.round.Step == session.StepRoots, answer)
	if ask {
		return nil, c.session.AskRoots(c.tool.name)
	}
	return dirs, err
}

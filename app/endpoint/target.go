package endpoint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/engine/api"
)

// targets decides which project a call means (docs/specification.md#which-project-a-call-means).
type targets struct {
	session *session
	backend Backend
}

// named finds the project that a person or an assistant named: a registered name, a root or any existing folder, which
// may be relative to the session's folder if it begins with a dot, or begin with ~.
func (t *targets) named(ref string) (string, error) {
	if p, found := t.backend.Lookup(ref); found {
		return p.Root(), nil
	}
	dir := ref
	switch {
	case filepath.IsAbs(ref):
	case ref == "~" || strings.HasPrefix(ref, "~/"):
		home, err := os.UserHomeDir()
		if err != nil {
			return "", t.unknown(ref)
		}
		dir = filepath.Join(home, ref[1:])
	case strings.HasPrefix(ref, ".") && t.session.facts().Dir != "":
		dir = filepath.Join(t.session.facts().Dir, ref)
	default:
		return "", t.unknown(ref)
	}
	root, err := t.backend.Canonical(dir)
	if err != nil {
		return "", t.unknown(ref)
	}
	if p, found := t.backend.Lookup(root); found {
		return p.Root(), nil
	}
	return root, nil
}

// everyProject is what stands for all registered projects, unless one is called so.
const everyProject = "all"

// several finds the projects that were named, each as named does; a reference may also be a list with commas, or all.
func (t *targets) several(refs []string) ([]string, error) {
	var roots []string
	add := func(root string) {
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	for _, ref := range refs {
		root, err := t.named(ref)
		switch {
		case err == nil:
			add(root)
		case ref == everyProject:
			projects := t.backend.Projects()
			if len(projects) == 0 {
				return nil, api.New(api.IndexNotFound, "No project has been indexed yet.", "'all' stands for the registered projects", nil)
			}
			for _, p := range projects {
				add(p.Root())
			}
		case strings.Contains(ref, ","):
			parts := strings.Split(ref, ",")
			for i := range parts {
				parts[i] = strings.TrimSpace(parts[i])
			}
			listed, err := t.several(slices.DeleteFunc(parts, func(s string) bool { return s == "" }))
			if err != nil {
				return nil, err
			}
			for _, root := range listed {
				add(root)
			}
		default:
			return nil, err
		}
	}
	if len(roots) == 0 {
		return nil, t.unknown(strings.Join(refs, ","))
	}
	return roots, nil
}

func (t *targets) unknown(ref string) *api.Error {
	return api.ErrArgument("project", fmt.Sprintf("an existing folder (absolute path) or a registered name; there is no '%s'. %s",
		shorten(visible(ref), maxEcho), strings.TrimSuffix(t.registered(), ".")))
}

// registered lists the registered projects for a message.
func (t *targets) registered() string {
	projects := t.backend.Projects()
	if len(projects) == 0 {
		return "No project is registered yet."
	}
	names := make([]string, 0, len(projects))
	for i, p := range projects {
		if i == maxListed {
			names = append(names, fmt.Sprintf("and %d more (call list_projects)", len(projects)-i))
			break
		}
		names = append(names, fmt.Sprintf("%s (%s)", visible(p.Name), visible(p.Root())))
	}
	return "Registered projects: " + strings.Join(names, ", ") + "."
}

// Limits of what messages repeat.
const (
	maxEcho   = 200 // characters of a value that was sent
	maxListed = 20  // projects
)

// ask gets the client's roots; nil where there is nobody to ask.
type ask func(ctx context.Context) ([]string, error)

// implied finds the projects that a call without `project` means, in the order of
// docs/specification.md#which-project-a-call-means. None is PROJECT_NOT_DETECTED.
func (t *targets) implied(ctx context.Context, clientRoots ask) ([]string, error) {
	hello := t.session.facts()
	if hello.Project != "" {
		root, err := t.named(hello.Project)
		if err != nil {
			return nil, err
		}
		return []string{root}, nil
	}
	if clientRoots != nil {
		dirs, err := clientRoots(ctx)
		if err != nil {
			return nil, err
		}
		if roots := t.given(dirs...); len(roots) > 0 {
			return roots, nil
		}
	}
	if hello.ClaudeProjectDir != "" {
		if roots := t.given(hello.ClaudeProjectDir); len(roots) > 0 {
			return roots, nil
		}
	}
	if hello.Dir != "" {
		if root, found := t.backend.DetectRoot(hello.Dir); found && !t.backend.IsTooBroad(root) {
			return []string{t.owner(root)}, nil
		}
		if p, found := t.backend.Lookup(hello.Dir); found {
			return []string{p.Root()}, nil
		}
	}
	t.session.mu.Lock()
	chosen := t.session.chosen
	t.session.mu.Unlock()
	if chosen != "" {
		return []string{chosen}, nil
	}
	if projects := t.backend.Projects(); len(projects) == 1 {
		return []string{projects[0].Root()}, nil
	}
	e := api.ErrProjectNotDetected()
	e.DeveloperMessage += ". " + t.registered() + " Pass one of them, or a folder, as the argument 'project'."
	return nil, e
}

// given turns folders that an editor has open into roots. What does not exist and what is too broad to be meant (the
// home folder, where an editor without a folder starts) is left out.
func (t *targets) given(dirs ...string) []string {
	var roots []string
	for _, dir := range dirs {
		root, err := t.backend.Canonical(dir)
		if err != nil {
			continue
		}
		if root = t.owner(root); !t.backend.IsTooBroad(root) && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// owner returns the registered project that covers dir, dir itself if there is none.
func (t *targets) owner(dir string) string {
	if p, found := t.backend.Lookup(dir); found {
		return p.Root()
	}
	return dir
}

// all returns the projects that were named, else those that are implied.
func (t *targets) all(ctx context.Context, refs []string) ([]string, error) {
	if len(refs) > 0 {
		return t.several(refs)
	}
	return t.implied(ctx, nil)
}

func (t *targets) ambiguous(roots []string) *api.Error {
	shown := make([]string, len(roots))
	for i, r := range roots {
		shown[i] = visible(r)
	}
	return api.ErrArgument("project", "given, because this session has several projects: "+strings.Join(shown, ", "))
}

func (c *call) targets() *targets { return &targets{session: c.session, backend: c.backend} }

// projects returns the roots that a search covers: at least one. A person is asked to choose when there is none.
func (c *call) projects(ctx context.Context) ([]string, error) {
	t := c.targets()
	if refs := c.args.several("project"); len(refs) > 0 {
		roots, err := t.several(refs)
		if err != nil {
			return nil, err
		}
		c.about(roots[0])
		return roots, nil
	}
	roots, err := t.implied(ctx, c.clientRoots)
	if api.CodeOf(err) == api.ProjectNotDetected {
		var root string
		if root, err = c.choose(ctx, err); err == nil {
			roots = []string{root}
		}
	}
	if err != nil {
		return nil, err
	}
	c.about(roots[0])
	return roots, nil
}

// project returns the one root that an action is about.
func (c *call) project(ctx context.Context) (string, error) {
	if ref := c.args.text("project"); ref != "" {
		root, err := c.targets().named(ref)
		if err == nil {
			c.about(root)
		}
		return root, err
	}
	roots, err := c.projects(ctx)
	if err != nil {
		return "", err
	}
	if len(roots) > 1 {
		return "", c.targets().ambiguous(roots)
	}
	return roots[0], nil
}

// choose puts the RFC's choice (5.1) to the person; notDetected is the error if there is no way to, or no choice.
func (c *call) choose(ctx context.Context, notDetected error) (string, error) {
	c.session.mu.Lock()
	refused := c.session.refused
	c.session.mu.Unlock()
	if refused || !c.elicits(ctx) {
		return "", notDetected
	}
	var answer *mcp.ElicitationResponse
	switch {
	case !server.IsModernRequest(ctx):
		releaseSlot(ctx)
		asking, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		result, err := c.session.RequestElicitation(asking, mcp.ElicitationRequest{Params: c.choiceForm()})
		if err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", notDetected
		}
		answer = &result.ElicitationResponse
	case c.round.step == stepChoose:
		c.round = round{}
		if r := server.ElicitationResponse(c.request.Params.InputResponses, string(stepChoose)); r != nil {
			answer = &r.ElicitationResponse
		}
	default:
		return "", c.openRound(round{step: stepChoose}, string(stepChoose), c.choiceForm())
	}
	root, err := c.chosen(answer, notDetected)
	c.session.mu.Lock()
	c.session.chosen, c.session.refused = root, err != nil
	c.session.mu.Unlock()
	return root, err
}

// choiceForm is RFC 5.1's prompt as a form.
func (c *call) choiceForm() mcp.ElicitationParams {
	dir := c.session.facts().Dir
	lines := []string{"Could not detect project root."}
	choices := []string{"2"}
	if dir != "" {
		choices = []string{"1", "2"}
		lines = append(lines, "[1] Use current directory: "+visible(dir))
	}
	lines = append(lines, "[2] Enter a custom path", "", c.targets().registered())
	return mcp.ElicitationParams{Message: strings.Join(lines, "\n"), RequestedSchema: map[string]any{
		"type": "object",
		"properties": map[string]any{
			"choice": map[string]any{"type": "string", "title": "Choice", "enum": choices},
			"path":   map[string]any{"type": "string", "title": "Custom path", "description": "A folder, or the name of a registered project"},
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
		ref = c.session.facts().Dir
	}
	if ref == "" {
		return "", notDetected
	}
	return c.targets().named(ref)
}

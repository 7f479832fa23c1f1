package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/policy"
	"searchmcp/engine/scan"
)

// Projects lists the registered projects by name.
func (e *Engine) Projects() []api.Project {
	list := e.list()
	out := make([]api.Project, len(list))
	for i, p := range list {
		out[i] = p.snapshot()
	}
	return append(out, e.brokenList()...)
}

// Status describes any folder; one without an index has api.StateNotIndexed.
func (e *Engine) Status(_ context.Context, root string) (api.Project, error) {
	if p := e.byRoot(root); p != nil {
		return p.snapshot(), nil
	}
	if b, ok := e.brokenOf(root); ok {
		return b, nil
	}
	return api.Project{
		ID: scan.ProjectID(root), Name: filepath.Base(root), Roots: []api.Root{{Path: root}}, State: api.StateNotIndexed,
		Strategy: e.defaults().IndexingStrategy,
	}, nil
}

// Lookup finds a registered project by its name, one of its roots, or a path below one of them; of nested projects the
// deepest wins.
func (e *Engine) Lookup(ref string) (api.Project, bool) {
	if ref == "" {
		return api.Project{}, false
	}
	list := e.list()
	for _, p := range list {
		if p.name == ref || p.id == ref {
			return p.snapshot(), true
		}
	}
	path := ref
	if canonical, err := scan.CanonicalRoot(ref); err == nil {
		path = canonical
	}
	var found *project
	depth := -1
	for _, p := range list {
		for _, r := range p.snapshot().Roots {
			if within(r.Path, path) && len(r.Path) > depth {
				found, depth = p, len(r.Path)
			}
		}
	}
	if found == nil {
		return e.lookupBroken(ref, path)
	}
	return found.snapshot(), true
}

// within compares path elements, never string prefixes: /allow must not contain /allow_more.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// DetectRoot climbs from dir to a project's root (RFC 5.1).
func (e *Engine) DetectRoot(dir string) (string, bool) {
	root, _, ok := scan.DetectRoot(dir)
	return root, ok
}

// Canonical resolves an existing folder to the form of a root.
func (e *Engine) Canonical(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", api.ErrArgument("project", "an absolute path of a folder or the name of an indexed project")
	}
	root, err := scan.CanonicalRoot(dir)
	if err == nil {
		var info os.FileInfo
		if info, err = os.Stat(root); err == nil && !info.IsDir() {
			return "", api.ErrArgument("project", "a folder, not a file")
		}
	}
	switch {
	case err == nil:
		return root, nil
	case errors.Is(err, fs.ErrPermission):
		return "", api.ErrPermission(dir, err)
	case errors.Is(err, fs.ErrNotExist):
		return "", api.New(api.InvalidArgument, fmt.Sprintf("The folder '%s' doesn't exist.", dir),
			"project: no such folder: "+dir, err)
	}
	return "", fmt.Errorf("resolve folder: %w", err)
}

// Config is a project's configuration, or what a new project would get.
func (e *Engine) Config(root string) api.Config {
	if p := e.byRoot(root); p != nil {
		return p.actor.Config()
	}
	return e.defaults()
}

// uniqueName gives a new project a name that no other has: the folder's, with its parents' in front where needed.
func (e *Engine) uniqueName(root string) string {
	taken := map[string]bool{}
	for _, p := range e.list() {
		taken[p.name] = true
	}
	parts := strings.FieldsFunc(filepath.ToSlash(root), func(r rune) bool { return r == '/' })
	if len(parts) == 0 {
		parts = []string{"root"}
	}
	for n := 1; n <= len(parts); n++ {
		if name := strings.Join(parts[len(parts)-n:], "/"); !taken[name] {
			return name
		}
	}
	for i := 2; ; i++ {
		if name := fmt.Sprintf("%s-%d", parts[len(parts)-1], i); !taken[name] {
			return name
		}
	}
}

// Broad reports a root that is asked twice about: "/", a home folder and their like.
func (e *Engine) Broad(root string) bool { return policy.Broad(root) }

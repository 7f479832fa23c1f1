package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/index"
	"searchmcp/engine/store"
)

// List returns the projects ordered by name.
func (r *Registry) List() []*Project {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.SortedFunc(maps.Values(r.projects), func(a, b *Project) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id))
	})
}

// Projects lists the registered projects by name, without those that are being removed.
func (r *Registry) Projects() []api.Project {
	list := r.List()
	out := make([]api.Project, 0, len(list))
	for _, p := range list {
		if !r.removing(p) {
			out = append(out, p.Snapshot())
		}
	}
	return append(out, r.brokenList()...)
}

// Status describes any folder; one without an index has api.StateNotIndexed and the problem INDEX_NOT_FOUND.
func (r *Registry) Status(ctx context.Context, root string) (api.Project, error) {
	if p := r.Find(root); p != nil && !r.removing(p) {
		s := p.Snapshot()
		if s.State == api.StateOffline {
			return s, nil
		}
		if note := p.trackedNote(ctx, func(string) bool { return true }); note != "" {
			s.Warnings = append(slices.Clone(s.Warnings), note)
		}
		return s, nil
	}
	if b, ok := r.brokenOf(root); ok {
		return b, nil
	}
	return api.Project{
		ID: scan.ProjectID(root), Name: filepath.Base(root), Roots: []api.Root{{Path: root}}, State: api.StateNotIndexed,
		Problem: r.notFound(scan.ProjectID(root)), Strategy: r.Config(root).IndexingStrategy,
	}, nil
}

// Lookup finds a registered project by its name, one of its roots, or a path below one of them; of nested projects the
// deepest wins. A path in a repository that the project leaves out is not the project's.
func (r *Registry) Lookup(ref string) (api.Project, bool) {
	if ref == "" {
		return api.Project{}, false
	}
	list := r.List()
	for _, p := range list {
		if p.name == ref || p.id == ref {
			return p.Snapshot(), true
		}
	}
	path := ref
	if canonical, err := scan.CanonicalRoot(ref); err == nil {
		path = canonical
	}
	found, _ := r.around(path)
	if found == nil {
		return r.lookupBroken(ref, path)
	}
	return found.Snapshot(), true
}

// around returns the project with the deepest root around a path, and that root.
func (r *Registry) around(path string) (found *Project, root string) {
	for _, p := range r.List() {
		for _, at := range p.Snapshot().Roots {
			if within(at.Path, path) && len(at.Path) > len(root) && !p.apart(at, path) {
				found, root = p, at.Path
			}
		}
	}
	return found, root
}

// apart reports whether a path below a root is in a repository of its own that the project leaves out: a linked
// worktree, an ignored clone, a submodule that is excluded. Its code is not what the project's index has.
func (p *Project) apart(root api.Root, path string) bool {
	prefix := ""
	if root.Name != "" {
		prefix = "@" + root.Name + "/"
	}
	for dir := path; dir != root.Path && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
			continue
		}
		rel, err := filepath.Rel(root.Path, dir)
		if err == nil && p.actor.Tree().DirNow(prefix+filepath.ToSlash(rel)) != api.SkipNone {
			return true
		}
	}
	return false
}

// within compares path elements, never string prefixes: /allow must not contain /allow_more.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// DetectRoot climbs from dir to a project's root (RFC 5.1). A registered root that is nearer comes first, for anybody
// may begin a repository above it.
func (r *Registry) DetectRoot(dir string) (string, bool) {
	root, _, ok := scan.DetectRoot(dir)
	path := dir
	if canonical, err := scan.CanonicalRoot(dir); err == nil {
		path = canonical
	}
	if p, nearer := r.around(path); p != nil && len(nearer) > len(root) {
		return p.root(), true
	}
	return root, ok
}

// Canonical resolves an existing folder to the form of a root.
func (r *Registry) Canonical(dir string) (string, error) {
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
func (r *Registry) Config(root string) api.Config {
	if p := r.Find(root); p != nil {
		return p.actor.Config()
	}
	c, err := r.defaults()
	if err != nil {
		return nothing(c)
	}
	return c
}

// uniqueName gives a new project a name that no other has: the folder's, with its parents' in front where needed.
func (r *Registry) uniqueName(root string) string {
	taken := map[string]bool{}
	for _, p := range r.List() {
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

// IsTooBroad reports a root that is asked twice about: "/", a home folder and their like.
func (r *Registry) IsTooBroad(root string) bool { return policy.IsTooBroad(root) }

// Find finds the project of a root, by its folder's name: new ones have 32 hex digits, legacy ones 16.
func (r *Registry) Find(root string) *Project {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if p := r.projects[scan.ProjectID(root)]; p != nil {
		return p
	}
	return r.projects[scan.LegacyID(root)]
}

// get is Find with the RFC's error.
func (r *Registry) get(root string) (*Project, error) {
	if p := r.Find(root); p != nil {
		return p, nil
	}
	if b, ok := r.brokenOf(root); ok {
		return nil, b.Problem
	}
	return nil, r.notFound(scan.ProjectID(root))
}

// notFound is INDEX_NOT_FOUND with the folder where the index would be.
func (r *Registry) notFound(id string) *api.Error {
	e := api.ErrIndexNotFound(id)
	e.DeveloperMessage = r.inDataFolder(e.DeveloperMessage)
	return e
}

// inDataFolder names the data folder in a text that names the usual one.
func (r *Registry) inDataFolder(text string) string {
	home, err := os.UserHomeDir()
	if err == nil && r.opt.Data == filepath.Join(home, ".mcp", "search") {
		return text
	}
	return strings.Replace(text, "~/.mcp/search", filepath.ToSlash(r.opt.Data), 1)
}

// whileOpen passes on what a call failed with, but for a project that was closed meanwhile: then it says why that is
// closed. It is being opened anew, removed, or the app ends.
func (r *Registry) whileOpen(p *Project, cause error) error {
	switch {
	case cause == nil || p.ctx.Err() == nil && !errors.Is(cause, store.ErrClosed) && !errors.Is(cause, index.ErrClosed):
		return cause
	case p.repairing.Load():
		return api.ErrIndexCorrupt(cause)
	case r.ctx.Err() != nil:
		return api.New(api.ShuttingDown, "Search MCP is closing. Try again once it has been started.",
			"the app is shutting down", cause)
	case p.ctx.Err() != nil:
		return r.notFound(p.id)
	}
	return fmt.Errorf("project %s: %w", p.id, cause)
}

func (r *Registry) brokenOf(root string) (api.Project, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if b, ok := r.broken[scan.ProjectID(root)]; ok {
		return b, true
	}
	b, ok := r.broken[scan.LegacyID(root)]
	return b, ok
}

func (r *Registry) brokenList() []api.Project {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.SortedFunc(maps.Values(r.broken), func(a, b api.Project) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

func (r *Registry) lookupBroken(ref, path string) (api.Project, bool) {
	for _, b := range r.brokenList() {
		if b.Name == ref || b.ID == ref || within(b.Root(), path) {
			return b, true
		}
	}
	return api.Project{}, false
}

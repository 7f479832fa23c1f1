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
	"syscall"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/index"
	"searchmcp/engine/store"
)

func (r *Registry) List() []*Project {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.SortedFunc(maps.Values(r.projects), func(a, b *Project) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id))
	})
}

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

// Lookup returns the project with the name or ID ref, or the project that contains the path ref. If several roots
// contain the path, the deepest root takes precedence.
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
	if found, _ := r.around(path); found != nil {
		return found.Snapshot(), true
	}
	for _, b := range r.brokenList() {
		if b.Name == ref || b.ID == ref || within(b.Root(), path) {
			return b, true
		}
	}
	return api.Project{}, false
}

func (r *Registry) around(path string) (found *Project, root string) {
	for _, p := range r.List() {
		for _, at := range p.Snapshot().Roots {
			if within(at.Path, path) && len(at.Path) > len(root) && !p.inExcludedRepo(at, path) {
				found, root = p, at.Path
			}
		}
	}
	return found, root
}

// inExcludedRepo reports whether path is in an excluded repository below root, such as a worktree, an ignored clone or
// a submodule.
func (p *Project) inExcludedRepo(root api.Root, path string) bool {
	for dir := path; dir != root.Path && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
			continue
		}
		rel, err := filepath.Rel(root.Path, dir)
		if err == nil && p.actor.Tree().DirNow(root.Prefix()+filepath.ToSlash(rel)) != api.SkipNone {
			return true
		}
	}
	return false
}

// within reports whether path is root or inside root. For example, /allow_more is not inside /allow.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// DetectRoot searches dir and its parents for the root of a project (RFC 5.1).
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

func (r *Registry) Canonical(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", api.ErrArgument("project", "an absolute path of a folder or the name of an indexed project")
	}
	root, err := scan.CanonicalRoot(dir)
	switch {
	case err == nil:
		return root, nil
	case errors.Is(err, fs.ErrPermission):
		return "", api.ErrPermission(dir, err)
	case errors.Is(err, fs.ErrNotExist):
		return "", api.New(api.InvalidArgument, fmt.Sprintf("The folder '%s' doesn't exist.", dir),
			"project: no such folder: "+dir, err)
	case errors.Is(err, syscall.ENOTDIR):
		return "", api.New(api.InvalidArgument, fmt.Sprintf("'%s' is not a folder.", dir), "project: not a folder: "+dir, err)
	}
	return "", fmt.Errorf("resolve folder: %w", err)
}

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

// uniqueName returns an unused name for the folder root, such as "api", "shop/api" or "api-2".
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

func (r *Registry) IsTooBroad(root string) bool { return policy.IsTooBroad(root) }

func (r *Registry) Identify(root string) fs.FileInfo { return policy.Identify(root) }

func (r *Registry) Find(root string) *Project {
	r.mu.RLock()
	defer r.mu.RUnlock()
	p, _ := byRoot(r.projects, root)
	return p
}

// byRoot returns the value for the project at root. The keys of m are project IDs, some in the format of earlier
// versions.
func byRoot[T any](m map[string]T, root string) (v T, ok bool) {
	if v, ok = m[scan.ProjectID(root)]; !ok {
		v, ok = m[scan.LegacyID(root)]
	}
	return v, ok
}

func (r *Registry) get(root string) (*Project, error) {
	if p := r.Find(root); p != nil {
		return p, nil
	}
	if b, ok := r.brokenOf(root); ok {
		return nil, b.Problem
	}
	return nil, r.notFound(scan.ProjectID(root))
}

func (r *Registry) notFound(id string) *api.Error {
	e := api.ErrIndexNotFound(id)
	e.DeveloperMessage = r.inDataFolder(e.DeveloperMessage)
	return e
}

func (r *Registry) inDataFolder(text string) string {
	home, err := os.UserHomeDir()
	if err == nil && r.opt.Data == filepath.Join(home, ".mcp", "search") {
		return text
	}
	return strings.Replace(text, "~/.mcp/search", filepath.ToSlash(r.opt.Data), 1)
}

// whileOpen returns cause or, if p has been closed, the reason for closing.
func (r *Registry) whileOpen(p *Project, cause error) error {
	switch {
	case cause == nil || p.ctx.Err() == nil && !errors.Is(cause, store.ErrClosed) && !errors.Is(cause, index.ErrClosed):
		return cause
	case p.repairing.Load():
		return api.ErrIndexCorrupt(cause)
	case r.ctx.Err() != nil:
		return api.New(api.ShuttingDown, "Search MCP is quitting. Try again once it is running.",
			"the app is shutting down", cause)
	case p.ctx.Err() != nil:
		return r.notFound(p.id)
	}
	return fmt.Errorf("project %s: %w", p.id, cause)
}

func (r *Registry) brokenOf(root string) (api.Project, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return byRoot(r.broken, root)
}

func (r *Registry) brokenList() []api.Project {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.SortedFunc(maps.Values(r.broken), func(a, b api.Project) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

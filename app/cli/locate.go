package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

type locator struct {
	dir, home string // absolute paths without symbolic links, or ""
	short     bool
	projects  []api.Project
	own       *api.Project
	only      bool // own does not contain the working directory, but is the only project
}

func (v *invocation) locate(ctx context.Context, c *client.Client) (*locator, error) {
	s, err := wire.MethodStatus.Call(ctx, c, wire.Empty{})
	if err != nil {
		return nil, err
	}
	l := &locator{short: v.screen.Interactive, projects: s.Projects}
	if dir, err := os.Getwd(); err == nil {
		l.dir = resolved(dir)
	}
	if home, err := os.UserHomeDir(); err == nil {
		l.home = resolved(home)
	}
	ref := v.projectRef(v.project)
	if ref == "" {
		ref = l.dir
	}
	l.own = l.find(ref)
	return l, nil
}

func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

func (l *locator) named(name string) *api.Project {
	if i := slices.IndexFunc(l.projects, func(p api.Project) bool { return p.Name == name }); i >= 0 {
		return &l.projects[i]
	}
	return nil
}

// find returns the project named ref, or the innermost project around the folder ref, or else the only project.
func (l *locator) find(ref string) *api.Project {
	found, longest := l.named(ref), -1
	if found != nil {
		return found
	}
	for i := range l.projects {
		p := &l.projects[i]
		for _, r := range p.Roots {
			if len(r.Path) > longest && filepath.IsAbs(ref) && within(resolved(ref), r.Path) {
				found, longest = p, len(r.Path)
			}
		}
	}
	if l.only = found == nil && len(l.projects) == 1; l.only {
		return &l.projects[0]
	}
	return found
}

func within(path, dir string) bool {
	rest, err := filepath.Rel(dir, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}

func (l *locator) path(project, path string) string {
	root, abs := l.absolute(project, path)
	if root == "" {
		if project != "" {
			return project + ": " + path
		}
		return path
	}
	if rel, err := filepath.Rel(l.dir, abs); err == nil && l.dir != "" && within(l.dir, root) {
		return rel
	}
	return l.file(abs)
}

// absolute returns a file's absolute path and the root that contains the file, or "" if no root does.
func (l *locator) absolute(project, path string) (root, file string) {
	p := l.own
	if project != "" {
		p = l.named(project)
	}
	root, rest := rootOf(p, path)
	if root == "" {
		return "", ""
	}
	return root, filepath.Join(root, filepath.FromSlash(rest))
}

func (l *locator) file(abs string) string {
	if rel, err := filepath.Rel(l.dir, abs); err == nil && l.dir != "" && within(abs, l.dir) {
		return rel
	}
	if l.short {
		return tilde(abs, l.home)
	}
	return abs
}

// prefixed is like path, but also accepts paths such as "project:src/main.go".
func (l *locator) prefixed(path string) string {
	if name, rest, several := strings.Cut(path, ":"); several && l.named(name) != nil {
		return l.path(name, rest)
	}
	return l.path("", path)
}

func rootOf(p *api.Project, path string) (root, rest string) {
	if p == nil {
		return "", path
	}
	name := ""
	if at, below, ok := strings.Cut(path, "/"); ok && strings.HasPrefix(at, "@") {
		name, rest = at[1:], below
	}
	for _, r := range p.Roots {
		if name != "" && r.Name == name {
			return r.Path, rest
		}
	}
	return p.Root(), path
}

// placeRef returns the absolute path of an existing file. A path of a project that the user named stays unchanged.
func (v *invocation) placeRef(path string, p *projects) string {
	if path == "" || v.project != "" || p != nil && (p.all || len(p.named) > 0) {
		return filepath.ToSlash(path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		if _, err := os.Lstat(abs); err == nil {
			path = filepath.Join(resolved(filepath.Dir(abs)), filepath.Base(abs))
		}
	}
	return filepath.ToSlash(path)
}

package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// locator turns the paths of results, which are relative to their project, into those that a shell in the working
// directory can use.
type locator struct {
	dir, home string // the working directory and the home folder, without links; "" where unknown
	short     bool   // ~ for the home folder: for people
	projects  []api.Project
	own       *api.Project // the one that a call without a project means
}

func (v *invocation) locate(ctx context.Context, c *client.Client) (*locator, error) {
	s, err := wire.MethodStatus.Call(ctx, c, wire.Empty{})
	if err != nil {
		return nil, err
	}
	l := &locator{short: v.screen.Person, projects: s.Projects}
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

// named is the project of a name, nil if there is none.
func (l *locator) named(name string) *api.Project {
	for i := range l.projects {
		if l.projects[i].Name == name {
			return &l.projects[i]
		}
	}
	return nil
}

// find is the project of a name or the innermost one that a folder is in, else the only one; nil if there is none.
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
	if found == nil && len(l.projects) == 1 {
		return &l.projects[0]
	}
	return found
}

// within reports whether a path is a folder or below it.
func within(path, dir string) bool {
	rest, err := filepath.Rel(dir, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}

// path is a file of a project, "" for the one that is meant anyway: relative to the working directory if that is in the
// same project, else absolute. A project that is not known leaves the path as the index has it.
func (l *locator) path(project, path string) string {
	root, abs := l.absolute(project, path)
	if root == "" {
		if project != "" {
			return project + ": " + path
		}
		return path
	}
	if l.dir != "" && within(l.dir, root) {
		if rel, err := filepath.Rel(l.dir, abs); err == nil {
			return rel
		}
	}
	return l.file(abs)
}

// absolute is a file of a project as path takes it, and the folder of the project that it is in; "" where that is not
// known.
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

// file is an absolute path, relative to the working directory if it is below that.
func (l *locator) file(abs string) string {
	if l.dir != "" && within(abs, l.dir) {
		if rel, err := filepath.Rel(l.dir, abs); err == nil {
			return rel
		}
	}
	if l.short {
		return tilde(abs, l.home)
	}
	return abs
}

// prefixed is path for one that begins with its project's name, where several were searched.
func (l *locator) prefixed(path string) string {
	if name, rest, several := strings.Cut(path, ":"); several && l.named(name) != nil {
		return l.path(name, rest)
	}
	return l.path("", path)
}

// rootOf splits a path into the project's folder that it is in, "" if that is not known, and what is below it.
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

package scope

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

// Projects finds projects. Its methods must not wait for running jobs. Roots are absolute, canonical paths.
type Projects interface {
	Projects() []api.Project
	// Lookup finds a project by its name, a root, or a path below a root.
	Lookup(ref string) (api.Project, bool)
	// DetectRoot searches dir and the folders above for the root of a project (RFC 5.1). It never returns "/" or a home
	// folder.
	DetectRoot(dir string) (root string, ok bool)
	// Canonical returns the canonical path of dir, or an *api.Error if dir is not an existing folder.
	Canonical(dir string) (root string, err error)
	// IsTooBroad reports whether root is too broad to be chosen without the user, such as a home folder.
	IsTooBroad(root string) bool
}

// Finder determines which project a call means (docs/specification.md#which-project-a-call-means).
type Finder struct {
	Session  *session.Session
	Projects Projects

	Only bool // the project was chosen because it is the only one

	within string // the folder from which the project was found, or ""
}

// RequireRootOrName returns an error if the call did not give the project's root or name. Deleting an index requires
// one of them.
func (f *Finder) RequireRootOrName(root string) error {
	if f.within == "" {
		return nil
	}
	return api.ErrArgument("project", fmt.Sprintf("a project's root or name; '%s' is not the root of %s",
		display.Short(f.within), display.Visible(root)))
}

func (f *Finder) lookup(ref string) (api.Project, bool) {
	p, found := f.Projects.Lookup(ref)
	f.within = ""
	if !found || ref == p.Name || ref == p.ID {
		return p, found
	}
	dir, err := f.Projects.Canonical(ref)
	if err != nil || !slices.ContainsFunc(p.Roots, func(r api.Root) bool { return r.Path == dir }) {
		f.within = ref
	}
	return p, true
}

// Named returns the root of the project with the name, root or folder ref. On Windows, it refuses an assistant's path
// on an unknown computer, because Windows would send credentials to that computer.
func (f *Finder) Named(ref string) (string, error) {
	if f.Session.Role() == api.RoleAssistant && windows && f.isForeign(ref) {
		shown := display.Short(ref)
		return "", api.New(api.ConfirmationRequired,
			fmt.Sprintf("'%s' is on another computer. Only the user can name it first: "+
				"please ask the user to index it in the Search MCP window, or to start the editor in it.", shown),
			"a UNC path of a host without a project or an editor's folder: "+shown, nil)
	}
	return f.named(ref)
}

var windows = runtime.GOOS == "windows" // tests replace it

// isForeign reports whether ref is on a computer that has no project and not the editor's start folder.
func (f *Finder) isForeign(ref string) bool {
	host := session.RemoteHost(ref)
	if host == "" {
		return false
	}
	hello := f.Session.Hello()
	known := []string{hello.Dir, hello.Project, hello.ClaudeProjectDir}
	for _, p := range f.Projects.Projects() {
		for _, r := range p.Roots {
			known = append(known, r.Path)
		}
	}
	return host == "?" || !slices.ContainsFunc(known, func(path string) bool { return session.RemoteHost(path) == host })
}

func (f *Finder) named(ref string) (string, error) {
	if p, found := f.lookup(ref); found {
		if f.within != "" && !f.exists(p, ref) {
			return "", f.unknown(ref)
		}
		return p.Root(), nil
	}
	dir := ref
	if ref == "~" || strings.HasPrefix(ref, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			dir = filepath.Join(home, ref[1:])
		}
	} else if base := f.folder(); base != "" && strings.HasPrefix(ref, ".") {
		dir = filepath.Join(base, ref)
	}
	if !filepath.IsAbs(dir) {
		return "", f.unknown(ref)
	}
	root, err := f.Projects.Canonical(dir)
	if err != nil {
		return "", f.unknown(ref)
	}
	if p, found := f.lookup(root); found {
		return p.Root(), nil
	}
	return root, nil
}

func (f *Finder) exists(p api.Project, ref string) bool {
	_, err := f.Projects.Canonical(ref)
	return err == nil || slices.ContainsFunc(p.Roots, func(r api.Root) bool { return r.Path == filepath.Clean(ref) })
}

func (f *Finder) folder() string {
	hello := f.Session.Hello()
	if hello.Project != "" {
		if filepath.IsAbs(hello.Project) {
			return hello.Project
		}
		if p, found := f.Projects.Lookup(hello.Project); found {
			return p.Root()
		}
	}
	if roots := f.given(f.Session.KnownRoots()...); len(roots) > 0 && !slices.Contains(roots, f.owner(hello.Dir)) {
		return roots[0]
	}
	return cmp.Or(hello.ClaudeProjectDir, hello.Dir)
}

func (f *Finder) Containing(path string) (root string, found bool) {
	if f.Session.Role() == api.RoleAssistant && windows && f.isForeign(path) {
		return "", false
	}
	p, found := f.Projects.Lookup(path)
	return p.Root(), found
}

const everyProject = "all"

// RootsOf returns the roots of several projects. A reference may be a comma-separated list or "all".
func (f *Finder) RootsOf(refs []string) ([]string, error) {
	var roots []string
	add := func(root string) {
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	for _, ref := range refs {
		root, err := f.Named(ref)
		switch {
		case err == nil:
			add(root)
		case ref == everyProject:
			projects := f.Projects.Projects()
			if len(projects) == 0 {
				return nil, api.New(api.IndexNotFound, "No project has been indexed yet.",
					"'all' means all registered projects", nil)
			}
			for _, p := range projects {
				add(p.Root())
			}
		case strings.Contains(ref, ","):
			parts := strings.Split(ref, ",")
			for i := range parts {
				parts[i] = strings.TrimSpace(parts[i])
			}
			listed, err := f.RootsOf(slices.DeleteFunc(parts, func(s string) bool { return s == "" }))
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
		return nil, f.unknown(strings.Join(refs, ","))
	}
	return roots, nil
}

func (f *Finder) unknown(ref string) *api.Error {
	name, known := display.Short(ref), f.Registered()
	if f.Session.Role() == api.RoleTerminal {
		known = "See: search-mcp projects"
	}
	return api.New(api.InvalidArgument, fmt.Sprintf("No project %q. %s", name, known),
		"project: neither an existing folder (absolute path) nor a registered name", nil)
}

func (f *Finder) Registered() string {
	projects := f.Projects.Projects()
	if len(projects) == 0 {
		return "No project is registered yet."
	}
	names := make([]string, 0, len(projects))
	for i, p := range projects {
		if i == maxListed {
			names = append(names, fmt.Sprintf("and %d more (call list_projects)", len(projects)-i))
			break
		}
		names = append(names, fmt.Sprintf("%s (%s)", display.Visible(p.Name), display.Visible(p.Root())))
	}
	return "Registered projects: " + strings.Join(names, ", ") + "."
}

const maxListed = 20

type Roots func(ctx context.Context) ([]string, error)

// DefaultRoots returns the projects of a call without the argument project, or the error PROJECT_NOT_DETECTED.
func (f *Finder) DefaultRoots(ctx context.Context, clientRoots Roots) ([]string, error) {
	hello := f.Session.Hello()
	if hello.Project != "" {
		root, err := f.named(hello.Project)
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
		if roots := f.given(dirs...); len(roots) > 0 {
			return roots, nil
		}
	}
	if hello.ClaudeProjectDir != "" {
		if !filepath.IsAbs(hello.ClaudeProjectDir) {
			return nil, api.New(api.InvalidArgument, fmt.Sprintf("CLAUDE_PROJECT_DIR must be an absolute path, not %q.",
				display.Short(hello.ClaudeProjectDir)), "CLAUDE_PROJECT_DIR: not absolute", nil)
		}
		if roots := f.given(hello.ClaudeProjectDir); len(roots) > 0 {
			return roots, nil
		}
	}
	if hello.Dir != "" {
		if root, found := f.Projects.DetectRoot(hello.Dir); found && !f.Projects.IsTooBroad(root) {
			root = f.owner(root)
			if p, found := f.lookup(hello.Dir); found && p.Root() != root {
				f.within = hello.Dir // the folder belongs to another project below root
			}
			return []string{root}, nil
		}
		if p, found := f.lookup(hello.Dir); found {
			return []string{p.Root()}, nil
		}
	}
	if chosen := f.Session.Choice().Root; chosen != "" {
		return []string{chosen}, nil
	}
	if projects := f.Projects.Projects(); len(projects) == 1 {
		f.Only, f.within = true, cmp.Or(hello.Dir, "/")
		return []string{projects[0].Root()}, nil
	}
	e := api.ErrProjectNotDetected()
	pass := " Pass one of them, or a folder, as the argument 'project'."
	if len(f.Projects.Projects()) == 0 {
		pass = " Pass a folder as the argument 'project'."
	}
	e.DeveloperMessage += ". " + f.Registered() + pass
	return nil, e
}

// given returns the root of the project around each folder, or else the folder. It omits missing folders and broad
// ones, such as the home folder.
func (f *Finder) given(dirs ...string) []string {
	var roots []string
	for _, dir := range dirs {
		root, err := f.Projects.Canonical(dir)
		if err != nil {
			continue
		}
		if root = f.owner(root); !f.Projects.IsTooBroad(root) && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

func (f *Finder) owner(dir string) string {
	if p, found := f.lookup(dir); found {
		return p.Root()
	}
	return dir
}

func (f *Finder) All(ctx context.Context, refs []string) ([]string, error) {
	if len(refs) > 0 {
		return f.RootsOf(refs)
	}
	return f.DefaultRoots(ctx, nil)
}

func (f *Finder) Ambiguous(roots []string) *api.Error {
	shown := make([]string, len(roots))
	for i, r := range roots {
		shown[i] = display.Visible(r)
	}
	return api.ErrArgument("project", "given, because this session has several projects: "+strings.Join(shown, ", "))
}

// Known is like DefaultRoots, but does not ask the client for its roots.
func (f *Finder) Known(ctx context.Context) ([]string, error) {
	return f.DefaultRoots(ctx, func(context.Context) ([]string, error) { return f.Session.KnownRoots(), nil })
}

func (f *Finder) One(ctx context.Context, ref string) (string, error) {
	if ref != "" {
		return f.Named(ref)
	}
	roots, err := f.DefaultRoots(ctx, nil)
	if err != nil {
		return "", err
	}
	if len(roots) != 1 {
		return "", f.Ambiguous(roots)
	}
	return roots[0], nil
}

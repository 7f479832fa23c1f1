package scope

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

type finding = Projects

// looks records the paths that the engine accesses.
type looks struct {
	finding
	projects []api.Project
	paths    []string
}

func (l *looks) Projects() []api.Project { return l.projects }

func (l *looks) Lookup(ref string) (api.Project, bool) {
	l.paths = append(l.paths, ref)
	return api.Project{}, false
}

func (l *looks) Canonical(dir string) (string, error) {
	l.paths = append(l.paths, dir)
	return "", errors.New("nothing is there")
}

// TestForeignComputersAreNotTouched checks that a path from an assistant never sends the user's credentials to another
// host.
func TestForeignComputersAreNotTouched(t *testing.T) {
	defer func(was bool) { windows = was }(windows)
	windows = true
	share := api.Project{Roots: []api.Root{{Path: `C:\code`}, {Name: "lib", Path: `\\Office\lib`}}}
	for _, test := range []struct {
		refs    []string
		touched bool
	}{
		{[]string{`\\evil.example\share`}, false},
		{[]string{`//evil.example/share/code`}, false},
		{[]string{`\\?\UNC\evil.example\share`}, false},
		{[]string{`\\.\GLOBALROOT\Device\Mup\evil.example\share`}, false},
		{[]string{`\\office\lib`}, true}, // a project is on it
		{[]string{`C:\other`}, true},
		{[]string{`\\wsl.localhost\Debian\home`}, true},
		{[]string{"shop"}, true},
	} {
		l := &looks{projects: []api.Project{share}}
		f := &Finder{Session: session.New(session.Options{}, "1", nil), Projects: l}
		_, err := f.RootsOf(test.refs)
		if touched := len(l.paths) > 0; touched != test.touched {
			t.Errorf("%s: looked at %q", test.refs, l.paths)
		}
		if refused := api.CodeOf(err) == api.ConfirmationRequired; refused == test.touched {
			t.Errorf("%s: %v", test.refs, err)
		}
	}
	l := &looks{}
	f := &Finder{Session: session.New(session.Options{}, "1", nil), Projects: l}
	if _, err := f.RootsOf([]string{`shop, \\evil.example\share`}); api.CodeOf(err) == "" || slices.Contains(l.paths,
		`\\evil.example\share`) {
		t.Errorf("in a list: %v, looked at %q", err, l.paths)
	}
}

// contained is an engine with one project.
type contained struct {
	finding
	project api.Project
}

func (c contained) Lookup(ref string) (api.Project, bool) {
	return c.project, ref == c.project.Name || ref == c.project.ID || strings.HasPrefix(ref+"/", "/p/shop/")
}
func (c contained) Canonical(dir string) (string, error) { return dir, nil }
func (c contained) Projects() []api.Project              { return []api.Project{c.project} }
func (c contained) IsTooBroad(string) bool               { return false }

// TestWhole checks that deleting or rebuilding an index does not accept a folder inside the project.
func TestWhole(t *testing.T) {
	engine := contained{project: api.Project{Name: "shop", ID: "1234", Roots: []api.Root{{Path: "/p/shop"}}}}
	for ref, meant := range map[string]bool{"shop": true, "1234": true, "/p/shop": true, "/p/shop/src": false} {
		f := &Finder{Session: session.New(session.Options{}, "1", nil), Projects: engine}
		root, err := f.One(t.Context(), ref)
		if err != nil || root != "/p/shop" {
			t.Errorf("%s: %q, %v", ref, root, err)
		}
		if err := f.RequireRootOrName(root); (err == nil) != meant {
			t.Errorf("%s: %v", ref, err)
		}
		if f.given("/p/shop/src"); f.RequireRootOrName(root) == nil {
			t.Errorf("an editor's folder selects the project that contains it")
		}
	}
}

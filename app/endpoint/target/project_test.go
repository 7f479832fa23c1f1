package target

import (
	"errors"
	"slices"
	"testing"

	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

type finding = Projects

// looks notes what the engine was asked to look at.
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

// TestForeignComputersAreNotTouched: what an assistant names may not send the person's credentials to a host of its
// choice.
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
		{[]string{`\\office\lib`}, true}, // a project is there
		{[]string{`C:\other`}, true},
		{[]string{`\\wsl.localhost\Debian\home`}, true},
		{[]string{"shop"}, true},
	} {
		l := &looks{projects: []api.Project{share}}
		f := &Finder{Session: session.New(session.Options{}, "1", nil), Projects: l}
		_, err := f.Several(test.refs)
		if touched := len(l.paths) > 0; touched != test.touched {
			t.Errorf("%s: looked at %q", test.refs, l.paths)
		}
		if refused := api.CodeOf(err) == api.ConfirmationRequired; refused == test.touched {
			t.Errorf("%s: %v", test.refs, err)
		}
	}
	l := &looks{}
	f := &Finder{Session: session.New(session.Options{}, "1", nil), Projects: l}
	if _, err := f.Several([]string{`shop, \\evil.example\share`}); api.CodeOf(err) == "" || slices.Contains(l.paths,
		`\\evil.example\share`) {
		t.Errorf("in a list: %v, looked at %q", err, l.paths)
	}
}

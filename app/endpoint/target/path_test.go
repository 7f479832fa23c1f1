package target

import (
	"runtime"
	"testing"

	"searchmcp/engine/api"
)

type finding = Projects

type oneProject struct {
	finding
	project api.Project
}

func (p oneProject) Lookup(string) (api.Project, bool) { return p.project, true }

func TestWithin(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of this test are of other systems")
	}
	p := oneProject{project: api.Project{Roots: []api.Root{{Path: "/home/ada/shop"}, {Name: "lib", Path: "/srv/lib"}}}}
	for path, want := range map[string]string{
		"src/a.go":                "src/a.go",
		"/home/ada/shop/src/a.go": "src/a.go",
		"/home/ada/shop/**/*.go":  "**/*.go",
		"/srv/lib/b.go":           "@lib/b.go",
		"/home/ada/shop":          "/home/ada/shop",
		"/home/ada/shopping/a.go": "/home/ada/shopping/a.go",
		"/home/ada/shop/../x.go":  "../x.go", // the engine refuses it, as it does without the folder
		"/etc/passwd":             "/etc/passwd",
		"":                        "",
	} {
		if got := Within(p, "/home/ada/shop", path); got != want {
			t.Errorf("%q gives %q, want %q", path, got, want)
		}
	}
}

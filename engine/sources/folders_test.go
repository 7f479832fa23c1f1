package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
)

type unusedMethods = interface {
	Search(ctx context.Context, roots []string, q api.Query) (api.Results, error)
	Canonical(dir string) (root string, err error)
}

type someProjects struct {
	unusedMethods
	roots []string
}

func (s someProjects) Projects() (all []api.Project) {
	for _, r := range s.roots {
		all = append(all, api.Project{Roots: []api.Root{{Path: r}}})
	}
	return all
}

func (s someProjects) Lookup(ref string) (api.Project, bool) {
	for _, p := range s.Projects() {
		if p.Root() == ref {
			return p, true
		}
	}
	return api.Project{}, false
}

func (someProjects) Config(string) api.Config { return api.DefaultConfig() }

func TestFoldersStay(t *testing.T) {
	dir, err := scan.CanonicalRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folders := func(kind string) (roots []string) {
		for i := range 2 * maxFolders {
			root := filepath.Join(dir, fmt.Sprint(kind, i))
			if err := os.Mkdir(root, 0o755); err != nil {
				t.Fatal(err)
			}
			roots = append(roots, root)
		}
		return roots
	}
	projects, added, named := folders("project"), folders("added"), folders("named")
	s := &Sources{opt: Options{Projects: someProjects{roots: projects}, Added: func() []string { return added }},
		folders: map[string]*folder{}, opened: make(chan struct{}, 1)}
	open := func(root string) *folder {
		f, err := s.open(root)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	before := map[string]*folder{}
	for i := range projects {
		for _, root := range []string{projects[i], added[i], named[i]} {
			before[root] = open(root)
		}
	}
	for i := range projects {
		if open(projects[i]) != before[projects[i]] || open(added[i]) != before[added[i]] {
			t.Fatalf("folders %d are read again", i)
		}
	}
	if open(named[len(named)-1]) != before[named[len(named)-1]] || open(named[0]) == before[named[0]] {
		t.Error("of the folders that sessions name, not the last ones used stay")
	}
	if n := len(s.folders); n != len(projects)+len(added)+maxFolders {
		t.Errorf("%d folders in memory", n)
	}
}

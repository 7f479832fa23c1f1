package engine

import (
	"path/filepath"
	"slices"
	"testing"

	"searchmcp/engine/api"
)

// An excluded repository inside a project is another project. The app's own data is never indexed.
func TestWhoseCodeItIs(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		".gitignore": ".trees/\nold/\n", ".git/HEAD": "ref: refs/heads/main\n", "a.go": "package a\n\nfunc Outer() {}\n",
		".trees/fix/.git/HEAD": "ref: refs/heads/fix\n", ".trees/fix/sub/a.go": "package a\n\nfunc Inner() {}\n",
		"kept/.git/HEAD": "ref: refs/heads/main\n", "kept/k.go": "package k\n", "old/x.go": "package old\n",
	})
	data := filepath.Join(root, "tools", "data")
	e := open(t, data)
	create(t, e, root)
	for dir, want := range map[string]string{
		"": root, "kept": root, "old": root, ".trees": root, ".trees/fix": "", ".trees/fix/sub": "",
	} {
		p, found := e.Lookup(filepath.Join(root, dir))
		if got := p.Root(); found != (want != "") || got != want {
			t.Errorf("%q is of %q, want %q", dir, got, want)
		}
	}
	inner := filepath.Join(root, ".trees", "fix")
	create(t, e, inner)
	if p, _ := e.Lookup(filepath.Join(inner, "sub")); p.Root() != inner {
		t.Errorf("an own index is not found: %q", p.Root())
	}
	want := []string{".gitignore", "a.go", "kept/k.go"}
	for _, typed := range []string{"", ".", root, root + "/"} {
		got, err := e.Files(t.Context(), []string{root}, api.FileQuery{Pattern: typed, Limit: 50})
		if err != nil || !slices.Equal(got.Matches, want) {
			t.Errorf("%q: %q, %v", typed, got.Matches, err)
		}
	}
}

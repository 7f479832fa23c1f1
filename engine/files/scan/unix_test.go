//go:build unix

package scan

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy/policytest"
)

func chmod(t *testing.T, file string, mode os.FileMode) {
	t.Helper()
	must(t, os.Chmod(file, mode))
}

func TestPermissions(t *testing.T) {
	if !policytest.Unprivileged(t) {
		return
	}
	root := quiet(t)
	write(t, root, "a.go", "closed.go", "dir/b.go", "dir/sub/c.go", "gone/d.go")
	p, k := newPolicy(t, root), known{}
	k.commit(diffOf(t, p, k))
	dir := filepath.Join(root, "dir")
	chmod(t, dir, 0)
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	chmod(t, filepath.Join(root, "closed.go"), 0)
	must(t, os.RemoveAll(filepath.Join(root, "gone")))
	check := func(what string, c Changes, err error) {
		t.Helper()
		must(t, err)
		expect(t, what, c, []string{}, []string{"closed.go", "gone/d.go"})
		if !slices.Contains(c.Report.Unreadable, "dir") && what == "Diff" {
			t.Errorf("unreadable: %q", c.Report.Unreadable)
		}
		if c.Report.Skipped[api.SkipUnreadable] < 2 {
			t.Errorf("%s: skipped %v", what, c.Report.Skipped)
		}
	}
	c, err := Diff(context.Background(), p, k, false)
	check("Diff", c, err)
	c, err = Paths(context.Background(), p, k, []string{"closed.go", "dir", "dir/b.go", "gone"})
	check("Paths", c, err)
	c, err = Paths(context.Background(), p, k, []string{"closed.go", "dir/b.go", "dir/sub", "gone/d.go"})
	check("Paths inside", c, err)
	chmod(t, root, 0)
	t.Cleanup(func() { os.Chmod(root, 0o755) })
	if c, err := Diff(context.Background(), p, k, false); !errors.Is(err, ErrRootGone) || len(c.Removed) > 0 {
		t.Errorf("a closed root: %v, %v", c.Removed, err)
	}
	if c, err := Paths(context.Background(), p, k, []string{"a.go"}); err == nil || len(c.Removed) > 0 {
		t.Errorf("a path of a closed root: %v, %v", c.Removed, err)
	}
	chmod(t, root, 0o755)
	chmod(t, dir, 0o755)
	chmod(t, filepath.Join(root, "closed.go"), 0o644)
	k.commit(Changes{Removed: []string{"closed.go", "gone/d.go"}})
	expect(t, "open again", diffOf(t, p, k), []string{"closed.go"}, nil)
}

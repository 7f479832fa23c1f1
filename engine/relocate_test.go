package engine

import (
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/project"
)

// A project remains in the list after a failed relocation, and is searchable if it can be opened.
func TestFailedRelocation(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spoil   func(t *testing.T, before, after string)
		located bool // listed with the new root
		state   api.State
	}{
		"rename": {func(t *testing.T, _, after string) { write(t, filepath.Join(after, "in the way"), "") },
			false, api.StateReady},
		"record": {func(t *testing.T, before, _ string) {
			record := filepath.Join(before, "project.json")
			must(t, os.Remove(record))
			write(t, filepath.Join(record, "in the way"), "")
		}, false, api.StateReady},
		"start": {func(t *testing.T, before, _ string) { // the log's folder is missing
			logs := filepath.Join(before, "logs")
			must(t, os.RemoveAll(logs))
			write(t, logs, "in the way")
		}, true, api.StateError},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			e := openOpt(t, data, nil)
			root := tree(t, shop)
			create(t, e, root)
			becomesTrue(t, e, root)
			moved := root + "-moved"
			must(t, os.Rename(root, moved))
			folder := func(root string) string { return filepath.Join(data, project.Dir, scan.ProjectID(root)) }
			tc.spoil(t, folder(root), folder(moved))
			if p, err := e.Relocate(t.Context(), root, moved); err == nil {
				t.Fatalf("relocated all the same: %+v", p)
			}
			want := root
			if tc.located {
				want = moved
			} else if err := os.Rename(moved, root); err != nil {
				t.Fatal(err)
			}
			if list := e.Projects(); len(list) != 1 || list[0].Root() != want {
				t.Fatalf("projects: %+v", list)
			}
			awaitState(t, e, want, tc.state)
			if tc.state == api.StateReady {
				if r := find(t, e, want, "Charge"); len(r.Hits) == 0 || r.Hits[0].Path != "pay/charge.go" {
					t.Errorf("found %s", paths(r))
				}
			}
		})
	}
}

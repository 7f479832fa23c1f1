package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/worker"
)

func manyFiles(t *testing.T, files int) string {
	t.Helper()
	content := map[string]string{}
	for i := range files {
		var b strings.Builder
		fmt.Fprintf(&b, "// Package p%d charges cards.\npackage p%d\n\n", i, i)
		for j := range 20 {
			fmt.Fprintf(&b,
				"// Charge%dx%d takes the amount from card %d.\nfunc Charge%dx%d(amount int) error {\n\treturn nil\n}\n\n", i, j, j,
				i, j)
		}
		content[fmt.Sprintf("p%d/charge.go", i)] = b.String()
	}
	return tree(t, content)
}

func realModel(o *Options) { o.model, o.retry = nil, 50*time.Millisecond }

// A project indexed without a worker is searchable. Its files are split by syntax once parsers run.
func TestIndexWithoutWorker(t *testing.T) {
	program := os.Getenv(worker.ProgramEnv)
	t.Setenv(worker.ProgramEnv, filepath.Join(t.TempDir(), "none"))
	root := manyFiles(t, 40)
	e := openOpt(t, t.TempDir(), realModel)
	j, err := e.Create(t.Context(), root, api.Approval{})
	must(t, err)
	select {
	case <-j.Done():
	case <-time.After(patience):
		t.Fatal("the index is never done")
	}
	if r := find(t, e, root, "Charge7x7"); len(r.Hits) == 0 {
		t.Error("nothing found")
	}
	eventually(t, e, "quick vectors", func() bool { return find(t, e, root, "Charge7x7").Static == 1 })
	p, err := e.Status(t.Context(), root)
	if err != nil || p.Files != 40 || p.PartialFiles != 40 || p.Partial[0].Plain != api.PlainAway || p.Problem == nil {
		t.Errorf("%d of %d files in part, %+v, %+v, %v", p.PartialFiles, p.Files, p.Partial, p.Problem, err)
	}
	t.Setenv(worker.ProgramEnv, program)
	eventually(t, e, "files to be cut by syntax", func() bool {
		_ = e.Find(root).Actor().Rechunk(t.Context()) // parsers may take a moment to start
		p, err := e.Status(t.Context(), root)
		return err == nil && p.PartialFiles == 0
	})
}

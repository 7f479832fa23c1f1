package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"searchmcp/engine"
	"searchmcp/engine/api"
)

// sample is the project that is indexed by default. Its version is pinned, so that figures can be compared.
const sample = "k8s.io/client-go@v0.31.0"

// moduleDir downloads a module and returns its folder in the module cache.
func moduleDir(ctx context.Context, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside any module, so that no go.mod is changed
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", err
	}
	return m.Dir, nil
}

// library returns the folder with the source of Go's standard library and tools, which has more than 10,000 files.
func library(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find Go's source: %w", err)
	}
	return filepath.Join(string(out[:max(0, len(out)-1)]), "src"), nil
}

type indexing struct {
	eng      *engine.Engine
	root     string
	progress func(api.Progress) // called with every progress event, if set
	// textOnly stops the job when all files are searchable by text.
	textOnly bool
}

type created struct {
	searchable time.Duration // until all files were searchable by text
	processor  time.Duration // processor time of all processes until then
	all        time.Duration // until all vectors were computed
	stats      api.IndexStats
}

// run indexes the project and waits for the job. It calls text when all files are searchable by text.
func (x indexing) run(ctx context.Context, text func()) (c created, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := x.eng.Subscribe(ctx)
	began, before := time.Now(), processor()
	job, err := x.eng.Create(ctx, x.root, api.Approval{})
	if err != nil {
		return c, err
	}
	complete := func() {
		if c.searchable == 0 {
			c.searchable, c.processor = time.Since(began), processor()-before
			text()
		}
	}
	for {
		select {
		case e := <-events:
			if e.Kind != api.EventProgress || e.Progress.Action != api.ActionCreate {
				continue
			}
			if x.progress != nil {
				x.progress(*e.Progress)
			}
			if e.Progress.Phase == api.PhaseEmbedding {
				complete()
				if x.textOnly {
					return c, nil
				}
			}
		case <-job.Done():
			c.stats, err = job.Result()
			complete()
			c.all = time.Since(began)
			return c, err
		case <-ctx.Done():
			return c, context.Cause(ctx)
		}
	}
}

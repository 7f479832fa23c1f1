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

// sample is the project that is indexed when none is named, pinned so that figures compare.
const sample = "k8s.io/client-go@v0.31.0"

// moduleDir is the folder of a module in the module cache.
func moduleDir(ctx context.Context, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside any module, so that go.mod stays as it is
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

// library is the source of Go's own library and tools, a project of more than 10,000 files that every developer of this
// one has.
func library(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find Go's own source: %w", err)
	}
	return filepath.Join(string(out[:max(0, len(out)-1)]), "src"), nil
}

// indexing is one project on its way into the index.
type indexing struct {
	eng  *engine.Engine
	root string
	// progress, if set, is called with every progress event.
	progress func(api.Progress)
	// textOnly ends the job as soon as every file can be searched by text.
	textOnly bool
}

// created is what indexing came to.
type created struct {
	searchable time.Duration // until every file could be searched by text
	processor  time.Duration // of that, by all threads
	all        time.Duration // until all vectors were there
	stats      api.IndexStats
}

// run creates the project and follows its job to the end. text is called when every file can be searched by text.
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

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"searchmcp/engine"
)

// madeUpFiles is the number of generated files that are added to Go's source, for more than 100,000 chunks in total.
const madeUpFiles = 12_000

// measureLarge searches a project of more than 100,000 chunks, which consists of Go's source and generated files. Its
// vectors are generated too.
func measureLarge(ctx context.Context, p *process) error {
	dir, err := p.largeProject(ctx)
	if err != nil {
		return err
	}
	eng, root, err := p.madeUp(ctx, dir)
	if err != nil {
		return err
	}
	preview, err := eng.Preview(ctx, root)
	if err != nil {
		return err
	}
	stop := p.profile("large-text")
	c, err := indexing{eng: eng, root: root}.run(ctx, func() { stop() })
	if err != nil {
		return err
	}
	p.emit("large.chunks", float64(c.stats.ChunksCreated))
	p.emit("large.files", float64(preview.Files))
	p.seconds("large.text", c.searchable)
	p.emit("large.mb", float64(preview.Bytes)/1e6/c.searchable.Seconds())
	p.emit("large.peak", peak())
	if err := p.disk(ctx, preview.Bytes, "large.disk"); err != nil {
		return err
	}
	// The vector table is compacted after the job. Searches are measured after that.
	if err := wait(ctx, settleLarge); err != nil {
		return err
	}
	stop = p.profile("large")
	err = p.searches(ctx, eng, root, "large.")
	stop()
	if err != nil {
		return err
	}
	long, err := longQuestions(root, 100)
	if err != nil {
		return err
	}
	for _, q := range long {
		began := time.Now()
		if _, err := eng.Search(ctx, []string{root}, question(q, false)); err != nil {
			return err
		}
		p.millis("large.long", time.Since(began))
	}
	if err := p.interrupted(ctx, eng, root); err != nil {
		return err
	}
	return eng.Close(ctx)
}

// interrupted measures how long a search runs after its cancellation. It cancels the search for a query of 60 KB 20
// times, each time later.
func (p *process) interrupted(ctx context.Context, eng *engine.Engine, root string) error {
	long := question(strings.Repeat(strings.Join(questions, " ")+" ", 200), false) // 60 KB
	began := time.Now()
	if _, err := eng.Search(ctx, []string{root}, long); err != nil {
		return err
	}
	whole := time.Since(began)
	p.millis("large.longest", whole)
	const moments = 20
	for i := range moments {
		asked, cancel := context.WithTimeout(ctx, whole*time.Duration(i)/moments)
		_, err := eng.Search(asked, []string{root}, long)
		if end, _ := asked.Deadline(); err != nil {
			p.millis("large.cancel", time.Since(end))
		}
		cancel()
	}
	return nil
}

func (p *process) largeProject(ctx context.Context) (dir string, err error) {
	source, err := library(ctx)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(p.data, "project")
	if err := os.CopyFS(filepath.Join(dir, "go"), os.DirFS(source)); err != nil {
		return "", fmt.Errorf("copy Go's source: %w", err)
	}
	if _, err = newSynthetic().project(filepath.Join(dir, "made"), madeUpFiles, fileSize); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module large\n"), 0o600) // marks the root of the project
}

// settleLarge is the time to wait for the compaction of the vector table.
const settleLarge = 15 * time.Second

// madeUp opens an engine with generated vectors, and returns it and the root of the project in dir.
func (p *process) madeUp(ctx context.Context, dir string) (*engine.Engine, string, error) {
	model, err := newMadeUp(ctx)
	if err != nil {
		return nil, "", err
	}
	eng, err := engine.Open(ctx, p.engine().WithModel(model))
	if err != nil {
		return nil, "", err
	}
	root, err := eng.Canonical(dir)
	return eng, root, err
}

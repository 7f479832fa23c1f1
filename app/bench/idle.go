package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"searchmcp/engine"
)

const (
	// settle is the time after the start of an engine until it is idle. It includes the initial scan, a compaction, a
	// comparison of the stores, and the minute after which memory is returned to the system.
	settle = 100 * time.Second
	// watched is the duration of a measurement. It includes one of Go's forced collections, which run every two
	// minutes.
	watched = 2 * time.Minute
	// unloaded is the time without a search after which the model is unloaded and its memory returned, with
	// modelIdleMinutes set to 1.
	unloaded = 190 * time.Second
)

// neighbours are four more modules to index, so that five projects are watched. Their versions are pinned.
var neighbours = []string{
	"github.com/blevesearch/bleve/v2@v2.6.1", "github.com/go-git/go-git/v5@v5.19.1", "github.com/mark3labs/mcp-go@v1.2.1",
	"github.com/spf13/cobra@v1.10.2",
}

// measureFive indexes four more projects. It measures the memory when the process is idle and the model is unloaded,
// and then a search, which loads the model again.
func measureFive(ctx context.Context, p *process) error {
	eng, err := engine.Open(ctx, p.engine())
	if err != nil {
		return err
	}
	// The shortest value. The engine reads it when it opens.
	if _, err := eng.SetSettings(map[string]any{"modelIdleMinutes": float64(1)}); err != nil {
		return err
	}
	if err := eng.Close(ctx); err != nil {
		return err
	}
	if eng, err = engine.Open(ctx, p.engine()); err != nil {
		return err
	}
	for i, module := range neighbours {
		p.logf("project %d of %d", i+2, len(neighbours)+1)
		dir, err := moduleDir(ctx, module)
		if err != nil {
			return err
		}
		root, err := eng.Canonical(dir)
		if err != nil {
			return err
		}
		if _, err := (indexing{eng: eng, root: root}).run(ctx, func() {}); err != nil {
			return err
		}
	}
	p.emit("five.peak", peak())
	p.logf("idle for %s", unloaded)
	if err := wait(ctx, unloaded); err != nil {
		return err
	}
	p.emit("five.memory", pss())
	root, err := eng.Canonical(p.project)
	if err != nil {
		return err
	}
	self, err := os.Executable() // also the program of the workers
	if err != nil {
		return err
	}
	if err := read(self, filepath.Join("packaging", "native"), filepath.Join("assets", "model"), p.data); err != nil {
		return err
	}
	began := time.Now()
	r, err := eng.Search(ctx, []string{root}, question("retry a request with growing pauses", false))
	if err != nil {
		return err
	}
	p.millis("five.first", time.Since(began))
	if !r.Semantic {
		fmt.Fprintln(os.Stderr, "bench: the first search after idling used no vectors of the model:", r.Notes)
	}
	return eng.Close(ctx)
}

// read reads files and all files in folders, so that they are in the system's cache. Some virtual machines drop
// cached files within two minutes, and the measurement would include reading the disk.
func read(paths ...string) error {
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			_, err = io.Copy(io.Discard, f)
			return errors.Join(err, f.Close())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// measureIdle measures memory, processor load and wake-ups of the built programs with five open projects after a start.
// No bridge is running.
func measureIdle(ctx context.Context, p *process) error {
	a, err := p.newAssistant(ctx, p.project, "data")
	if err != nil {
		return err
	}
	err = p.idle(ctx, a)
	return errors.Join(err, a.stop())
}

func (p *process) idle(ctx context.Context, a *assistant) error {
	_ = a.c.Close() // the bridge exits at the end of its input
	if err := wait(ctx, settle); err != nil {
		return err
	}
	pids := a.pids()
	cpu, wakes := used(pids)
	if err := wait(ctx, watched); err != nil {
		return err
	}
	cpu2, wakes2 := used(pids)
	p.emit("idle.memory", a.pss())
	p.emit("idle.processor", 100*(cpu2-cpu)/watched.Seconds())
	p.emit("idle.wakes", float64(wakes2-wakes)/watched.Seconds())
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

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

// settle is how long an engine is given after its start before it counts as idle: the pass at start, one fold, one
// comparison of the stores, and the minute after which memory is given back. watched is how long it is looked at then:
// Go's collection of every two minutes is in it once. unloaded is longer than a model stays loaded unused when the
// setting says a minute, and memory is kept after it.
const (
	settle   = 100 * time.Second
	watched  = 2 * time.Minute
	unloaded = 190 * time.Second
)

// neighbours are indexed beside the sample, so that five projects are watched. They are pinned.
var neighbours = []string{
	"github.com/blevesearch/bleve/v2@v2.6.1", "github.com/go-git/go-git/v5@v5.19.1", "github.com/mark3labs/mcp-go@v1.2.1",
	"github.com/spf13/cobra@v1.10.2",
}

// measureFive indexes four more projects beside the one that is there and looks at the process when it has nothing left
// to do and has given its model back; then it asks a question, which loads the model again.
func measureFive(ctx context.Context, p *process) error {
	eng, err := engine.Open(ctx, p.engine())
	if err != nil {
		return err
	}
	// The shortest there is, and read at the start.
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
		p.say("project %d of %d", i+2, len(neighbours)+1)
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
	p.emit("rest.peak", peak())
	p.say("at rest for %s", unloaded)
	if err := wait(ctx, unloaded); err != nil {
		return err
	}
	p.emit("five.memory", resident())
	root, err := eng.Canonical(p.project)
	if err != nil {
		return err
	}
	self, err := os.Executable() // the workers' program, too
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
		fmt.Fprintln(os.Stderr, "bench: the first search after idle was answered without vectors:", r.Notes)
	}
	return eng.Close(ctx)
}

// read reads files and all that is in folders, so that the system has them in its cache. A machine with memory to spare
// keeps what was read once; some virtual ones drop it within two minutes, and the disk would be measured.
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

// measureIdle looks at a process that was started anew and has five projects open and nothing to do.
func measureIdle(ctx context.Context, p *process) error {
	eng, err := engine.Open(ctx, p.engine())
	if err != nil {
		return err
	}
	if err := wait(ctx, settle); err != nil {
		return err
	}
	cpu, wakes := used()
	if err := wait(ctx, watched); err != nil {
		return err
	}
	cpu2, wakes2 := used()
	p.emit("idle.projects", float64(len(eng.Projects())))
	p.emit("idle.memory", resident())
	p.emit("idle.processor", 100*(cpu2-cpu)/watched.Seconds())
	p.emit("idle.wakes", float64(wakes2-wakes)/watched.Seconds())
	return eng.Close(ctx)
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

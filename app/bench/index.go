package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"searchmcp/engine"
	"searchmcp/engine/api"
)

// measureText indexes the project until all files are searchable by text.
func measureText(ctx context.Context, p *process) error {
	eng, err := engine.Open(ctx, p.engine())
	if err != nil {
		return err
	}
	root, preview, err := readPreview(ctx, eng, p.project)
	if err != nil {
		return err
	}
	stop := p.profile("text")
	c, err := indexing{eng: eng, root: root, textOnly: true}.run(ctx, stop)
	if err != nil {
		return err
	}
	p.emit("project.files", float64(preview.Files))
	p.emit("project.mb", float64(preview.Bytes)/1e6)
	p.seconds("text.seconds", c.searchable)
	p.emit("text.files", float64(preview.Files)/c.searchable.Seconds())
	p.emit("text.mb", float64(preview.Bytes)/1e6/c.searchable.Seconds())
	p.emit("text.mbcpu", float64(preview.Bytes)/1e6/c.processor.Seconds())
	p.emit("text.peak", peak())
	return eng.Close(ctx)
}

// readPreview returns the root of a project and a preview of its index.
func readPreview(ctx context.Context, eng *engine.Engine, dir string) (root string, p api.Preview, err error) {
	if root, err = eng.Canonical(dir); err != nil {
		return "", p, err
	}
	p, err = eng.Preview(ctx, root)
	return root, p, err
}

// measureVectors indexes the project with vectors, searches it and indexes it again.
func measureVectors(ctx context.Context, p *process) error {
	began := time.Now()
	eng, err := engine.Open(ctx, p.engine())
	if err != nil {
		return err
	}
	p.millis("open.empty", time.Since(began))
	root, preview, err := readPreview(ctx, eng, p.project)
	if err != nil {
		return err
	}
	stop, before := func() {}, time.Duration(0)
	c, err := indexing{eng: eng, root: root}.run(ctx, func() { stop, before = p.profile("vectors"), processor() })
	busy := processor() - before
	stop()
	if err != nil {
		return err
	}
	p.emit("vectors.busy", 100*busy.Seconds()/(c.all-c.searchable).Seconds()/float64(runtime.GOMAXPROCS(0)))
	p.emit("vectors.chunks", float64(c.stats.ChunksCreated))
	p.emit("vectors.rate", float64(c.stats.ChunksCreated)/(c.all-c.searchable).Seconds())
	p.seconds("vectors.all", c.all)
	p.emit("vectors.peak", peak())
	if err := p.disk(ctx, preview.Bytes, "disk"); err != nil {
		return err
	}
	stop = p.profile("search")
	err = p.searches(ctx, eng, root, "")
	stop()
	if err != nil {
		return err
	}
	stop = p.profile("reindex")
	job, err := eng.Reindex(ctx, root, api.Approval{})
	if err != nil {
		return err
	}
	<-job.Done()
	again, err := job.Result()
	stop()
	if err != nil {
		return err
	}
	p.seconds("reindex", again.Duration)
	began = time.Now()
	if err := eng.Close(ctx); err != nil {
		return err
	}
	p.millis("close", time.Since(began))
	return nil
}

// disk emits the size of the data folder's only index when it no longer changes, and the ratio of its size without
// vectors to the size of the text. The sketches of the vectors count as part of the index.
func (p *process) disk(ctx context.Context, text int64, key string) error {
	size, err := p.settledSize(ctx)
	if err != nil {
		return err
	}
	vectors, err := vectorSize(p.indexes())
	if err != nil {
		return err
	}
	p.emit(key+".mb", float64(size)/1e6)
	p.emit(key+".ratio", float64(size-vectors)/float64(text))
	return nil
}

func (p *process) indexes() string { return filepath.Join(p.data, "data", "indexes") }

// codeSize is the size of a vector in a sketch's file of codes, in bytes (engine/store/vector/sketch).
const codeSize = 448

// vectorSize returns the size of the vectors in all indexes in dir, which include the vectors of outlines.
func vectorSize(dir string) (sum int64, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.lancedb", "*.sketch", "codes"))
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		sum += info.Size() / codeSize * api.VectorDim * 4
	}
	return sum, nil
}

const (
	// sizeUnchanged is the time without a change after which the size of an index is final.
	sizeUnchanged = 3 * time.Second
	// sizeTimeout limits the wait for the final size. After a job, the segments of a monorepo are merged for up to
	// two minutes.
	sizeTimeout = 3 * time.Minute
)

// settledSize returns the size of all indexes in the data folder when it no longer changes, or after sizeTimeout.
func (p *process) settledSize(ctx context.Context) (size int64, err error) {
	for end := time.Now().Add(sizeTimeout); ; {
		before := size
		if size, err = folderSize(p.indexes()); err != nil {
			return 0, err
		}
		if size == before || time.Now().After(end) {
			return size, nil
		}
		if err := wait(ctx, sizeUnchanged); err != nil {
			return 0, err
		}
	}
}

// folderSize returns the size of all files in dir. It ignores files that are removed meanwhile.
func folderSize(dir string) (sum int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				sum += info.Size()
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return sum, err
}

// measureStart opens an engine whose project is indexed, and measures its start and the first search.
func measureStart(ctx context.Context, p *process) error {
	began := time.Now()
	eng, err := engine.Open(ctx, p.engine())
	if err != nil {
		return err
	}
	p.millis("open.indexed", time.Since(began))
	root, err := eng.Canonical(p.project)
	if err != nil {
		return err
	}
	began = time.Now()
	r, err := eng.Search(ctx, []string{root}, question("retry a request with growing pauses", false))
	if err != nil {
		return err
	}
	p.millis("first", time.Since(began))
	if !r.Semantic {
		fmt.Fprintln(os.Stderr, "bench: the first search used no vectors of the model:", r.Notes)
	}
	return eng.Close(ctx)
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"searchmcp/engine"
	"searchmcp/engine/api"
)

// growthSizes are the numbers of files in the projects of measureGrowth. Each file has fileSize bytes.
var growthSizes = []int{1000, 2500, 5000, 10_000, 25_000, 50_000}

const (
	// fileSize is the average size of a source file in bytes.
	fileSize = 5 << 10
	// monorepoFiles is below 50,000, above which indexing a project needs a confirmation.
	monorepoFiles = 40_000
	// monorepoSize is the size of a file of the monorepo in bytes, which has 2 GB in total.
	monorepoSize = 50 << 10
	// added is the number of single files that are added to each project of measureGrowth.
	added = 15
	// reportInterval is the interval at which measureMonorepo prints its progress.
	reportInterval = 20 * time.Second
)

// measureGrowth indexes a project of p.size files and then adds single files to it.
func measureGrowth(ctx context.Context, p *process) error {
	s := newSynthetic()
	p.logf("%d files", p.size)
	dir := filepath.Join(p.data, "project")
	bytes, err := s.project(dir, p.size, fileSize)
	if err != nil {
		return err
	}
	eng, root, err := p.madeUp(ctx, dir)
	if err != nil {
		return err
	}
	last := p.size == slices.Max(growthSizes) || p.quick && p.size == growthSizes[quickSizes-1]
	c, err := indexing{eng: eng, root: root}.run(ctx, func() {})
	if err != nil {
		return err
	}
	p.emit("growth.files", float64(p.size))
	p.emit("growth.text", 1000*c.searchable.Seconds()/float64(p.size))
	p.emit("growth.all", 1000*c.all.Seconds()/float64(p.size))
	p.emit("growth.cpu", 1000*c.processor.Seconds()/float64(p.size))
	p.emit("growth.peak", peak())
	if last {
		p.emit("growth.chunks", float64(c.stats.ChunksCreated))
	}
	// Segments are merged after the job. disk waits for the end of the merges.
	if err := p.disk(ctx, bytes, "growth.disk"); err != nil {
		return err
	}
	if err := p.addOne(ctx, eng, root, dir, s); err != nil {
		return err
	}
	return eng.Close(ctx)
}

// addOne writes and indexes added files one at a time, and emits the median duration.
func (p *process) addOne(ctx context.Context, eng *engine.Engine, root, dir string, s *synthetic) error {
	var took []time.Duration
	for i := range added {
		name := fmt.Sprintf("added%d.go", i)
		if err := os.WriteFile(filepath.Join(dir, name), s.file(fileSize), 0o600); err != nil {
			return err
		}
		began := time.Now()
		if _, err := eng.ReindexFile(ctx, root, name); err != nil {
			return err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	p.millis("growth.add", took[len(took)/2])
	return nil
}

// measureMonorepo indexes 2 GB and measures the longest time without progress.
func measureMonorepo(ctx context.Context, p *process) error {
	dir := filepath.Join(p.data, "project")
	files := monorepoFiles
	if p.quick {
		files /= 20
	}
	bytes, err := newSynthetic().project(dir, files, monorepoSize)
	if err != nil {
		return err
	}
	eng, root, err := p.madeUp(ctx, dir)
	if err != nil {
		return err
	}
	var stall time.Duration
	moved, before := time.Now(), api.Progress{}
	reported := moved
	x := indexing{eng: eng, root: root, progress: func(now api.Progress) {
		if now.FilesDone != before.FilesDone || now.ChunksDone != before.ChunksDone || now.Phase != before.Phase {
			stall, moved = max(stall, time.Since(moved)), time.Now()
		}
		before = now
		if time.Since(reported) >= reportInterval {
			reported = time.Now()
			p.logf("%s, %d of %d files, %d of %d vectors", now.Phase, now.FilesDone, now.FilesTotal, now.ChunksDone,
				now.ChunksTotal)
		}
	}}
	c, err := x.run(ctx, func() {})
	if err != nil {
		return err
	}
	p.emit("monorepo.gb", float64(bytes)/1e9)
	p.emit("monorepo.files", float64(files))
	p.emit("monorepo.chunks", float64(c.stats.ChunksCreated))
	p.seconds("monorepo.text", c.searchable)
	p.emit("monorepo.mb", float64(bytes)/1e6/c.searchable.Seconds())
	p.seconds("monorepo.all", c.all)
	p.seconds("monorepo.stall", stall)
	p.emit("monorepo.peak", peak())
	if err := p.disk(ctx, bytes, "monorepo.disk"); err != nil {
		return err
	}
	if err := p.searches(ctx, eng, root, "monorepo."); err != nil {
		return err
	}
	return eng.Close(ctx)
}

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

// growthSizes are those of the growing project, in files of fileSize bytes.
var growthSizes = []int{1000, 2500, 5000, 10_000, 25_000, 50_000}

const (
	// fileSize is what a file of source code has on average.
	fileSize = 5 << 10
	// monorepo is of larger files, so that 2 GB stay below the 50,000 files that a project may have without being asked.
	monorepoFiles = 40_000
	monorepoSize  = 50 << 10
	// added is how many single files are saved and indexed at each size.
	added = 15
	// telling is how often the monorepo says how far it is.
	telling = 20 * time.Second
)

// measureGrowth indexes a project of some size and adds single files to it. Of the largest, memory is watched.
func measureGrowth(ctx context.Context, p *process) error {
	s := newSynthetic()
	p.say("%d files", p.size)
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
	// which waits until what is behind the job is done
	if err := p.disk(ctx, eng, root, bytes, "growth.disk"); err != nil {
		return err
	}
	if err := p.addOne(ctx, eng, root, dir, s); err != nil {
		return err
	}
	return eng.Close(ctx)
}

// addOne saves files one after the other and has each indexed.
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

// measureMonorepo indexes 2 GB and notes how long nothing ever moved.
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
	told := moved
	x := indexing{eng: eng, root: root, progress: func(now api.Progress) {
		if now.FilesDone != before.FilesDone || now.ChunksDone != before.ChunksDone || now.Phase != before.Phase {
			stall, moved = max(stall, time.Since(moved)), time.Now()
		}
		before = now
		if time.Since(told) >= telling {
			told = time.Now()
			p.say("%s, %d of %d files, %d of %d vectors", now.Phase, now.FilesDone, now.FilesTotal, now.ChunksDone,
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
	if err := p.disk(ctx, eng, root, bytes, "monorepo.disk"); err != nil {
		return err
	}
	if err := p.searches(ctx, eng, root, "monorepo."); err != nil {
		return err
	}
	return eng.Close(ctx)
}

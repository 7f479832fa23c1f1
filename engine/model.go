package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/chunk"
	"searchmcp/engine/chunk/treesitter"
	"searchmcp/engine/embed"
	"searchmcp/engine/project"
	"searchmcp/engine/store/cache"
	"searchmcp/engine/throttle"
)

// openShared opens what all projects share. A model or library that is missing is a problem to show, never a reason not
// to start: searches by words need neither.
func (e *Engine) openShared(ctx context.Context) error {
	var err error
	if e.settings, err = openSettings(e.opt.Data, e.log); err != nil {
		return err
	}
	e.throttle = throttle.New(throttle.Options{
		OnBattery: func() bool { return e.settings.on(settingBattery) }, UnderLoad: func() bool { return e.settings.on(settingLoad) },
		Log: e.log, Battery: e.opt.battery, Load: e.opt.load, MaxAge: e.opt.retry,
	})
	if e.cache, err = cache.Open(filepath.Join(e.opt.Data, cacheDir, "vectors"), cache.Options{MaxBytes: int64(e.settings.number(settingCacheMB)) << 20}); err != nil {
		return fmt.Errorf("open vector cache: %w", err)
	}
	if e.crash, err = lastCrash(e.opt.Data, e.log); err != nil {
		e.log.Warn("a crash of this run will leave no trace", "err", err)
	}
	if e.parsing, err = openParsing(filepath.Join(e.opt.Data, cacheDir, "parsing"), e.crash, e.log); err != nil {
		return err
	}
	e.chunker = chunk.New(guarded{e.parsing, chunk.NewTrees(treesitter.Language)})
	marks, err := filepath.Glob(filepath.Join(e.opt.Data, project.Dir, "*", busyFile))
	e.marked = err == nil && len(marks) > 0
	m := newMarker(e.opt.Data, e.log)
	switch op, blame := m.left(e.crash.died && !e.crash.vectors); {
	case op == embed.ProbeOperation:
		e.dropAccelerator()
	case blame || e.crash.model:
		e.setProblem(aboutCrash, api.New(api.Internal,
			"Search MCP ended unexpectedly while it worked with its model. Searching by meaning is off until the next start.",
			"native crash: "+cmp.Or(op, "run the embedding model"), nil))
		return nil
	}
	if e.opt.model != nil {
		e.embedder = e.opt.model
		return nil
	}
	model, err := embed.Open(ctx, embed.Options{
		ModelDir: e.opt.modelDir, Accelerator: embed.Accelerator(e.settings.text(settingAccelerator)),
		Threads: e.settings.number(settingThreads), IdleUnload: time.Duration(e.settings.number(settingUnload)) * time.Minute, Busy: m.enter, Log: e.log,
	})
	if err != nil {
		e.setProblem(aboutModel, modelProblem(err))
		return nil
	}
	e.embedder = vectorMaker{model}
	e.wg.Add(1)
	go func() { defer e.wg.Done(); e.ensureModel(e.ctx) }()
	return nil
}

// dropAccelerator makes the processor's vectors from now on: the last run ended while the accelerator was tried, and every other
// start would.
func (e *Engine) dropAccelerator() {
	e.log.Warn("the last run ended while its accelerator was tried; the setting is taken back",
		"accelerator", e.settings.text(settingAccelerator))
	if err := e.settings.set(map[string]any{settingAccelerator: string(embed.NoAccelerator)}); err != nil {
		e.log.Error("accelerator not taken back", "err", err)
	}
}

// Times between two attempts to get hold of a model: soon at first, for it may be a person who puts it back or a network that
// comes up, and rarely later, since a damaged file is hashed each time.
const (
	modelFirst = 5 * time.Second
	modelLast  = 10 * time.Minute
)

// ensureModel makes sure of the model before anybody waits for it; where none is bundled this is RFC 5.4's one download. What is
// missing or damaged is looked for until it is there, and then every project makes the vectors it lacks.
func (e *Engine) ensureModel(ctx context.Context) {
	look := embed.LocateOptions{Log: e.log, Progress: func(message string, done, total int64) {
		e.hub.Publish(api.Event{Kind: api.EventSettings, Message: message})
	}}
	if e.opt.modelDir != "" {
		look.Dirs, look.Cache = []string{e.opt.modelDir}, e.opt.modelDir
	}
	first := modelFirst
	if e.opt.retry > 0 {
		first = e.opt.retry
	}
	for wait := first; ; wait = min(2*wait, modelLast) {
		_, err := embed.Locate(ctx, look)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			e.clearProblem(aboutModel)
			e.Registry.Wake()
			return
		}
		e.log.Error("no embedding model", "err", err, "next", wait)
		e.setProblem(aboutModel, modelProblem(err))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

func modelProblem(err error) *api.Error {
	var e *api.Error
	if errors.As(err, &e) {
		return e
	}
	return api.New(api.ModelDownloadFailed, "Searching by meaning isn't available on this computer; searching by words works.",
		err.Error(), err)
}

// guard is the project.Options's: native calls on a project's tables leave a marker, and tables stay closed that the last run
// may have ended in.
func (e *Engine) guard(dir string, log *slog.Logger) (enter func(op string) (leave func()), textOnly bool) {
	m := newMarker(dir, log)
	_, blame := m.left(e.crash.died && !e.crash.model)
	// If no marker says whose table it was (searches leave none), it may have been any that was open.
	if blame || e.crash.vectors && !e.marked && !e.opened.Load() {
		log.Error("the last run ended in native code; vectors stay closed until a rebuild or the next start")
		return m.enter, true
	}
	return m.enter, false
}

// vectorMaker is the embedder as the index needs it.
type vectorMaker struct{ *embed.Embedder }

func (vectorMaker) Input(c api.Chunk) string { return embed.Input(c) }

// Model is "loaded", "unloaded" (it loads when it is needed), "missing" or "failed".
func (e *Engine) Model() string {
	if e.embedder == nil {
		return "failed"
	}
	if e.embedder.Loaded() {
		return "loaded"
	}
	for _, p := range e.Problems() {
		if p.Code == api.ModelDownloadFailed {
			return "missing"
		}
	}
	return "unloaded"
}

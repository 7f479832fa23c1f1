package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/datadir"
	"searchmcp/engine/host/throttle"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/static"
	"searchmcp/engine/store/cache"
	"searchmcp/engine/store/vector"
)

// openShared opens the settings, the workers, the cache and the embedding model. It succeeds without a model. Then only
// text search works.
func (e *Engine) openShared(ctx context.Context) error {
	var err error
	var problems []string
	if e.settings, problems, err = openSettings(e.opt.Data, e.log); err != nil {
		return err
	}
	for _, p := range problems {
		e.addProblem(api.New(api.ConfigInvalid, p, p, nil))
	}
	e.throttle = throttle.New(throttle.Options{
		OnBattery: func() bool { return e.settings.on(settingBattery) },
		UnderLoad: func() bool { return e.settings.on(settingLoad) },
		Log:       e.log, Battery: e.opt.battery, MaxAge: e.opt.retry,
	})
	limit := cache.Options{MaxBytes: int64(e.settings.number(settingCacheMB)) << 20}
	if e.cache, err = cache.Open(filepath.Join(e.opt.Data, cacheDir, "vectors"), limit); err != nil {
		return fmt.Errorf("open vector cache: %w", err)
	}
	if err := datadir.LeaveOutOfDesktopSearch(e.opt.Data, runtime.GOOS); err != nil {
		e.log.Warn("data folder not excluded from desktop search", "err", err)
	}
	crashes, err := keepCrash(e.opt.Data, e.log)
	if err != nil {
		e.log.Warn("crashes of this run are not recorded", "err", err)
	}
	if crashes >= loopOfCrashes {
		e.addProblem(api.New(api.Internal, fmt.Sprintf("Search MCP exited unexpectedly %d times in the last hour.", crashes),
			"stacks of the last one: "+filepath.Join(logsDir, crashKept), nil))
	}
	poison, err := worker.OpenPoison(filepath.Join(e.opt.Data, cacheDir, "crashes.json"), e.opt.Version, e.log)
	if err != nil {
		return err
	}
	e.startWorkers()
	e.asking = worker.NewSyntax(e.workers[worker.Ask], poison, nil)
	e.reader = worker.NewDocuments(e.workers[worker.Read], worker.ReadingTime, poison, e.log)
	e.poison = poison
	e.chunker = chunk.New(worker.NewSyntax(e.workers[worker.Parse], poison, e.parsersAway))
	if e.static, err = static.Bundled(); err != nil {
		e.log.Error("no static vectors", "err", err)
	}
	e.tables = vector.NewDB(worker.NewTables(e.workers[worker.Store]))
	if e.opt.model != nil {
		e.embedder = e.opt.model
		return nil
	}
	threads := e.settings.number(settingThreads)
	model, err := worker.NewModel(e.workers[worker.Embed], poison, e.opt.modelDir, threads, e.log)
	if err != nil {
		e.setModelProblem(err)
		return nil
	}
	e.embedder = model
	if embed.Downloads() {
		text := api.WaitingForModel
		e.fetching.Store(&text)
	}
	return nil
}

// Delays between attempts to find the embedding model. Each attempt may read the whole file of the model.
const (
	modelFirst = 5 * time.Second
	modelLast  = 10 * time.Minute
)

// ensureModel locates or downloads the embedding model (RFC 5.4). It tries until it succeeds.
func (e *Engine) ensureModel(ctx context.Context) {
	look := embed.LocateOptions{Dir: e.opt.modelDir, Log: e.log, Progress: e.setFetching}
	for wait := cmp.Or(e.opt.retry, modelFirst); ; wait = min(2*wait, modelLast) {
		_, err := embed.Locate(ctx, look)
		if text := e.fetching.Load(); err == nil && text != nil && *text == api.ModelFetched {
			select {
			case <-time.After(doneShown):
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return
		}
		e.fetching.Store(nil)
		if err == nil {
			if m, ok := e.embedder.(*worker.Model); ok {
				m.Check() // loads the model before the first query
			}
			e.setProblem(aboutModel, nil)
			e.noModel.Store(nil)
			e.Registry.Wake()
			return
		}
		e.log.Error("no embedding model", "err", err, "next", wait)
		e.setModelProblem(err)
		e.Registry.Wake()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// doneShown is how long a finished download is reported. Clients request the state every second.
const doneShown = 1500 * time.Millisecond

func (e *Engine) setFetching(message string, done, total int64) {
	if 0 < done && done < total {
		message = fmt.Sprintf("%s %d %%", message, 100*done/total)
	}
	before := e.fetching.Swap(&message)
	if before == nil || *before == api.WaitingForModel {
		e.Registry.Wake()
	}
}

func (e *Engine) waitsFor() string {
	if text := e.fetching.Load(); text != nil {
		return *text
	}
	return e.throttle.Reason()
}

func (e *Engine) setModelProblem(err error) {
	p := modelProblem(err)
	e.noModel.Store(p)
	e.setProblem(aboutModel, p)
}

func modelProblem(err error) *api.Error {
	var e *api.Error
	if errors.As(err, &e) {
		return e
	}
	return api.ErrModelMissing(err)
}

// Model returns the state of the embedding model: "loaded", "unloaded" (loaded when needed), "missing" or "failed".
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

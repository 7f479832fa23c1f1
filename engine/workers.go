package engine

import (
	"context"
	"errors"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/native"
	"searchmcp/engine/worker"
)

// How long a worker stays without work: long enough for a person's next save or the next batch, and short enough that a computer at
// rest has none. The model stays as long as its setting says, for it takes longest to come back.
const (
	parserIdle = 10 * time.Second
	tablesIdle = 10 * time.Second
)

// startWorkers prepares the processes for native code; the first call starts one.
func (e *Engine) startWorkers() {
	e.workers = map[worker.Kind]*native.Process{}
	for kind, idle := range map[worker.Kind]time.Duration{
		worker.Parse: parserIdle, worker.Store: tablesIdle,
		worker.Embed: time.Duration(e.settings.number(settingUnload)) * time.Minute,
	} {
		about := aboutWorker + string(kind)
		e.workers[kind] = native.New(native.Options{
			Name: string(kind), Program: worker.Program, Args: []string{string(kind)}, Version: e.opt.Version, Idle: idle,
			Background: kind == worker.Parse, Log: e.log,
			Problem: func(err error) {
				if err == nil {
					e.clearProblem(about)
					return
				}
				e.setProblem(about, api.New(api.Internal, workerProblem[kind], err.Error(), err))
			},
		})
	}
}

// workerProblem says what does not work while a worker cannot run.
var workerProblem = map[worker.Kind]string{
	worker.Parse: "Files can't be read into the index now, because a part of Search MCP ends unexpectedly. Searches work.",
	worker.Embed: "Searching by meaning doesn't work now, because a part of Search MCP ends unexpectedly. Searching by words works.",
	worker.Store: "Vectors can't be stored now, because a part of Search MCP ends unexpectedly. Searches work.",
}

// closeWorkers ends them and waits for their ends.
func (e *Engine) closeWorkers() error {
	var errs []error
	for _, p := range e.workers {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

// examineWorkers starts each worker that doesn't run and asks for its version: what cannot start is said with its reason.
func (e *Engine) examineWorkers(ctx context.Context) []api.Finding {
	path, err := worker.Program()
	if err != nil {
		return []api.Finding{{Subject: "worker", Text: err.Error(), Remedy: "Install Search MCP again."}}
	}
	for _, kind := range []worker.Kind{worker.Parse, worker.Embed, worker.Store} {
		if err := e.workers[kind].Start(ctx); err != nil {
			return []api.Finding{{Subject: "worker", Text: string(kind) + ": " + err.Error(), Remedy: "Install Search MCP again."}}
		}
	}
	return []api.Finding{{OK: true, Subject: "worker", Text: path + ", of the app's version"}}
}

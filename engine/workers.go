package engine

import (
	"errors"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
)

// How long a worker stays without work: long enough for a person's next save or the next batch, and short enough
// that a computer at rest has none. The model stays as long as its setting says, for it takes longest to come back.
const (
	parserIdle = 10 * time.Second
	tablesIdle = 10 * time.Second
)

// silences are how long a call waits for a worker that says nothing. A file is parsed in two seconds at most (the
// parser's own limit), a batch of rows is written in a second, and who deletes a project waits for its tables to be
// closed.
var silences = map[worker.Kind]time.Duration{
	worker.Parse: 30 * time.Second, worker.Ask: 30 * time.Second, worker.Embed: time.Minute, worker.Store: time.Minute,
	worker.Read: 30 * time.Second, worker.Unpack: 2 * time.Minute, // its own limits are of processor time
}

// Times between two attempts to start parsers that could not be asked, so that what was cut without them is cut again.
const (
	awayFirst = 10 * time.Second
	awayLast  = 30 * time.Minute
)

// startWorkers prepares the processes for native code; the first call starts one.
func (e *Engine) startWorkers() {
	e.workers = map[worker.Kind]*native.Process{}
	for kind, idle := range map[worker.Kind]time.Duration{
		worker.Parse: parserIdle, worker.Ask: parserIdle, worker.Store: tablesIdle,
		worker.Read: parserIdle, worker.Unpack: parserIdle,
		worker.Embed: time.Duration(e.settings.number(settingUnload)) * time.Minute,
	} {
		about := aboutWorker + string(kind)
		e.workers[kind] = native.New(native.Options{
			Name: string(kind), Program: worker.Program, Args: []string{string(kind)}, Version: e.opt.Version, Idle: idle,
			Background: kind == worker.Parse || kind == worker.Store || kind == worker.Unpack, Silence: silences[kind],
			Memory: worker.Memory[kind], Log: e.log,
			Problem: func(err error) {
				var p *api.Error
				if err != nil {
					p = api.New(api.Internal, workerProblem[kind], err.Error(), err)
				}
				e.setProblem(about, p)
			},
		})
	}
}

// workerProblem says what does not work while a worker cannot run.
var workerProblem = map[worker.Kind]string{
	worker.Parse:  "Changed files can't be indexed now: a part of Search MCP ends unexpectedly. Searches work.",
	worker.Ask:    "Names are found by words only now: a part of Search MCP ends unexpectedly. Searches work.",
	worker.Read:   "Documents are read as plain text now: a part of Search MCP ends unexpectedly. Searches work.",
	worker.Unpack: "Shared indexes can't be read now: a part of Search MCP ends unexpectedly. Searches work.",
	worker.Embed: "Searching by meaning doesn't work now: a part of Search MCP ends unexpectedly. " +
		"Searching by words works.",
	worker.Store: "Searching by meaning isn't prepared now: a part of Search MCP ends unexpectedly. " +
		"Searching by words works.",
}

// parsersAway has the files cut again that had no parser, when there is one.
func (e *Engine) parsersAway() {
	e.lacking.Store(true)
	if e.ctx.Err() != nil || !e.waiting.CompareAndSwap(false, true) {
		return
	}
	e.wg.Go(func() {
		defer e.waiting.Store(false)
		for wait := awayFirst; e.lacking.Load(); wait = min(2*wait, awayLast) {
			select {
			case <-time.After(wait):
			case <-e.ctx.Done():
				return
			}
			if e.workers[worker.Parse].Start(e.ctx) != nil {
				continue // its log says it
			}
			e.lacking.Store(false) // until a file has none again
			for _, p := range e.Registry.List() {
				if err := p.Actor().Recut(e.ctx); err != nil {
					e.log.Warn("files without a parser not cut again", "err", err)
				}
			}
		}
	})
}

// closeWorkers ends them and waits for their ends.
func (e *Engine) closeWorkers() error {
	var errs []error
	for _, p := range e.workers {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

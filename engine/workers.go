package engine

import (
	"errors"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
)

// Idle times before a worker is stopped bridge two saves or two batches. The model's is a setting because it is slow to
// load.
const (
	parserIdle = 10 * time.Second
	tablesIdle = 10 * time.Second
)

// maxSilence limits the time without a response. A file is parsed in two seconds (the parser's own limit), and deleting
// a project waits for its tables to be closed.
var maxSilence = map[worker.Kind]time.Duration{
	worker.Parse: 30 * time.Second, worker.Ask: 30 * time.Second, worker.Embed: time.Minute, worker.Store: time.Minute,
	worker.Read: 30 * time.Second, worker.Unpack: 2 * time.Minute, // its own limits are in processor time
}

// Backoff between attempts to restart parsers.
const (
	awayFirst = 10 * time.Second
	awayLast  = 30 * time.Minute
)

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
			Background: kind == worker.Parse || kind == worker.Store || kind == worker.Unpack, Silence: maxSilence[kind],
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

var workerProblem = map[worker.Kind]string{
	worker.Parse:  "Changed files can't be indexed now: a Search MCP component keeps crashing. Searches work.",
	worker.Ask:    "For now, names are found by words only: a Search MCP component keeps crashing. Searches still work.",
	worker.Read:   "Documents are read as plain text now: a Search MCP component keeps crashing. Searches work.",
	worker.Unpack: "Shared indexes can't be read now: a Search MCP component keeps crashing. Searches work.",
	worker.Embed: "Searching by meaning doesn't work now: a Search MCP component keeps crashing. " +
		"Searching by words works.",
	worker.Store: "Searching by meaning isn't prepared now: a Search MCP component keeps crashing. " +
		"Searching by words works.",
}

// parsersAway waits until parsers run, then splits the files again that had none.
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
				continue // logged by the worker
			}
			e.lacking.Store(false) // set again by the next file without a parser
			for _, p := range e.Registry.List() {
				if err := p.Actor().Recut(e.ctx); err != nil {
					e.log.Warn("files without a parser not split again", "err", err)
				}
			}
		}
	})
}

func (e *Engine) closeWorkers() error {
	var errs []error
	for _, p := range e.workers {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

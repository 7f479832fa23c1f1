package engine

import (
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
)

// workerIdle is how long a worker process runs without calls. It is longer than the usual time between two saved files.
const workerIdle = 10 * time.Second

// workers contains the options of each kind of worker process.
var workers = map[worker.Kind]struct {
	silence    time.Duration
	problem    string
	background bool
}{
	worker.Parse: {30 * time.Second,
		"Changed files can't be indexed now: a Search MCP component keeps crashing. Searches work.", true},
	worker.Ask: {30 * time.Second,
		"For now, names are found by words only: a Search MCP component keeps crashing. Searches still work.", false},
	worker.Read: {30 * time.Second,
		"Documents are being read as plain text: a Search MCP component keeps crashing. Searches work.", false},
	worker.Unpack: {2 * time.Minute,
		"Shared indexes can't be read now: a Search MCP component keeps crashing. Searches work.", true},
	worker.Embed: {time.Minute,
		"Search by meaning doesn't work now: a Search MCP component keeps crashing. Search by words works.", false},
	worker.Store: {time.Minute,
		"Search by meaning can't be updated now: a Search MCP component keeps crashing. Search by words works.", true},
}

// storeEnv makes glibc use one heap for all threads of LanceDB, and return free memory to the system. With 100,000
// chunks, the process then takes 80 MB instead of 156.
var storeEnv = []string{"MALLOC_ARENA_MAX=1", "MALLOC_TRIM_THRESHOLD_=131072"}

const (
	awayFirst = 10 * time.Second
	awayLast  = 30 * time.Minute
)

func (e *Engine) startWorkers() {
	e.workers = map[worker.Kind]*native.Process{}
	for kind, w := range workers {
		idle, env := workerIdle, []string(nil)
		switch kind {
		case worker.Embed:
			idle = e.settings.ModelIdle()
		case worker.Store:
			env = storeEnv
		}
		e.workers[kind] = native.New(native.Options{
			Name: string(kind), Program: worker.Program, Args: []string{string(kind)}, Env: env, Version: e.opt.Version,
			Idle: idle, Background: w.background, Silence: w.silence, Memory: worker.Memory[kind], Log: e.log,
			Problem: func(err error) {
				var p *api.Error
				if err != nil {
					p = api.New(api.Internal, w.problem, err.Error(), err)
				}
				e.problems.Set("worker "+string(kind), p)
			},
		})
	}
}

// parsersAway is called when a file was split without a parser. When parsers run again, all such files are split again.
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
				continue
			}
			e.lacking.Store(false) // set again by the next file without a parser
			for _, p := range e.Registry.List() {
				if err := p.Actor().Rechunk(e.ctx); err != nil {
					e.log.Warn("files without a parser not split again", "err", err)
				}
			}
		}
	})
}

package engine

import (
	"slices"

	"searchmcp/engine/api"
)

// What a problem of the app as a whole is about. There is one of each at most, and it goes when its cause does.
const (
	aboutRegistry = "registry"
	aboutModel    = "model"
	aboutConfigs  = "configurations"
	aboutWorker   = "worker " // and its kind
)

type problem struct {
	about string
	err   api.Error
}

// setProblem notes a problem of the app, in place of an older one about the same; nil takes it back.
func (e *Engine) setProblem(about string, p *api.Error) {
	e.mu.Lock()
	before := len(e.problems)
	e.problems = slices.DeleteFunc(e.problems, func(q problem) bool { return q.about == about })
	gone := len(e.problems) < before
	if p != nil {
		e.problems = append(e.problems, problem{about, *p})
	}
	e.mu.Unlock()
	if p != nil {
		e.hub.Publish(api.Event{Kind: api.EventProblem, Message: p.UserMessage})
	} else if gone {
		e.hub.Publish(api.Event{Kind: api.EventSettings})
	}
}

// addProblem notes a problem that stays until the next start.
func (e *Engine) addProblem(p *api.Error) { e.setProblem(p.DeveloperMessage, p) }

// Unread names the documents that ended their reader, which are plain text or left out.
func (e *Engine) Unread() []string { return e.poison.Documents() }

// Problems are those of the app as a whole.
func (e *Engine) Problems() []api.Error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	out := make([]api.Error, len(e.problems))
	for i, p := range e.problems {
		out[i] = p.err
	}
	return append(out, e.Registry.Problems()...)
}

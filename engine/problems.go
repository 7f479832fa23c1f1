package engine

import (
	"slices"

	"searchmcp/engine/api"
)

// Parts of the app. A new problem replaces the previous problem of the same part.
const (
	aboutRegistry = "registry"
	aboutModel    = "model"
	aboutConfig   = "configuration"
	aboutWorker   = "worker "
)

type problem struct {
	about string
	err   api.Error
}

// setProblem sets or, if p is nil, removes the problem of a part of the app.
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
		e.Hub.Publish(api.Event{Kind: api.EventProblem, Message: p.UserMessage})
	} else if gone {
		e.Hub.Publish(api.Event{Kind: api.EventSettings})
	}
}

// addProblem adds a problem that is reported until the next start.
func (e *Engine) addProblem(p *api.Error) { e.setProblem(p.DeveloperMessage, p) }

// Unread returns the names of the documents that crashed the parser.
func (e *Engine) Unread() []string { return e.poison.Documents() }

func (e *Engine) Problems() []api.Error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	out := make([]api.Error, len(e.problems))
	for i, p := range e.problems {
		out[i] = p.err
	}
	return out
}

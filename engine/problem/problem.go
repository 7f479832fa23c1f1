// Package problem lists the problems of the app that the user sees. List.mu is a leaf.
package problem

import (
	"slices"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/host/jobs"
)

// List is safe for concurrent use.
type List struct {
	hub  *jobs.Hub
	mu   sync.RWMutex
	list []problem
}

type problem struct {
	about string
	err   api.Error
}

// NewList returns an empty list, which publishes its changes to hub.
func NewList(hub *jobs.Hub) *List { return &List{hub: hub} }

// Set sets or, if p is nil, removes the problem of a part of the app.
func (l *List) Set(about string, p *api.Error) {
	l.mu.Lock()
	before := len(l.list)
	l.list = slices.DeleteFunc(l.list, func(q problem) bool { return q.about == about })
	gone := len(l.list) < before
	if p != nil {
		l.list = append(l.list, problem{about, *p})
	}
	l.mu.Unlock()
	if p != nil {
		l.hub.Publish(api.Event{Kind: api.EventProblem, Message: p.UserMessage})
	} else if gone {
		l.hub.Publish(api.Event{Kind: api.EventSettings})
	}
}

// Add adds a problem that is reported until the next start.
func (l *List) Add(p *api.Error) { l.Set(p.DeveloperMessage, p) }

func (l *List) All() []api.Error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := make([]api.Error, len(l.list))
	for i, p := range l.list {
		out[i] = p.err
	}
	return out
}

package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// maxRepairs is how often an index is opened again after something of it was moved aside: once for each text index, and once for what
// no part can be blamed for.
const maxRepairs = 3

// openRepaired starts a project. What of its index cannot be read is moved to .bak first (RFC 10): the rest answers, and what is gone is
// indexed again at once. A project that cannot be opened stays in the list and says why.
func (r *Registry) openRepaired(ctx context.Context, id string, rec record, damage error) error {
	p, err := r.start(ctx, id, rec, damage)
	for n := 0; n < maxRepairs && unreadable(err); n++ {
		if damage = err; r.quarantine(id, err) != nil {
			break
		}
		p, err = r.start(ctx, id, rec, damage)
	}
	if err != nil {
		r.noteBroken(id, rec, err)
		return err
	}
	if damage != nil {
		r.opt.Hub.Publish(api.Event{Kind: api.EventProblem, ProjectID: id, Message: api.ErrIndexCorrupt(damage).UserMessage})
	}
	r.resume(p)
	return nil
}

// unreadable tells damage from an index that a newer version made, which has no cause.
func unreadable(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Code == api.IndexCorrupt && e.Cause != nil
}

func (r *Registry) quarantine(id string, cause error) error {
	moved, err := store.Quarantine(filepath.Join(r.opt.Data, Dir, id), cause)
	if err != nil {
		r.log.Error("damaged index not moved aside", "project", id, "cause", cause, "err", err)
		return fmt.Errorf("move damaged index aside: %w", err)
	}
	r.log.Error("index damaged, moved aside and made anew", "project", id, "cause", cause, "moved", moved)
	return nil
}

// goOn starts what an opened index needs: the rest of a build, or a new generation if another model or chunker made it. The old one
// answers meanwhile.
func (r *Registry) resume(p *Project) {
	if p.actor.Incomplete() {
		r.build(p)
		return
	}
	if why := p.actor.Store().Outdated(); why != "" {
		r.log.Info("index is rebuilt", "project", p.id, "why", why)
		r.startJob(p, api.ActionReindex, p.actor.Rebuild)
	}
}

// mend opens a project anew whose index turned out to be damaged while it was in use. It returns at once.
func (r *Registry) repair(p *Project, cause error) {
	if !unreadable(cause) || r.ctx.Err() != nil || !p.repairing.CompareAndSwap(false, true) {
		return
	}
	r.wg.Add(1)
	go func() {
		defer r.wg.Done()
		ctx, cancel := context.WithTimeout(r.ctx, closeTimeout)
		defer cancel()
		if err := p.halt(ctx); err != nil {
			r.log.Error("damaged project not stopped", "project", p.id, "err", err)
			return
		}
		p.mu.Lock()
		rec := p.rec
		p.mu.Unlock()
		err := r.quarantine(p.id, cause)
		if err == nil {
			err = r.openRepaired(r.ctx, p.id, rec, cause)
		} else {
			r.noteBroken(p.id, rec, err)
		}
		if err != nil {
			r.log.Error("damaged project not opened again", "project", p.id, "err", err)
		}
	}()
}

// noteBroken keeps a project that can't be opened where people see it.
func (r *Registry) noteBroken(id string, rec record, err error) {
	var problem *api.Error
	if !errors.As(err, &problem) {
		problem = api.New(api.Internal, "This project's index can't be opened.", err.Error(), err)
	}
	b := api.Project{
		ID: id, Name: rec.Name, Roots: []api.Root{{Path: rec.Root}}, State: api.StateError, Problem: problem, AlwaysAllow: rec.AlwaysAllow,
	}
	r.mu.Lock()
	delete(r.projects, id)
	r.broken[id] = b
	r.mu.Unlock()
	r.opt.Hub.Publish(api.Event{Kind: api.EventProject, ProjectID: id, Project: &b})
}

package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// maxRepairs is the maximum number of repairs: one for the code index, one for the documentation index, and one if the
// damaged files are unknown.
const maxRepairs = 3

// openOrRepair opens a project. Damaged files of the index are renamed to .bak (RFC 10), and their content is indexed
// again.
func (r *Registry) openOrRepair(ctx context.Context, id string, rec record, damage error) error {
	p, err := r.start(ctx, id, rec, damage)
	for n := 0; n < maxRepairs && isDamage(err); n++ {
		if damage = err; r.quarantine(id, err) != nil {
			break
		}
		p, err = r.start(ctx, id, rec, damage)
	}
	if err != nil {
		r.markBroken(id, rec, err)
		return err
	}
	if damage != nil {
		r.opt.Hub.Publish(api.Event{Kind: api.EventProblem, ProjectID: id, Message: api.ErrIndexCorrupt(damage).UserMessage})
	}
	r.catchUp(p)
	return nil
}

// isDamage reports whether err means that the index is damaged. An index of a newer version is not damaged.
func isDamage(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Code == api.IndexCorrupt && e.Cause != nil
}

func (r *Registry) quarantine(id string, cause error) error {
	moved, err := store.Quarantine(filepath.Join(r.opt.Data, Dir, id), cause)
	if err != nil {
		r.log.Error("damaged index not quarantined", "project", id, "cause", cause, "err", err)
		return fmt.Errorf("quarantine damaged index: %w", err)
	}
	r.log.Error("damaged index quarantined", "project", id, "cause", cause, "moved", moved)
	return nil
}

// catchUp continues an unfinished build or rebuilds an outdated index.
func (r *Registry) catchUp(p *Project) {
	if p.actor.Incomplete() {
		r.build(p)
		return
	}
	if why := p.actor.Store().Outdated(); why != "" {
		r.log.Info("rebuilding index", "project", p.id, "why", why)
		r.startJob(p, api.ActionReindex, p.actor.Rebuild)
		return
	}
	if p.Snapshot().State == api.StateEmbedding { // create_index shows the progress of this job
		r.startJob(p, api.ActionCreate, p.actor.FinishVectors)
	}
}

// repair closes the project, renames the damaged files of its index, and opens the project again. It runs in the
// background.
func (r *Registry) repair(p *Project, cause error) {
	if !isDamage(cause) || r.ctx.Err() != nil || !p.repairing.CompareAndSwap(false, true) {
		return
	}
	r.wg.Go(func() {
		ctx, cancel := context.WithTimeout(r.ctx, closeTimeout)
		defer cancel()
		for _, j := range p.jobs() {
			j.Fail(cause) // callers get this error instead of a cancellation
		}
		if err := p.halt(ctx); err != nil {
			r.log.Error("damaged project not stopped", "project", p.id, "err", err)
			return
		}
		rec := p.record()
		err := r.quarantine(p.id, cause)
		if err == nil {
			err = r.openOrRepair(r.ctx, p.id, rec, cause)
		} else {
			r.markBroken(p.id, rec, err)
		}
		if err != nil {
			r.log.Error("damaged project not opened again", "project", p.id, "err", err)
		}
	})
}

func (r *Registry) markBroken(id string, rec record, err error) {
	problem := api.Known(err, "This project's index can't be opened.")
	b := api.Project{
		ID: id, Name: rec.Name, Roots: []api.Root{{Path: rec.Root}}, State: api.StateError, Problem: problem,
		AlwaysAllow: rec.AlwaysAllow,
	}
	r.mu.Lock()
	delete(r.projects, id)
	r.broken[id] = b
	r.mu.Unlock()
	r.opt.Hub.Publish(api.Event{Kind: api.EventProject, ProjectID: id, Project: &b})
}

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/scan"
	"searchmcp/engine/store"
)

// mendings is how often an index is opened again after something of it was moved aside: once for each text index, and once for what
// no part can be blamed for.
const mendings = 3

// openMended starts a project. What of its index cannot be read is moved to .bak first (RFC 10): the rest answers, and what is gone is
// indexed again at once. A project that cannot be opened stays in the list and says why.
func (e *Engine) openMended(ctx context.Context, id string, rec record, mended error) error {
	p, err := e.start(ctx, id, rec, mended)
	for n := 0; n < mendings && unreadable(err); n++ {
		if mended = err; e.aside(id, err) != nil {
			break
		}
		p, err = e.start(ctx, id, rec, mended)
	}
	if err != nil {
		e.noteBroken(id, rec, err)
		return err
	}
	if mended != nil {
		e.hub.Publish(api.Event{Kind: api.EventProblem, ProjectID: id, Message: api.ErrIndexCorrupt(mended).UserMessage})
	}
	e.goOn(p)
	return nil
}

// unreadable tells damage from an index that a newer version made, which has no cause.
func unreadable(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Code == api.IndexCorrupt && e.Cause != nil
}

func (e *Engine) aside(id string, cause error) error {
	moved, err := store.Quarantine(filepath.Join(e.opt.Data, indexesDir, id), cause)
	if err != nil {
		e.log.Error("damaged index not moved aside", "project", id, "cause", cause, "err", err)
		return fmt.Errorf("move damaged index aside: %w", err)
	}
	e.log.Error("index damaged, moved aside and made anew", "project", id, "cause", cause, "moved", moved)
	return nil
}

// goOn starts what an opened index needs: the rest of a build, or a new generation if another model or chunker made it. The old one
// answers meanwhile.
func (e *Engine) goOn(p *project) {
	if p.actor.Incomplete() {
		e.build(p)
		return
	}
	if why := p.actor.Store().Outdated(); why != "" {
		e.log.Info("index is rebuilt", "project", p.id, "why", why)
		e.startJob(p, api.ActionReindex, p.actor.Rebuild)
	}
}

// mend opens a project anew whose index turned out to be damaged while it was in use. It returns at once.
func (e *Engine) mend(p *project, cause error) {
	if !unreadable(cause) || e.ctx.Err() != nil || !p.mending.CompareAndSwap(false, true) {
		return
	}
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		ctx, cancel := context.WithTimeout(e.ctx, closeTimeout)
		defer cancel()
		if err := p.halt(ctx); err != nil {
			e.log.Error("damaged project not stopped", "project", p.id, "err", err)
			return
		}
		p.mu.Lock()
		rec := p.rec
		p.mu.Unlock()
		err := e.aside(p.id, cause)
		if err == nil {
			err = e.openMended(e.ctx, p.id, rec, cause)
		} else {
			e.noteBroken(p.id, rec, err)
		}
		if err != nil {
			e.log.Error("damaged project not opened again", "project", p.id, "err", err)
		}
	}()
}

// noteBroken keeps a project that can't be opened where people see it.
func (e *Engine) noteBroken(id string, rec record, err error) {
	var problem *api.Error
	if !errors.As(err, &problem) {
		problem = api.New(api.Internal, "This project's index can't be opened.", err.Error(), err)
	}
	b := api.Project{
		ID: id, Name: rec.Name, Roots: []api.Root{{Path: rec.Root}}, State: api.StateError, Problem: problem, AlwaysAllow: rec.AlwaysAllow,
	}
	e.mu.Lock()
	delete(e.projects, id)
	e.broken[id] = b
	e.mu.Unlock()
	e.hub.Publish(api.Event{Kind: api.EventProject, ProjectID: id, Project: &b})
}

func (e *Engine) brokenOf(root string) (api.Project, bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if b, ok := e.broken[scan.ProjectID(root)]; ok {
		return b, true
	}
	b, ok := e.broken[scan.LegacyID(root)]
	return b, ok
}

func (e *Engine) brokenList() []api.Project {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var out []api.Project
	for _, b := range e.broken {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b api.Project) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return out
}

func (e *Engine) lookupBroken(ref, path string) (api.Project, bool) {
	for _, b := range e.brokenList() {
		if b.Name == ref || b.ID == ref || within(b.Root(), path) {
			return b, true
		}
	}
	return api.Project{}, false
}

func (e *Engine) removeBroken(b api.Project) error {
	e.mu.Lock()
	delete(e.broken, b.ID)
	e.mu.Unlock()
	if err := removeFolder(filepath.Join(e.opt.Data, indexesDir, b.ID)); err != nil {
		return err
	}
	e.hub.Publish(api.Event{Kind: api.EventRemoved, ProjectID: b.ID})
	return nil
}

func brokenFinding(b api.Project) api.Finding {
	return api.Finding{
		Subject: "project " + b.Name, Text: b.Problem.UserMessage + " (" + b.Problem.DeveloperMessage + ")",
		Remedy: "search-mcp delete " + b.Root() + ", then search-mcp index " + b.Root(),
	}
}

// projectOf is byRoot with the RFC's error.
func (e *Engine) projectOf(root string) (*project, error) {
	if p := e.byRoot(root); p != nil {
		return p, nil
	}
	if b, ok := e.brokenOf(root); ok {
		return nil, b.Problem
	}
	return nil, api.ErrIndexNotFound(scan.ProjectID(root))
}

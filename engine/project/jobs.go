package project

import (
	"context"
	"maps"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/host/jobs"
)

// startJob starts a job. If a job with the same action is running, startJob returns this job.
func (r *Registry) startJob(p *Project, action api.Action,
	work func(context.Context, *jobs.Job) (api.IndexStats, error)) *jobs.Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	former := p.running[action]
	if former != nil && !former.Ending() {
		return former
	}
	r.wg.Add(1)
	j := jobs.Start(r.ctx, r.opt.Hub, p.id, action, func(ctx context.Context, j *jobs.Job) (api.IndexStats, error) {
		if former != nil {
			if err := wait(ctx, former.Done()); err != nil {
				return api.IndexStats{}, err
			}
		}
		return work(ctx, j)
	})
	p.running[action] = j
	go func() {
		defer r.wg.Done()
		<-j.Done()
		p.mu.Lock()
		if p.running[action] == j {
			delete(p.running, action)
		}
		p.mu.Unlock()
	}()
	return j
}

func (p *Project) job(action api.Action) *jobs.Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running[action]
}

func wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *Project) jobs() []*jobs.Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Values(p.running))
}

func (r *Registry) Reindex(_ context.Context, root string, a api.Approval) (api.Job, error) {
	if err := r.admit(root, a); err != nil {
		return nil, err
	}
	p, err := r.get(root)
	if err != nil {
		return nil, err
	}
	return r.startJob(p, api.ActionReindex, p.actor.Rebuild), nil
}

func (r *Registry) ReindexFile(ctx context.Context, root, path string) (int, error) {
	p, err := r.get(root)
	if err != nil {
		return 0, err
	}
	n, err := p.actor.ReindexFile(ctx, p.pathOf(path))
	return n, r.whileOpen(p, err)
}

func (r *Registry) Partial(root, path string) string {
	p := r.Find(root)
	if p == nil {
		return ""
	}
	return p.actor.Partial(p.pathOf(path))
}

func (r *Registry) Running(root string, a api.Action) (api.Job, bool) {
	if p := r.Find(root); p != nil {
		if j := p.job(a); j != nil {
			return j, true
		}
	}
	return nil, false
}

// Cancel cancels a job. After a canceled rebuild, the previous index remains. After a canceled first build, no index
// remains.
func (r *Registry) Cancel(jobID string) error {
	for _, p := range r.List() {
		for _, j := range p.jobs() {
			if j.ID() == jobID {
				j.Cancel()
				return nil
			}
		}
	}
	return api.ErrArgument("jobId", "the id of a running job")
}

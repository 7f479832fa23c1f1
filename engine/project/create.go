package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/store/files"
)

// Create creates or updates the index of the folder root. If a job already does, Create returns this job.
func (r *Registry) Create(ctx context.Context, root string, a api.Approval) (api.Job, error) {
	if err := r.admit(root, a); err != nil {
		return nil, err
	}
	if p := r.Find(root); p != nil { // wait until a canceled build has removed the index
		if j := p.job(api.ActionCreate); j != nil && j.Ending() {
			if err := wait(ctx, j.Done()); err != nil {
				return nil, err
			}
		}
	}
	if err := r.awaitRemoval(ctx, root); err != nil {
		return nil, err
	}
	p, err := r.findOrRegister(ctx, root)
	if err != nil {
		return nil, err
	}
	if a.Answer == api.Always {
		if err := p.saveRecord(func(r *record) { r.AlwaysAllow = true }); err != nil {
			return nil, err
		}
		p.actor.SetAlwaysAllow(true)
	}
	return r.build(p), nil
}

// admit returns an error if the data folder isn't writable, or if root has been replaced since the user's consent.
func (r *Registry) admit(root string, a api.Approval) error {
	if err := disk.Writable(r.opt.Data); api.Unwritable(err) {
		return disk.Error(err, r.opt.Data)
	}
	if a.Folder == nil {
		return nil
	}
	now := policy.Identify(root)
	if now != nil && os.SameFile(a.Folder, now) {
		return nil
	}
	return api.New(api.ConfirmationRequired,
		"The folder was replaced or removed after the question was asked. Nothing was changed. "+
			"The user has to be asked again.",
		fmt.Sprintf("%q is not the folder that the question was about", root), nil)
}

func (r *Registry) findOrRegister(ctx context.Context, root string) (*Project, error) {
	if err := r.creating.Acquire(ctx, 1); err != nil {
		return nil, context.Cause(ctx)
	}
	defer r.creating.Release(1)
	if p := r.Find(root); p != nil {
		return p, nil
	}
	return r.register(ctx, root)
}

func (r *Registry) build(p *Project) *jobs.Job {
	return r.startJob(p, api.ActionCreate, func(ctx context.Context, j *jobs.Job) (api.IndexStats, error) {
		stats, err := p.actor.Build(ctx, j)
		if err != nil && p.actor.Store().Metadata().LastFullIndex.IsZero() && r.ctx.Err() == nil && !p.repairing.Load() {
			// Remove the index after a failed or canceled first build. If the app stops, keep the index, so that the next start
			// continues the build.
			r.discardUnfinished(p)
		}
		return stats, err
	})
}

func (r *Registry) register(ctx context.Context, root string) (*Project, error) {
	id := scan.ProjectID(root)
	dir := filepath.Join(r.opt.Data, Dir, id)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, disk.Error(fmt.Errorf("make project folder: %w", err), dir)
	}
	base, err := r.defaults()
	if err != nil {
		return nil, invalidConfig(err)
	}
	if err := files.CreateConfig(dir, base); err != nil {
		return nil, disk.Error(fmt.Errorf("write project configuration: %w", err), dir)
	}
	rec := record{Name: r.uniqueName(root), Root: root}
	if err := files.WriteJSON(filepath.Join(dir, projectFile), rec); err != nil {
		return nil, disk.Error(fmt.Errorf("write project record: %w", err), dir)
	}
	return r.start(ctx, id, rec, nil)
}

func (r *Registry) discardUnfinished(p *Project) {
	gone, first := r.beginRemoval(p)
	if !first {
		return
	}
	// The removal waits until this job has ended.
	r.wg.Go(func() {
		defer gone()
		ctx, cancel := context.WithTimeout(r.ctx, closeTimeout)
		defer cancel()
		if err := r.remove(ctx, p); err != nil {
			r.log.Warn("unfinished index not removed", "project", p.id, "err", err)
		}
	})
}

func (r *Registry) Revoke(root string) error {
	p, err := r.get(root)
	if err != nil {
		return err
	}
	if err := p.saveRecord(func(r *record) { r.AlwaysAllow = false }); err != nil {
		return err
	}
	p.actor.SetAlwaysAllow(false)
	return nil
}

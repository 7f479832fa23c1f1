package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/disk"
	"searchmcp/engine/store/files"
)

// defaults are what a project's configuration falls back to: the data folder's config.json over the RFC's own values.
func (r *Registry) defaults() api.Config {
	c, problems, err := files.LoadConfig(filepath.Join(r.opt.Data, files.ConfigName), api.DefaultConfig())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.log.Warn("global configuration not used", "err", err)
	}
	for _, p := range problems {
		r.log.Warn("global configuration", "problem", p)
	}
	return c
}

// loadConfig reads a project's configuration. last is the one in force, nil at the start; it is kept when the file
// cannot be used. The sentences say what a person should know.
func (r *Registry) loadConfig(dir string, last *api.Config) (api.Config, []string) {
	base := r.defaults()
	c, problems, err := files.LoadConfig(filepath.Join(dir, files.ConfigName), base)
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return c, problems
	case last != nil:
		return *last, []string{"config.json can't be read; the last valid configuration stays in force. " + err.Error()}
	}
	return base, []string{"config.json can't be read; defaults are in force, so what it excluded may be indexed. " +
		err.Error()}
}

// ConfigText returns a project's config.json as it stands, and what is wrong with it.
func (r *Registry) ConfigText(root string) (string, []string, error) {
	p, err := r.get(root)
	if err != nil {
		return "", nil, err
	}
	text, err := files.ReadFile(filepath.Join(p.dir, files.ConfigName))
	if errors.Is(err, fs.ErrNotExist) {
		text, err = files.RenderConfig(p.actor.Config()), nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("read configuration: %w", err)
	}
	_, problems, err := files.ParseConfig(text, r.defaults())
	if err != nil {
		problems = append(problems, err.Error())
	}
	return string(text), problems, nil
}

// SetConfigText replaces a project's config.json and puts it into force. A text that is no configuration at all is
// refused and nothing is written; invalid fields are kept in the file and reported.
func (r *Registry) SetConfigText(ctx context.Context, root, text string) ([]string, error) {
	p, err := r.get(root)
	if err != nil {
		return nil, err
	}
	_, problems, err := files.ParseConfig([]byte(text), r.defaults())
	if err != nil {
		return nil, invalidConfig(err)
	}
	if err := files.WriteFile(filepath.Join(p.dir, files.ConfigName), []byte(text)); err != nil {
		return nil, disk.Error(fmt.Errorf("write configuration: %w", err), p.dir)
	}
	return problems, r.reload(ctx, p)
}

func invalidConfig(err error) *api.Error {
	return api.New(api.InvalidArgument, "That is not a valid configuration: "+err.Error()+".", err.Error(), err)
}

// reload puts a project's configuration and folders, as they stand on disk, into force.
func (r *Registry) reload(ctx context.Context, p *Project) error {
	last := p.actor.Config()
	cfg, warnings := r.loadConfig(p.dir, &last)
	return p.applyConfig(ctx, p.record().roots(cfg), cfg, warnings)
}

// applyConfig puts folders and configuration into force: the actor indexes what they let in or out, and watching begins
// anew.
func (p *Project) applyConfig(ctx context.Context, roots []api.Root, cfg api.Config, warnings []string) error {
	if err := p.actor.SetConfig(ctx, roots, cfg, warnings); err != nil {
		return err
	}
	if w := p.watching(); w != nil {
		w.cancel() // watchProject starts it again with the new folders and rules
	}
	return nil
}

// WatchConfigs keeps the configurations in force that people write with their editors: each project's and the data
// folder's.
func (r *Registry) WatchConfigs() {
	r.configs.Add(filepath.Join(r.opt.Data, files.ConfigName), func() {
		for _, p := range r.List() {
			r.reloadIfChanged(p)
		}
	})
	r.wg.Go(func() {
		if err := r.configs.Run(r.ctx); err != nil {
			r.log.Warn("changes of config.json are noticed at the next start only", "err", err)
		}
	})
}

// watchConfig keeps one project's configuration in force until ctx ends.
func (r *Registry) watchConfig(ctx context.Context, p *Project) {
	remove := r.configs.Add(filepath.Join(p.dir, files.ConfigName), func() { r.reloadIfChanged(p) })
	context.AfterFunc(ctx, remove)
}

// reloadIfChanged puts a project's configuration into force if it differs from the current one. It returns at once.
func (r *Registry) reloadIfChanged(p *Project) {
	if r.ctx.Err() != nil {
		return
	}
	r.wg.Go(func() {
		p.configuring.Lock()
		defer p.configuring.Unlock()
		last := p.actor.Config()
		cfg, warnings := r.loadConfig(p.dir, &last)
		if reflect.DeepEqual(cfg, last) && slices.Equal(warnings, p.actor.Warnings()) {
			return
		}
		r.log.Info("configuration changed", "project", p.id, "warnings", len(warnings))
		if err := r.reload(r.ctx, p); err != nil && r.ctx.Err() == nil {
			r.log.Error("changed configuration not put into force", "project", p.id, "err", err)
		}
	})
}

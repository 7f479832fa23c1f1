package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/store/files"
)

// defaults returns the global configuration, or api.DefaultConfig if there is none. After an error, some of the user's
// exclusions may be missing in the result.
func (r *Registry) defaults() (api.Config, error) {
	if err := files.ForgetDeleted(r.opt.Data); err != nil {
		r.log.Warn("copy of a deleted configuration not removed", "err", err)
	}
	c, problems, err := files.LoadConfig(r.opt.Data, api.DefaultConfig(), nil)
	if err != nil {
		problems = append(problems, err.Error())
		err = fmt.Errorf("the global configuration: %w", err)
	}
	r.mu.Lock()
	before := r.global
	r.global = problems
	r.mu.Unlock()
	if slices.Equal(before, problems) {
		return c, err
	}
	var problem *api.Error
	if text := strings.Join(problems, " "); text != "" {
		r.log.Warn("global configuration", "problem", text)
		problem = api.New(api.ConfigInvalid, "The configuration of all projects has a mistake: "+text,
			filepath.Join(r.opt.Data, files.ConfigName)+": "+text, nil)
	}
	r.opt.Misconfigured(problem)
	return c, err
}

type configuration struct {
	api.Config
	warnings []string
	problem  *api.Error // if not nil, the project is paused and its files are not read
}

// loadConfig returns the configuration in dir. An invalid field keeps its last valid value, from last if it is not nil.
// If an invalid exclusion never had a valid value, all files are excluded.
func (r *Registry) loadConfig(dir string, last *api.Config) configuration {
	base, err := r.defaults()
	var c configuration
	if err == nil {
		c.Config, c.warnings, err = files.LoadConfig(dir, base, last)
	}
	if err != nil {
		c.Config = nothing(base)
		c.problem = api.New(api.ConfigInvalid,
			"This project isn't indexed or searched until its configuration is fixed: "+
				err.Error()+".", "no valid configuration is known", err)
	}
	return c
}

// keepConfig saves copies of the valid configurations. The copies are used if the user makes a mistake later.
func (r *Registry) keepConfig(dir string) {
	base, err := r.defaults()
	if err != nil {
		return
	}
	err = errors.Join(files.KeepConfig(r.opt.Data, api.DefaultConfig()), files.KeepConfig(dir, base))
	if err != nil {
		r.log.Warn("configuration not copied", "err", err)
	}
}

func nothing(base api.Config) api.Config {
	base.Exclude = []string{"**"}
	return base
}

func (p *Project) last() *api.Config {
	if p.misconfigured.Load() != nil {
		return nil
	}
	c := p.actor.Config()
	return &c
}

func (r *Registry) ConfigText(root string) (string, []string, error) {
	p, err := r.get(root)
	if err != nil {
		return "", nil, err
	}
	base, baseErr := r.defaults()
	text, err := files.ReadFile(filepath.Join(p.dir, files.ConfigName))
	if errors.Is(err, fs.ErrNotExist) {
		text, err = files.RenderConfig(*cmp.Or(p.last(), &base), base), baseErr
	}
	if err != nil {
		return "", nil, fmt.Errorf("read configuration: %w", err)
	}
	if baseErr != nil {
		return string(text), []string{baseErr.Error()}, nil
	}
	_, problems, err := files.ParseConfig(text, base, p.last())
	if err != nil {
		problems = append(problems, err.Error())
	}
	return string(text), problems, nil
}

// SetConfigText writes text to the project's config.json and applies it. It returns a description of each invalid
// field.
func (r *Registry) SetConfigText(ctx context.Context, root, text string) ([]string, error) {
	p, err := r.get(root)
	if err != nil {
		return nil, err
	}
	base, err := r.defaults()
	if err != nil {
		return nil, invalidConfig(err)
	}
	_, problems, err := files.ParseConfig([]byte(text), base, p.last())
	if err != nil {
		return nil, invalidConfig(err)
	}
	if err := files.WriteFile(filepath.Join(p.dir, files.ConfigName), []byte(text)); err != nil {
		return nil, disk.Error(fmt.Errorf("write configuration: %w", err), p.dir)
	}
	return problems, r.applyConfig(ctx, p, r.loadConfig(p.dir, p.last()))
}

func invalidConfig(err error) *api.Error {
	return api.New(api.InvalidArgument, "That is not a valid configuration: "+err.Error()+".", err.Error(), err)
}

func (r *Registry) applyConfig(ctx context.Context, p *Project, cfg configuration) error {
	r.keepConfig(p.dir)
	p.misconfigured.Store(cfg.problem)
	if cfg.problem != nil {
		p.applyPause(r.opt.Paused())
	}
	p.actor.SetProblem(cfg.problem)
	if err := p.actor.SetConfig(ctx, p.record().roots(cfg.Config), cfg.Config, cfg.warnings); err != nil {
		return err
	}
	p.applyPause(r.opt.Paused())
	if w := p.watching(); w != nil {
		w.cancel() // runWatching then starts watchers for the new roots
	}
	snap := p.Snapshot()
	// The event updates the descriptions of the tools.
	r.opt.Hub.Publish(api.Event{Kind: api.EventProject, ProjectID: p.id, Project: &snap})
	return nil
}

func (r *Registry) WatchConfigs() {
	r.configs.Add(filepath.Join(r.opt.Data, files.ConfigName), func() {
		for _, p := range r.List() {
			r.reloadIfChanged(p)
		}
	})
	r.wg.Go(func() { r.configs.Run(r.ctx) })
}

func (r *Registry) reloadIfChanged(p *Project) {
	if r.ctx.Err() != nil {
		return
	}
	r.wg.Go(func() {
		p.configuring.Lock()
		defer p.configuring.Unlock()
		cfg := r.loadConfig(p.dir, p.last())
		if reflect.DeepEqual(cfg.Config, p.actor.Config()) && slices.Equal(cfg.warnings, p.actor.Warnings()) &&
			sameProblem(cfg.problem, p.misconfigured.Load()) {
			r.keepConfig(p.dir) // the global configuration may have changed
			return
		}
		r.log.Info("configuration changed", "project", p.id, "usable", cfg.problem == nil)
		for _, w := range cfg.warnings {
			p.log.Warn("configuration", "warning", w)
		}
		if err := r.applyConfig(r.ctx, p, cfg); err != nil && r.ctx.Err() == nil {
			r.log.Error("changed configuration not applied", "project", p.id, "err", err)
		}
	})
}

func sameProblem(a, b *api.Error) bool {
	return (a == nil) == (b == nil) && (a == nil || a.UserMessage == b.UserMessage)
}

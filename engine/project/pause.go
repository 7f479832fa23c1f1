package project

// A project is paused by the global setting, by its record, or because it has no valid configuration. applyPause
// combines these reasons, and pauses or resumes the actor and the watcher.

func (r *Registry) SetPaused(root string, on bool) error {
	p, err := r.get(root)
	if err != nil {
		return err
	}
	if err := p.saveRecord(func(rec *record) { rec.Paused = on }); err != nil {
		return err
	}
	p.applyPause(r.opt.Paused())
	return nil
}

func (r *Registry) ApplyPause() {
	all := r.opt.Paused()
	for _, p := range r.List() {
		p.applyPause(all)
	}
}

func (p *Project) applyPause(all bool) {
	if all || p.record().Paused || p.misconfigured.Load() != nil {
		p.actor.Pause()
	} else {
		p.actor.Resume()
	}
	if w := p.watching(); w != nil { // a new watcher gets the state from the actor
		w.orchestrator.SetPaused(p.actor.Paused())
	}
}

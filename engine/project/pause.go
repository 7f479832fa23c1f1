package project

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
	if w := p.watching(); w != nil { // a watcher that starts later reads the state from the actor
		w.orchestrator.SetPaused(p.actor.Paused())
	}
}

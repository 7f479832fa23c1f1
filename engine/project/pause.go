package project

// A project is paused while everything is, which is a setting, while it is by itself, which stands in its record, or
// while no valid configuration of it is known. All end here and nowhere else: actor and watcher are told, and
// api.StatePaused follows from the actor.

// SetPaused stops or resumes indexing of one project. One that is resumed stays paused while everything is.
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

// ApplyPause puts into force that everything was paused or resumed.
func (r *Registry) ApplyPause() {
	all := r.opt.Paused()
	for _, p := range r.List() {
		p.applyPause(all)
	}
}

// applyPause tells actor and watcher. all: everything is paused.
func (p *Project) applyPause(all bool) {
	if all || p.record().Paused || p.misconfigured.Load() != nil {
		p.actor.Pause()
	} else {
		p.actor.Resume()
	}
	if w := p.watching(); w != nil { // asked after the actor was told: watching that begins meanwhile asks the actor
		w.syncPause(p.actor)
	}
}

package activity

import (
	"context"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const (
	settingActivity = "activity"
	settingSave     = "activityKept"
)

type Engine interface {
	Projects() []api.Project
	Settings() map[string]any
	Subscribe(ctx context.Context) <-chan api.Event
	Publish(e api.Event)
}

// Enabled reports whether the settings enable recording, which is the default.
func Enabled(settings map[string]any) bool {
	on, known := settings[settingActivity].(bool)
	return on || !known
}

func Persistent(settings map[string]any) bool {
	save, _ := settings[settingSave].(bool)
	return save && Enabled(settings)
}

// Follow records the events of indexes until ctx ends.
func (l *Log) Follow(ctx context.Context, engine Engine) {
	events := engine.Subscribe(ctx)
	l.Keep(Persistent(engine.Settings()))
	record := newIndexRecord(engine.Projects())
	for e := range events {
		if e.Kind == api.EventSettings {
			l.Keep(Persistent(engine.Settings()))
			continue
		}
		entry, happened := record.take(e, time.Now())
		if !happened || !Enabled(engine.Settings()) {
			continue
		}
		l.merge(entry)
		engine.Publish(api.Event{Kind: api.EventActivity, Activity: &entry})
	}
}

type indexRecord struct {
	known   map[string]api.Project
	running map[string]*api.Progress
}

func newIndexRecord(projects []api.Project) *indexRecord {
	r := &indexRecord{known: map[string]api.Project{}, running: map[string]*api.Progress{}}
	for _, p := range projects {
		r.known[p.ID], r.running[p.ID] = p, p.Progress
	}
	return r
}

func (r *indexRecord) take(e api.Event, now time.Time) (entry api.Activity, happened bool) {
	switch {
	case e.Kind == api.EventRemoved:
		old, known := r.known[e.ProjectID]
		if unfinished(old) && r.running[e.ProjectID] == nil {
			known = false
		}
		delete(r.known, e.ProjectID)
		delete(r.running, e.ProjectID)
		return api.Activity{Time: now, Tool: string(api.ActionDelete), Project: old.Root(), Results: old.Files}, known
	case e.Kind != api.EventProject || e.Project == nil:
		return api.Activity{}, false
	}
	p := *e.Project
	old, known := r.known[p.ID]
	r.known[p.ID] = p
	if p.Progress != nil {
		r.running[p.ID] = p.Progress
		return api.Activity{}, false
	}
	job := r.running[p.ID]
	delete(r.running, p.ID)
	entry = api.Activity{Time: now, Tool: string(api.ActionUpdate), Project: p.Root(), Results: p.Updated - old.Updated}
	if p.Problem != nil {
		entry.Error = string(p.Problem.Code)
	}
	if job != nil {
		entry.Tool, entry.Results = string(job.Action), p.Files
		if !job.Started.IsZero() {
			entry.Took = now.Sub(job.Started)
		}
		if job.Action == api.ActionCreate && unfinished(p) {
			entry.Error, entry.Results = wire.ActivityCancelled, 0
		}
		return entry, true
	}
	return entry, known && p.Updated > old.Updated
}

func unfinished(p api.Project) bool { return p.ID != "" && p.LastFull.IsZero() && p.Problem == nil }

package project

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/share"
)

const sharedDir = "shared"

// refreshEvery is the default time between two checks for a newer version of a shared index. A few versions appear per
// day.
const refreshEvery = 15 * time.Minute

type subscription struct {
	copy    *share.Copy
	compare chan struct{} // signaled when local files must be compared with the shared index
	cancel  context.CancelFunc
	done    chan struct{} // closed when the local copy is closed
}

// subscribe opens the local copy of the shared index at location, and starts refreshing the copy. It must be called
// before the first scan of the project.
func (r *Registry) subscribe(ctx context.Context, p *Project, location string, log *slog.Logger) error {
	at, err := share.ParseLocation(location)
	if err != nil {
		return err
	}
	model := ""
	if r.opt.Embedder != nil {
		model = r.opt.Embedder.ModelHash()
	}
	c, err := share.Open(ctx, filepath.Join(p.dir, sharedDir), at, model, r.opt.Tables, r.opt.Parts, log)
	if err != nil {
		return fmt.Errorf("open shared index: %w", err)
	}
	s := &subscription{copy: c, compare: make(chan struct{}, 1), done: make(chan struct{})}
	var sctx context.Context
	sctx, s.cancel = context.WithCancel(ctx)
	p.subscription.Store(s)
	p.actor.SetShared(c.Has)
	p.actor.SetSharing(describeShared(c))
	r.wg.Go(func() {
		defer close(s.done)
		s.refreshLoop(sctx, p, r.opt.Refresh, log)
		if err := c.Close(); err != nil {
			log.Warn("shared index not closed", "err", err)
		}
	})
	return nil
}

func (s *subscription) refreshLoop(ctx context.Context, p *Project, every time.Duration, log *slog.Logger) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := s.refresh(ctx, p); err != nil && ctx.Err() == nil {
			log.Warn("shared index not updated", "err", err)
		}
		for asked := false; !asked; {
			select {
			case <-s.compare:
				if err := p.actor.RescanContents(ctx); err != nil && ctx.Err() == nil { // the daily scan retries
					log.Warn("files not compared with the shared index", "err", err)
				}
			case <-tick.C:
				asked = true
			case <-ctx.Done():
				return
			}
		}
	}
}

func (s *subscription) refresh(ctx context.Context, p *Project) error {
	changed, err := s.copy.Refresh(ctx)
	p.actor.SetSharing(describeShared(s.copy))
	if changed {
		jobs.Offer(s.compare, struct{}{})
	}
	return err
}

func (s *subscription) stop() {
	s.cancel()
	<-s.done
}

func describeShared(c *share.Copy) *api.SharedIndex {
	s := c.State()
	if s.Err != nil {
		s.Problem = sharedError(s.Err).UserMessage
	}
	return &s.SharedIndex
}

func sharedError(err error) *api.Error {
	var e *api.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, share.ErrNone):
		return api.New(api.IndexNotFound, "There is no shared index at that location.", err.Error(), err)
	case errors.Is(err, share.ErrDamaged):
		return api.New(api.IndexCorrupt, "The shared index is damaged; publish it again.", err.Error(), err)
	case errors.Is(err, share.ErrOvertaken):
		return api.New(api.Busy,
			"Another user published a shared index there at the same time, and that index is now in use.", err.Error(), err)
	}
	return api.New(api.Internal,
		"Can't access the storage of the shared index. Check that it is reachable and that the credentials are correct.",
		err.Error(), err)
}

// AddShared downloads the shared index at location. The user must have approved location. If necessary, AddShared
// creates the project.
func (r *Registry) AddShared(ctx context.Context, root, location string) (api.Project, error) {
	at, err := share.ParseLocation(location)
	if err != nil {
		return api.Project{}, err
	}
	if err := share.Check(ctx, at); err != nil {
		return api.Project{}, sharedError(err)
	}
	p, err := r.findOrRegister(ctx, root)
	if err != nil {
		return api.Project{}, err
	}
	p.subscribing.Lock()
	defer p.subscribing.Unlock()
	if err := p.saveRecord(func(r *record) { r.Shared = at.String() }); err != nil {
		return api.Project{}, err
	}
	if err := r.unsubscribe(p); err != nil {
		return api.Project{}, err
	}
	if err := r.subscribe(p.ctx, p, at.String(), r.log); err != nil {
		return api.Project{}, err
	}
	if err := p.subscription.Load().refresh(ctx, p); err != nil {
		return p.Snapshot(), sharedError(err)
	}
	if p.actor.Incomplete() {
		r.build(p)
	}
	return p.Snapshot(), nil
}

// RemoveShared removes the shared index from a project. The project then indexes all files locally.
func (r *Registry) RemoveShared(_ context.Context, root string) (api.Project, error) {
	p, err := r.get(root)
	if err != nil {
		return api.Project{}, err
	}
	p.subscribing.Lock()
	defer p.subscribing.Unlock()
	location := ""
	if err := p.saveRecord(func(r *record) { location, r.Shared = r.Shared, "" }); err != nil {
		return api.Project{}, err
	}
	if location == "" {
		return api.Project{}, api.New(api.InvalidArgument, "This project uses no shared index.", "no subscription", nil)
	}
	if err := r.unsubscribe(p); err != nil {
		return api.Project{}, err
	}
	p.actor.SetShared(nil)
	p.actor.SetSharing(nil)
	r.wg.Go(func() {
		if err := p.actor.RescanContents(p.ctx); err != nil && p.ctx.Err() == nil {
			r.log.Warn("files of a shared index not indexed", "project", p.id, "err", err)
		}
	})
	return p.Snapshot(), nil
}

// unsubscribe removes the local copy of the shared index. The caller must lock p.subscribing.
func (r *Registry) unsubscribe(p *Project) error {
	if s := p.subscription.Swap(nil); s != nil {
		s.stop()
	}
	if err := os.RemoveAll(filepath.Join(p.dir, sharedDir)); err != nil {
		return fmt.Errorf("remove copy of shared index: %w", err)
	}
	return nil
}

// PublishShared uploads the index of the project to location. The user must have approved location. progress may be
// nil.
func (r *Registry) PublishShared(ctx context.Context, root, location string,
	progress func(stage api.PublishStage, done, total int)) (api.Publication, error) {
	at, err := share.ParseLocation(location)
	if err != nil {
		return api.Publication{}, err
	}
	p, err := r.get(root)
	if err != nil {
		return api.Publication{}, err
	}
	snap := p.Snapshot()
	switch {
	case snap.Shared != nil:
		return api.Publication{}, api.New(api.InvalidArgument,
			"This project gets its index from a shared index. Publish from a project that was indexed on this computer.",
			"project has a shared index", nil)
	case snap.State != api.StateReady:
		return api.Publication{}, api.New(api.Busy,
			"The index isn't complete yet. Publish it once search-mcp status shows it as ready.",
			"state is "+string(snap.State), nil)
	}
	m, err := share.Publish(ctx, at, share.Publication{Store: p.actor.Store(), Tables: r.opt.Tables, Project: p.name,
		Progress: progress})
	if err != nil {
		return api.Publication{}, sharedError(err)
	}
	if m.Anew != nil {
		r.log.Warn("shared index published without the previous publication", "project", p.id, "err", m.Anew)
	}
	return api.Publication{
		SharedIndex: api.SharedIndex{
			Location: at.String(), Published: m.Published, Files: m.Files, Chunks: m.Chunks, Checked: time.Now(),
		},
		Unchanged: m.Unchanged, VectorsSent: m.Rows,
	}, nil
}

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/share"
	"searchmcp/engine/store"
)

// sharedDir is the folder of a project in which the copy of its shared index lies.
const sharedDir = "shared"

// refreshEvery is how often the storage is asked for a newer publication: a team publishes a few times a day, and asking costs
// one small request.
const refreshEvery = 15 * time.Minute

// sharing is the shared index under one project. A person has set it up; without one no connection is ever opened.
type sharing struct {
	copy    *share.Copy
	compare chan struct{} // signalled: the copy is another, so files are to be compared with it
	cancel  context.CancelFunc
	done    chan struct{} // closed when nothing refreshes any more and the copy is closed
}

// startSharing opens the copy of the shared index that a project's record names and keeps it up to date until ctx ends. It
// comes before the project's first scan, which asks it about every file.
func (e *Engine) startSharing(ctx context.Context, p *project, location string, log *slog.Logger) error {
	at, err := share.ParseLocation(location)
	if err != nil {
		return err
	}
	model := ""
	if e.embedder != nil {
		model = e.embedder.ModelHash()
	}
	c, err := share.Open(ctx, filepath.Join(p.dir, sharedDir), at, model, log)
	if err != nil {
		return fmt.Errorf("open shared index: %w", err)
	}
	s := &sharing{copy: c, compare: make(chan struct{}, 1), done: make(chan struct{})}
	var sctx context.Context
	sctx, s.cancel = context.WithCancel(ctx)
	p.sharing.Store(s)
	p.actor.SetShared(c.Has)
	p.actor.SetSharing(sharedState(c))
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		defer close(s.done)
		s.keepFresh(sctx, p, log)
		if err := c.Close(); err != nil {
			log.Warn("shared index not closed", "err", err)
		}
	}()
	return nil
}

// keepFresh asks the storage now and then, and compares the files with what is new.
func (s *sharing) keepFresh(ctx context.Context, p *project, log *slog.Logger) {
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		if err := s.fetch(ctx, p); err != nil && ctx.Err() == nil {
			log.Warn("shared index not brought up to date", "err", err)
		}
		for asked := false; !asked; {
			select {
			case <-s.compare:
				if err := p.actor.RescanContents(ctx); err != nil && ctx.Err() == nil {
					log.Warn("files not compared with the shared index", "err", err) // each is when it next changes, and all once a day
				}
			case <-tick.C:
				asked = true
			case <-ctx.Done():
				return
			}
		}
	}
}

// fetch brings the copy up to date and has the files compared if that changed it.
func (s *sharing) fetch(ctx context.Context, p *project) error {
	changed, err := s.copy.Refresh(ctx)
	p.actor.SetSharing(sharedState(s.copy))
	if changed {
		select {
		case s.compare <- struct{}{}:
		default: // somebody has asked already
		}
	}
	return err
}

func (s *sharing) stop() {
	s.cancel()
	<-s.done
}

// sharedState is a copy's state as a person sees it.
func sharedState(c *share.Copy) *api.SharedIndex {
	s := c.State()
	out := &api.SharedIndex{
		Location: s.Location.String(), Published: s.Published, Files: s.Files, Chunks: s.Chunks, Checked: s.Checked, Note: s.Note,
	}
	if s.Problem != nil {
		out.Problem = sharingError(s.Problem).UserMessage
	}
	return out
}

// sharingError says in words what keeps a shared index from being reached, read or written.
func sharingError(err error) *api.Error {
	var e *api.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, share.ErrNone):
		return api.New(api.IndexNotFound, "There is no shared index at that location.", err.Error(), err)
	case errors.Is(err, share.ErrDamaged):
		return api.New(api.IndexCorrupt, "The shared index is damaged; publish it again.", err.Error(), err)
	case errors.Is(err, share.ErrOvertaken):
		return api.New(api.Busy, "Somebody else published a shared index there at the same time; theirs is in force.", err.Error(), err)
	}
	return api.New(api.Internal, "The storage of the shared index can't be used. Is it reachable, and are the credentials right?", err.Error(), err)
}

// AddShared lays the shared index at location under root's own, making a project of root if it is none. It returns when the
// shared index is here; files are then compared with it. The caller has asked a person.
func (e *Engine) AddShared(ctx context.Context, root, location string) (api.Project, error) {
	at, err := share.ParseLocation(location)
	if err != nil {
		return api.Project{}, err
	}
	if err := share.Look(ctx, at); err != nil {
		return api.Project{}, sharingError(err)
	}
	p := e.byRoot(root)
	if p == nil {
		if p, err = e.register(ctx, root); err != nil {
			return api.Project{}, err
		}
	}
	p.setSharing.Lock()
	defer p.setSharing.Unlock()
	if err := p.saveRecord(func(r *record) { r.Shared = at.String() }); err != nil {
		return api.Project{}, err
	}
	if err := e.dropSharing(p); err != nil {
		return api.Project{}, err
	}
	if err := e.startSharing(p.ctx, p, at.String(), e.log); err != nil {
		return api.Project{}, err
	}
	if err := p.sharing.Load().fetch(ctx, p); err != nil {
		return p.snapshot(), sharingError(err)
	}
	if p.actor.Incomplete() {
		e.build(p)
	}
	return p.snapshot(), nil
}

// RemoveShared takes the shared index from under root's own. The files it answered for are indexed here from then on.
func (e *Engine) RemoveShared(_ context.Context, root string) (api.Project, error) {
	p, err := e.projectOf(root)
	if err != nil {
		return api.Project{}, err
	}
	p.setSharing.Lock()
	defer p.setSharing.Unlock()
	if err := p.saveRecord(func(r *record) { r.Shared = "" }); err != nil {
		return api.Project{}, err
	}
	if err := e.dropSharing(p); err != nil {
		return api.Project{}, err
	}
	p.actor.SetShared(nil)
	p.actor.SetSharing(nil)
	e.wg.Go(func() {
		if err := p.actor.RescanContents(p.ctx); err != nil && p.ctx.Err() == nil {
			e.log.Warn("files of a shared index not indexed", "project", p.id, "err", err)
		}
	})
	return p.snapshot(), nil
}

// dropSharing ends the use of a shared index and removes its copy. p.setSharing is held.
func (e *Engine) dropSharing(p *project) error {
	if s := p.sharing.Swap(nil); s != nil {
		s.stop()
	}
	return share.Remove(filepath.Join(p.dir, sharedDir))
}

// PublishShared writes root's index to location for others. It must be complete and its own. The caller has asked a person. progress,
// which may be nil, is told what has been done of what.
func (e *Engine) PublishShared(ctx context.Context, root, location string, progress func(stage api.PublishStage, done, of int)) (api.Publication, error) {
	at, err := share.ParseLocation(location)
	if err != nil {
		return api.Publication{}, err
	}
	p, err := e.projectOf(root)
	if err != nil {
		return api.Publication{}, err
	}
	snap := p.snapshot()
	switch {
	case snap.Shared != nil:
		return api.Publication{}, api.New(api.InvalidArgument,
			"This project answers from a shared index itself. Publish from a project that holds all of its files.", "project has a shared index", nil)
	case snap.State != api.StateReady:
		return api.Publication{}, api.New(api.Busy, "The index isn't complete yet. Publish it when search-mcp status says that it is ready.",
			"state is "+string(snap.State), nil)
	}
	m, err := share.Publish(ctx, at, share.Publication{Store: p.actor.Store(), Project: p.name, Progress: progress})
	if err != nil {
		return api.Publication{}, sharingError(err)
	}
	if m.Anew != nil {
		e.log.Warn("shared index published anew, not built on the publication before", "project", p.id, "err", m.Anew)
	}
	return api.Publication{
		SharedIndex: api.SharedIndex{Location: at.String(), Published: m.Published, Files: m.Files, Chunks: m.Chunks, Checked: time.Now()},
		Unchanged:   m.Unchanged, VectorsSent: m.Rows,
	}, nil
}

// overlay is a project's reader with a shared index under it: a path of the shared one counts while the file looks as it did when its
// content was found to be the shared one's. So what was changed or deleted here is never answered from there.
type overlay struct {
	*reader
	shared  *share.Copy
	visible func(path string) bool
	log     *slog.Logger
}

// overlaid returns what a search of the project reads: r, with the shared index under it if there is one.
func (p *project) overlaid(r *reader, log *slog.Logger) search.Reader {
	s := p.sharing.Load()
	if s == nil {
		return r
	}
	return &overlay{reader: r, shared: s.copy, visible: p.sharedVisible(), log: log}
}

// sharedVisible returns a function that looks at each path once.
func (p *project) sharedVisible() func(path string) bool {
	tree := p.actor.Tree()
	var mu sync.Mutex
	seen := map[string]bool{}
	return func(path string) bool {
		mu.Lock()
		defer mu.Unlock()
		v, ok := seen[path]
		if !ok {
			now, reason, err := tree.Stat(path)
			v = err == nil && reason == api.SkipNone && p.actor.MatchesShared(path, now)
			seen[path] = v
		}
		return v
	}
}

// under returns what the shared index adds, nothing if it cannot answer: the project's own index does.
func under[T any](o *overlay, what string, ask func(v *share.View) ([]T, error)) []T {
	v := o.shared.View()
	if v == nil {
		return nil
	}
	defer v.Release()
	list, err := ask(v)
	if err != nil {
		if !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrClosed) {
			o.log.Warn("shared index did not answer", "what", what, "err", err)
		}
		return nil
	}
	return list
}

// Text implements search.Reader.
func (o *overlay) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	own, err := o.reader.Text(ctx, corpus, q)
	if err != nil {
		return nil, err
	}
	for _, h := range under(o, "words", func(v *share.View) ([]store.TextHit, error) { return v.Text(ctx, corpus, q) }) {
		if o.visible(h.Path) {
			own = append(own, h)
		}
	}
	slices.SortStableFunc(own, func(a, b store.TextHit) int { return cmp.Compare(b.Score, a.Score) })
	return own[:min(len(own), max(q.K, 0))], nil
}

// Nearest implements search.Reader.
func (o *overlay) Nearest(ctx context.Context, corpus api.Corpus, vec api.Vector, k int, f store.Filter) ([]store.VectorHit, error) {
	own, err := o.reader.Nearest(ctx, corpus, vec, k, f)
	if err != nil && !errors.Is(err, store.ErrVectors) {
		return nil, err
	}
	added := under(o, "meaning", func(v *share.View) ([]store.VectorHit, error) { return v.Nearest(ctx, corpus, vec, k, f) })
	for _, h := range added {
		if o.visible(h.Path) {
			own, err = append(own, h), nil
		}
	}
	slices.SortStableFunc(own, func(a, b store.VectorHit) int { return cmp.Compare(b.Score, a.Score) })
	return own[:min(len(own), k)], err
}

// Chunks implements search.Reader. The same chunk has the same id on both sides.
func (o *overlay) Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error) {
	own, err := o.reader.Chunks(ctx, corpus, ids)
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := own[id]; return ok })
	if len(rest) == 0 {
		return own, nil
	}
	under(o, "chunks", func(v *share.View) ([]struct{}, error) {
		found, err := v.Chunks(ctx, corpus, rest)
		for id, c := range found {
			if o.visible(c.Path) {
				own[id] = c
			}
		}
		return nil, err
	})
	return own, nil
}

// lister is what a search for files reads.
type lister struct {
	own, shared search.Lister
	visible     func(path string) bool
}

// Paths implements search.Lister.
func (l *lister) Paths(c api.Corpus) []string {
	all := slices.Clone(l.own.Paths(c))
	for _, path := range l.shared.Paths(c) {
		if l.visible(path) {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// files searches for files in the project's own index and among those that the shared one answers for.
func (p *project) files(ctx context.Context, own search.Lister, q api.FileQuery, allowed func(string) bool) ([]string, int, error) {
	if s := p.sharing.Load(); s != nil {
		if v := s.copy.View(); v != nil {
			defer v.Release()
			own = &lister{own: own, shared: v, visible: p.sharedVisible()}
		}
	}
	return search.Files(ctx, own, q, allowed)
}

// coverage is the share of the chunks that a search reads which have a vector.
func (p *project) coverage() float64 {
	own := p.actor.Store().Stats()
	if s := p.sharing.Load(); s != nil {
		shared := s.copy.State()
		own.Chunks += shared.Chunks
		if shared.Note == "" {
			own.Vectors += shared.Chunks
		}
	}
	return coverage(own)
}

// hasDocs reports whether there is anything in the documents' corpus.
func (p *project) hasDocs(snap api.Project) bool {
	s := p.sharing.Load()
	return snap.DocFiles > 0 || s != nil && s.copy.State().DocFiles > 0
}

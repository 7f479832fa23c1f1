package sources

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/host/memory"
	"searchmcp/engine/sources/docs"
)

const (
	rescanDelay = time.Second // delay of a scan, because editors often save several files at once
	unloadEvery = time.Minute
	unloadAfter = 5 * time.Minute // full-text indexes unused for this long are freed
	listMaxAge  = 2 * time.Second
	maxFolders  = 16
)

type folder struct {
	*docs.Folder
	used    time.Time // guarded by Sources.mu
	project bool      // a project watches this folder
	gone    bool      // the folder was missing at the last scan
}

func (s *Sources) forwardChanges(ctx context.Context) {
	for ev := range s.opt.Hub.Subscribe(ctx) {
		if ev.Kind != api.EventProject && ev.Kind != api.EventDocs || ev.Project == nil {
			continue
		}
		for _, r := range ev.Project.Roots {
			select {
			case s.touch <- r.Path:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (s *Sources) watchFolders(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	running := map[*folder]context.CancelFunc{}
	for {
		wanted := slices.DeleteFunc(s.loaded(), func(f *folder) bool { return f.project })
		for f, stop := range running {
			if !slices.Contains(wanted, f) {
				stop()
				delete(running, f)
			}
		}
		for _, f := range wanted {
			if running[f] == nil {
				one, stop := context.WithCancel(ctx)
				running[f] = stop
				wg.Go(func() { s.watchFolder(one, f) })
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-s.opened:
		}
	}
}

func (s *Sources) watchFolder(ctx context.Context, f *folder) {
	batches := make(chan watch.Batch)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		defer close(batches)
		watch.New(f.Policy(), watch.Options{Log: s.log}).Run(ctx, batches)
	})
	for b := range batches {
		if b.Cause == watch.CauseStart && !f.Scanned() {
			continue
		}
		f.Touch()
		select {
		case s.touch <- f.Policy().Root():
		case <-ctx.Done():
		}
	}
}

func (s *Sources) rescanLoop(ctx context.Context) {
	unload := time.NewTicker(unloadEvery)
	defer unload.Stop()
	soon := time.NewTimer(0)
	defer soon.Stop()
	pending := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return
		case root := <-s.touch:
			if s.cached(root) != nil && !pending[root] {
				pending[root] = true
				soon.Reset(rescanDelay)
			}
		case <-soon.C:
			for root := range pending {
				delete(pending, root)
				s.rescan(ctx, root)
			}
		case <-unload.C:
			s.unload(time.Now().Add(-unloadAfter))
		}
	}
}

func (s *Sources) cached(root string) *folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folders[root]
}

func (s *Sources) loaded() []*folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.folders))
}

func (s *Sources) unload(since time.Time) {
	for _, f := range s.loaded() {
		f.Unload(since)
	}
	s.archives.Unload(since)
}

func (s *Sources) rescan(ctx context.Context, root string) {
	f := s.cached(root)
	if f == nil {
		return
	}
	first := !f.Scanned()
	defer memory.CollectMoreOften()()
	changed, err := f.Scan(ctx)
	if gone := errors.Is(err, policy.ErrRootGone); gone != f.gone { // the folder was deleted or restored
		f.gone, changed = gone, true
	}
	if err != nil && ctx.Err() == nil {
		s.log.Warn("documents not scanned", "folder", root, "err", err)
	}
	if n := f.Skipped(); n > 0 && (first || changed) {
		s.log.Warn("too many documents in a folder", "folder", root, "left_out", n)
	}
	switch {
	case changed:
		s.changed(api.SourceDocuments)
	case first && f.Scanned():
		s.changed(api.SourceRead)
	}
}

// open returns the folder at root. It opens the folder again if its rules have changed.
func (s *Sources) open(root string) (*folder, error) {
	project, owned := root, false
	if p, ok := s.opt.Projects.Lookup(root); ok {
		project = p.Root()
		owned = slices.ContainsFunc(p.Roots, func(r api.Root) bool { return r.Path == root })
	}
	rules := s.opt.Projects.Config(project)
	rules.MaxFileSize = max(rules.MaxFileSize, docs.MaxFile)
	s.mu.Lock()
	f := s.folders[root]
	if f != nil {
		f.used = time.Now()
	}
	s.mu.Unlock()
	if f != nil && f.project == owned && reflect.DeepEqual(f.Policy().Rules(), rules) {
		return f, nil
	}
	p, err := policy.New(root, rules)
	if err != nil {
		return nil, err
	}
	f = &folder{Folder: docs.Open(p, s.opt.Reader), used: time.Now(), project: owned}
	listed := s.listed()
	defer jobs.Offer(s.opened, struct{}{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders[root] = f
	s.evict(listed)
	return f, nil
}

// listed returns the folders that stay in memory: the folders of projects and the added folders.
func (s *Sources) listed() map[string]bool {
	roots := map[string]bool{}
	for _, p := range s.opt.Projects.Projects() {
		for _, r := range p.Roots {
			roots[r.Path] = true
		}
	}
	for _, root := range s.DocumentFolders() {
		roots[root] = true
	}
	return roots
}

// evict removes the least recently used folders from memory, except those in listed. The caller must lock s.mu.
func (s *Sources) evict(listed map[string]bool) {
	var others []string
	for root := range s.folders {
		if !listed[root] {
			others = append(others, root)
		}
	}
	slices.SortFunc(others, func(a, b string) int { return s.folders[b].used.Compare(s.folders[a].used) })
	for _, root := range others[min(len(others), maxFolders):] {
		delete(s.folders, root)
	}
}

// Reset applies changed settings: the memory limit of named indexes and the rules of document folders.
func (s *Sources) Reset(namedBytes int64) {
	s.indexes.SetLimit(namedBytes)
	s.mu.Lock()
	clear(s.folders)
	s.mu.Unlock()
	jobs.Offer(s.opened, struct{}{})
}

// current returns the folder at root, and scans the folder first if the last scan is older than age. For a folder
// outside projects, age is at most unwatchedMaxAge.
func (s *Sources) current(ctx context.Context, root string, age time.Duration) (*folder, error) {
	f, err := s.open(root)
	if err != nil {
		return nil, err
	}
	if !f.project {
		age = min(age, unwatchedMaxAge)
	}
	if f.ScannedWithin(age) {
		return f, nil
	}
	defer memory.CollectMoreOften()()
	changed, err := f.Scan(ctx)
	if changed {
		s.changed(api.SourceDocuments)
	}
	// If the root is gone, the old documents are still listed, but reading them fails.
	if err != nil && !errors.Is(err, policy.ErrRootGone) {
		return nil, err
	}
	return f, nil
}

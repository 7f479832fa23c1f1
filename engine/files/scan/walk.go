package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
)

// Walk calls visit for each file of the policy's root that the rules allow without opening it. It reads ignore files
// anew. Folders are listed in parallel and arrive in any order, the files of a folder in order. visit is called from
// the calling goroutine, and its error ends the walk. Symbolic links are counted, but not followed; files that
// disappear meanwhile are omitted; a missing or unreadable root is ErrRootGone.
func Walk(ctx context.Context, p *policy.Policy, visit func(File) error) (Report, error) {
	p.Refresh()
	report := newReport()
	err := walk(ctx, p, ".", &report, visit)
	report.sort()
	return report, err
}

func newReport() Report {
	return Report{Skipped: api.Skipped{}, Examples: map[api.Reason][]string{}, Paths: map[string]api.Reason{}}
}

func (r *Report) skip(reason api.Reason, path string) {
	r.Skipped[reason]++
	if len(r.Paths) < MaxPaths {
		r.Paths[path] = reason
	}
	if len(r.Examples[reason]) < examples {
		r.Examples[reason] = append(r.Examples[reason], path)
	}
}

func (r *Report) sort() {
	slices.Sort(r.Unreadable)
	for reason := range maps.Keys(r.Examples) {
		slices.Sort(r.Examples[reason])
	}
}

// listed is a folder's content, or the error of listing it.
type listed struct {
	dir     string
	entries []policy.Entry
	reason  api.Reason // reason why its own rules exclude it
	err     error
}

// queue is a stack of the folders to list, so its length is about the tree's depth times its width.
type queue struct {
	mu   sync.Mutex
	cond *sync.Cond
	dirs []string
	open int // folders that are queued or being listed
	stop bool
}

func newQueue(top string) *queue {
	q := &queue{dirs: []string{top}, open: 1}
	q.cond = sync.NewCond(&q.mu)
	return q
}

// next waits for a folder. ok is false when the walk is complete or stopped.
func (q *queue) next() (dir string, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.dirs) == 0 && q.open > 0 && !q.stop {
		q.cond.Wait()
	}
	if q.stop || q.open == 0 {
		return "", false
	}
	dir = q.dirs[len(q.dirs)-1]
	q.dirs = q.dirs[:len(q.dirs)-1]
	return dir, true
}

// done removes a listed folder and adds its subfolders.
func (q *queue) done(sub []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	slices.Reverse(sub)
	q.dirs = append(q.dirs, sub...)
	q.open += len(sub) - 1
	q.cond.Broadcast()
}

func (q *queue) halt() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stop = true
	q.cond.Broadcast()
}

// workers returns the number of folders listed concurrently: enough to hide a disk's latency, few enough to save
// handles.
func workers() int { return min(8, 2*runtime.GOMAXPROCS(0)) }

// walk lists top and everything below it.
func walk(ctx context.Context, p *policy.Policy, top string, report *Report, visit func(File) error) error {
	group, gctx := errgroup.WithContext(ctx)
	q, out := newQueue(top), make(chan listed, 2*workers())
	defer context.AfterFunc(gctx, q.halt)()
	var listers sync.WaitGroup
	for range workers() {
		listers.Add(1)
		group.Go(func() error {
			defer listers.Done()
			return list(gctx, p, q, out)
		})
	}
	group.Go(func() error {
		listers.Wait()
		close(out)
		return nil
	})
	var visitErr error
	for l := range out {
		if visitErr == nil {
			if visitErr = collect(l, top, report, visit); visitErr == nil {
				visitErr = ctx.Err()
			}
			if visitErr != nil {
				q.halt()
			}
		}
	}
	if err := group.Wait(); visitErr == nil {
		visitErr = err
	}
	if visitErr == nil {
		visitErr = ctx.Err()
	}
	return visitErr
}

// list lists folders until the queue is complete. It is run by each worker.
func list(ctx context.Context, p *policy.Policy, q *queue, out chan<- listed) error {
	for {
		dir, ok := q.next()
		if !ok {
			return ctx.Err()
		}
		entries, err := p.ReadDir(dir)
		select {
		case out <- listed{dir: dir, entries: entries, reason: p.Dir(dir), err: err}:
		case <-ctx.Done():
			return ctx.Err()
		}
		var sub []string
		for i := range entries {
			if e := &entries[i]; e.Dir && e.Reason == api.SkipNone {
				sub = append(sub, e.Path)
			}
		}
		q.done(sub)
	}
}

// collect passes a folder's files to visit and counts the skipped ones.
func collect(l listed, top string, report *Report, visit func(File) error) error {
	if l.err != nil {
		return report.failed(l, top)
	}
	for _, e := range l.entries {
		switch {
		case e.Reason != api.SkipNone:
			report.skip(e.Reason, e.Path)
			if e.Reason == api.SkipUnreadable && e.Stamp == (policy.Stamp{}) {
				report.Unreadable = append(report.Unreadable, e.Path)
			}
		case !e.Dir:
			report.Files++
			report.Bytes += e.Stamp.Size
			if err := visit(File{Path: e.Path, Stamp: e.Stamp, Corpus: e.Corpus}); err != nil {
				return err
			}
		}
	}
	return nil
}

// failed handles a folder that could not be listed: missing, replaced by a link, skipped by its own rules, or
// unreadable.
func (r *Report) failed(l listed, top string) error {
	dir, err := l.dir, l.err
	switch code := api.CodeOf(err); {
	case errors.Is(err, ErrRootGone):
		return err
	case errors.Is(err, fs.ErrNotExist), code == api.FileNotFound:
		return nil
	case code == api.SymlinkNotAllowed:
		r.skip(api.SkipSymlink, dir)
		return nil
	case code == api.FileNotIndexable:
		r.skip(l.reason, dir)
		return nil
	case dir == "." || code == "" && dir == top:
		return fmt.Errorf("list project folder %s: %w", dir, err)
	}
	r.skip(api.SkipUnreadable, dir)
	r.Unreadable = append(r.Unreadable, dir)
	return nil
}

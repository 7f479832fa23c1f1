package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
)

// Walk calls visit for each file below the root that is not skipped. No file is opened, so Policy.Read may still skip a
// visited file. The files of a folder are visited in the order of their paths. Walk returns ErrRootGone if the root is
// missing or unreadable.
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

type listed struct {
	dir     string
	entries []policy.Entry
	reason  api.Reason // reason for skipping the folder, or SkipNone
	err     error
}

// workers returns the number of folders to list at the same time.
func workers() int { return min(8, 2*runtime.GOMAXPROCS(0)) }

func walk(ctx context.Context, p *policy.Policy, top string, report *Report, visit func(File) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	out := make(chan listed, 2*workers())
	var group errgroup.Group
	group.SetLimit(workers())
	var list func(dir string) error
	list = func(dir string) error {
		if err := inner.Err(); err != nil {
			return err
		}
		entries, err := p.ReadDir(dir)
		select {
		case out <- listed{dir: dir, entries: entries, reason: p.Dir(dir), err: err}:
		case <-inner.Done():
			return inner.Err()
		}
		for _, e := range entries {
			if !e.Dir || e.Reason != api.SkipNone || group.TryGo(func() error { return list(e.Path) }) {
				continue
			}
			if err := list(e.Path); err != nil {
				return err
			}
		}
		return nil
	}
	group.Go(func() error { return list(top) })
	go func() {
		_ = group.Wait()
		close(out)
	}()
	var visitErr error
	for l := range out {
		if visitErr == nil {
			if visitErr = collect(l, top, report, visit); visitErr != nil {
				cancel()
			}
		}
	}
	if visitErr == nil {
		visitErr = ctx.Err()
	}
	return visitErr
}

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

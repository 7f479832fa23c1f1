package scan

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
)

// Diff compares the files below the root with the known files. If full is set, all files count as changed (RFC 5.6). It
// reports no change for known files in unreadable folders.
func Diff(ctx context.Context, p *policy.Policy, known Known, full bool) (Changes, error) {
	p.Refresh()
	d := newDiff(p, known, full)
	if err := d.walk(ctx, "."); err != nil {
		return Changes{}, err
	}
	if len(d.seen) == 0 && len(d.changes.Report.Skipped) == 0 {
		if err := d.emptyRoot(); err != nil {
			return Changes{}, err
		}
	}
	for key := range known.Paths() {
		d.markMissing(key)
	}
	return d.finish(), nil
}

// Paths compares the given files and folders, and all files below the folders, with the known files. A known file that
// is missing or now skipped counts as removed. Paths ignores paths that policy.Key rejects.
func Paths(ctx context.Context, p *policy.Policy, known Known, paths []string) (Changes, error) {
	d := newDiff(p, known, false)
	var gone []string
	for _, key := range topmostKeys(paths) {
		if err := ctx.Err(); err != nil {
			return Changes{}, err
		}
		below, err := d.path(ctx, key)
		if err != nil {
			return Changes{}, err
		}
		if below {
			gone = append(gone, key)
		}
	}
	if len(gone) > 0 {
		if err := d.emptyRoot(); err != nil {
			return Changes{}, err
		}
		slices.Sort(gone)
		for key := range known.Paths() {
			if belowAny(gone, key) {
				d.markMissing(key)
			}
		}
	}
	return d.finish(), nil
}

type diff struct {
	policy  *policy.Policy
	known   Known
	full    bool
	seen    map[string]bool
	changes Changes
}

func newDiff(p *policy.Policy, known Known, full bool) *diff {
	return &diff{policy: p, known: known, full: full, seen: map[string]bool{}, changes: Changes{Report: newReport()}}
}

func (d *diff) walk(ctx context.Context, top string) error {
	return walk(ctx, d.policy, top, &d.changes.Report, func(f File) error {
		d.file(f)
		return nil
	})
}

func (d *diff) file(f File) {
	if d.seen[f.Path] {
		return
	}
	d.seen[f.Path] = true
	if then, checked, ok := d.known.Stamp(f.Path); ok && !d.full && unchanged(f.Stamp, then, checked) {
		d.changes.Unchanged++
		return
	}
	d.changes.Changed = append(d.changes.Changed, f)
}

// markMissing adds a known file that the walk did not find to Removed, unless the file's folder is unreadable.
func (d *diff) markMissing(key string) {
	if d.seen[key] {
		return
	}
	if !slices.ContainsFunc(d.changes.Report.Unreadable, func(dir string) bool {
		return dir == "." || strings.HasPrefix(key+"/", dir+"/")
	}) {
		d.changes.Removed = append(d.changes.Removed, key)
	}
}

func belowAny(dirs []string, key string) bool {
	for k := key; ; k = path.Dir(k) {
		if _, ok := slices.BinarySearch(dirs, k); ok {
			return true
		}
		if k == "." || k == "/" {
			return false
		}
	}
}

func (d *diff) path(ctx context.Context, key string) (below bool, err error) {
	stamp, reason, err := d.policy.Stat(key)
	report := &d.changes.Report
	switch {
	case errors.Is(err, policy.ErrFolder):
		if reason != api.SkipNone {
			report.skip(reason, key)
			return true, nil
		}
		return true, d.walk(ctx, key)
	case reason == api.SkipUnreadable && stamp == (policy.Stamp{}):
		report.skip(reason, key)
		report.Unreadable = append(report.Unreadable, key)
		return false, nil
	case reason != api.SkipNone:
		report.skip(reason, key)
		return true, nil
	case errors.Is(err, policy.ErrLocked): // count the file as changed, so that the caller reads it and gets the error
		report.Files++
		d.file(File{Path: key, Corpus: d.policy.Corpus(key)})
		return false, nil
	case err != nil && (errors.Is(err, fs.ErrNotExist) || api.CodeOf(err) == api.FileNotFound):
		return true, nil
	case err != nil:
		return false, err
	}
	_, _, known := d.known.Stamp(key)
	report.Files++
	report.Bytes += stamp.Size
	d.file(File{Path: key, Stamp: stamp, Corpus: d.policy.Corpus(key)})
	return !known, nil // the file may have replaced a folder
}

// emptyRoot returns ErrRootGone if the root is empty but files are known, because a file system may be unmounted.
func (d *diff) emptyRoot() error {
	for range d.known.Paths() {
		entries, err := d.policy.ReadDir(".")
		if err == nil && len(entries) == 0 && !d.policy.Emptied() {
			err = ErrRootGone
		}
		return err
	}
	return nil
}

func (d *diff) finish() Changes {
	c := d.changes
	slices.SortFunc(c.Changed, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(c.Removed)
	c.Removed = slices.Compact(c.Removed)
	c.Report.sort()
	return c
}

func topmostKeys(paths []string) []string {
	keys := make([]string, 0, len(paths))
	for _, p := range paths {
		if key, ok := policy.Key(p); ok {
			keys = append(keys, key)
		}
	}
	if slices.Contains(keys, ".") {
		return []string{"."}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	all := slices.Clone(keys)
	return slices.DeleteFunc(keys, func(key string) bool { return belowAny(all, path.Dir(key)) })
}

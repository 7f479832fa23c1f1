package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
)

// Tree combines the root folders of a project. Paths in additional roots begin with "@name/".
type Tree struct {
	roots []treeRoot
	docs  bool // the setting indexDocs
}

type treeRoot struct {
	prefix string // "" or "@name/"
	root   api.Root
	policy *policy.Policy
}

// NewTree returns the tree of roots with the configuration c. It returns INVALID_PATTERN if c contains an invalid glob
// pattern.
func NewTree(roots []api.Root, c api.Config) (*Tree, error) {
	t := &Tree{docs: c.IndexDocs}
	for _, r := range roots {
		p, err := policy.New(r.Path, c)
		if err != nil {
			return nil, fmt.Errorf("open policy of %s: %w", r.Path, err)
		}
		t.roots = append(t.roots, treeRoot{prefix: r.Prefix(), root: r, policy: p})
	}
	return t, nil
}

func (t *Tree) Roots() []api.Root {
	out := make([]api.Root, len(t.roots))
	for i, r := range t.roots {
		out[i] = r.root
	}
	return out
}

func (t *Tree) Policies() iter.Seq2[string, *policy.Policy] {
	return func(yield func(string, *policy.Policy) bool) {
		for _, r := range t.roots {
			if !yield(r.prefix, r.policy) {
				return
			}
		}
	}
}

// split returns the root that contains path, and the path relative to this root.
func (t *Tree) split(path string) (of treeRoot, rest string) {
	of = t.roots[0]
	for _, r := range t.roots[1:] {
		if strings.HasPrefix(path, r.prefix) {
			of = r
		}
	}
	return of, path[len(of.prefix):]
}

// covers reports whether set contains the path p or one of its parents. "." means the first root, "@name" an additional
// root.
func (t *Tree) covers(set map[string]bool, p string) bool {
	r, rel := t.split(p)
	for ; ; rel = path.Dir(rel) {
		if rel == "." {
			return set["."] && r.prefix == "" || set[strings.TrimSuffix(r.prefix, "/")]
		}
		if set[r.prefix+rel] {
			return true
		}
	}
}

// Path returns why path is excluded because of its name or folder, or api.SkipNone.
func (t *Tree) Path(path string) api.Reason {
	r, rel := t.split(path)
	return r.policy.Path(rel)
}

// Dir returns why all files in the folder at path are excluded, or api.SkipNone.
func (t *Tree) Dir(path string) api.Reason {
	r, rel := t.split(path)
	return r.policy.Dir(rel)
}

// DirNow is like Dir, but examines the current state of the folder on disk.
func (t *Tree) DirNow(path string) api.Reason {
	r, rel := t.split(path)
	return r.policy.DirNow(rel)
}

func (t *Tree) Stat(path string) (policy.Stamp, api.Reason, error) {
	r, rel := t.split(path)
	return r.policy.Stat(rel)
}

func (t *Tree) Read(path string) ([]byte, policy.Stamp, api.Reason, error) {
	r, rel := t.split(path)
	return r.policy.Read(rel)
}

// Reader reads files. Only one goroutine may use a Reader.
type Reader struct {
	tree *Tree
	of   map[string]*policy.Reader
}

func (t *Tree) Reader() *Reader { return &Reader{tree: t, of: map[string]*policy.Reader{}} }

func (r *Reader) Close() {
	for _, p := range r.of {
		p.Close()
	}
}

func (r *Reader) ReadIf(path string, want func(raw []byte) bool) ([]byte, policy.Stamp, api.Reason, error) {
	root, rel := r.tree.split(path)
	p := r.of[root.prefix]
	if p == nil {
		p = root.policy.Reader()
		r.of[root.prefix] = p
	}
	return p.ReadIf(rel, want)
}

// Absolute returns the absolute path of path, for display and for other programs.
func (t *Tree) Absolute(path string) (string, error) {
	r, rel := t.split(path)
	return policy.SafeJoin(r.root.Path, rel)
}

// OnDisk returns path as it is written on the disk, which may be in Unicode NFD.
func (t *Tree) OnDisk(path string) string {
	r, rel := t.split(path)
	return r.prefix + r.policy.OnDisk(rel)
}

func (t *Tree) Corpus(path string) api.Corpus {
	r, rel := t.split(path)
	return r.policy.Corpus(rel)
}

func (t *Tree) Problems() []string {
	var out []string
	for _, r := range t.roots {
		for _, err := range r.policy.Problems() {
			out = append(out, "An ignore file can't be read, so everything that it could exclude is excluded: "+
				r.prefix+err.Error())
		}
	}
	return out
}

func (t *Tree) Refresh() {
	for _, r := range t.roots {
		r.policy.Refresh()
	}
}

// Diff compares the files in all roots with the known files. If roots are missing, it returns the changes in the other
// roots and an error.
func (t *Tree) Diff(ctx context.Context, known scan.Known, full bool) (scan.Changes, error) {
	return t.compare(known, func(r treeRoot, v rootView) (scan.Changes, error) {
		return scan.Diff(ctx, r.policy, v, full)
	})
}

// Paths is like Diff, but compares only paths and the files below them.
func (t *Tree) Paths(ctx context.Context, known scan.Known, paths []string) (scan.Changes, error) {
	below := map[string][]string{}
	for _, p := range paths {
		r, rel := t.split(p)
		below[r.prefix] = append(below[r.prefix], rel)
	}
	return t.compare(known, func(r treeRoot, v rootView) (scan.Changes, error) {
		if len(below[r.prefix]) == 0 {
			return scan.Changes{}, nil
		}
		return scan.Paths(ctx, r.policy, v, below[r.prefix])
	})
}

func (t *Tree) compare(known scan.Known, one func(treeRoot, rootView) (scan.Changes, error)) (scan.Changes, error) {
	all := scan.Changes{Report: scan.Report{Skipped: api.Skipped{}, Paths: map[string]api.Reason{}}}
	gone := &goneError{}
	for _, r := range t.roots {
		c, err := one(r, rootView{known, r.prefix, t})
		switch {
		case errors.Is(err, scan.ErrRootGone):
			gone.missing = append(gone.missing, MissingRootError(r.root, err))
		case err != nil:
			return scan.Changes{}, fmt.Errorf("scan %s: %w", r.root.Path, err)
		default:
			merge(&all, c, r.prefix)
		}
	}
	if len(gone.missing) == 0 {
		return all, nil
	}
	return all, gone
}

// goneError contains an error for each missing root.
type goneError struct{ missing []*api.Error }

func (e *goneError) Error() string { return "scan project: " + e.missing[0].DeveloperMessage }

func (e *goneError) Unwrap() error { return scan.ErrRootGone }

func merge(all *scan.Changes, c scan.Changes, prefix string) {
	for _, f := range c.Changed {
		f.Path = prefix + f.Path
		all.Changed = append(all.Changed, f)
	}
	for _, p := range c.Removed {
		all.Removed = append(all.Removed, prefix+p)
	}
	all.Report.Bytes += c.Report.Bytes
	for reason, n := range c.Report.Skipped {
		all.Report.Skipped[reason] += n
	}
	for p, reason := range c.Report.Paths {
		if len(all.Report.Paths) < scan.MaxPaths {
			all.Report.Paths[prefix+p] = reason
		}
	}
}

// rootView contains the indexed and skipped files of a root, with paths relative to the root.
type rootView struct {
	known  scan.Known
	prefix string
	tree   *Tree
}

func (v rootView) Stamp(path string) (policy.Stamp, time.Time, bool) {
	return v.known.Stamp(v.prefix + path)
}

func (v rootView) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for path := range v.known.Paths() {
			r, rel := v.tree.split(path)
			if r.prefix == v.prefix && !yield(rel) {
				return
			}
		}
	}
}

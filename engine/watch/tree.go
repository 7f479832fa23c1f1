package watch

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// ident tells one folder from another that stands at the same path later. Zero: the system gives none.
type ident struct{ dev, ino uint64 }

// how a folder's changes are noticed.
type how uint8

const (
	unseen  how = iota // not yet entered
	watched            // the source tells
	polled             // the source gives no watch; looked at now and then
	closed             // not readable: nothing to see until its mode changes
)

// dir is a folder of the tree.
type dir struct {
	name   string
	parent *dir // nil for the root
	kids   map[string]*dir
	id     ident
	how    how
	seen   map[string]stamp // of a polled folder: its entries when last looked at
}

// rel is the folder's path below the root, slash-separated, "." for the root itself.
func (d *dir) rel() string {
	if d.parent == nil {
		return "."
	}
	return join(d.parent.rel(), d.name)
}

func join(parent, name string) string {
	if parent == "." {
		return name
	}
	return parent + "/" + name
}

// tree is the bookkeeping of one root: which folders are watched, polled or closed. It belongs to one goroutine.
type tree struct {
	root   string
	below  string // root with one separator at its end
	policy Policy
	src    source // nil: there is none, everything is polled
	max    int    // no more watches than this; 0: what the system gives
	log    *slog.Logger

	top             *dir
	byID            map[ident]*dir
	watched, polled int
	exhausted       error               // why the source gives no more watches
	blind           map[string]struct{} // files that can't be read
	extra           []string            // ignore files given by the options
	side            map[string]struct{} // absolute paths of ignore files outside the watched folders
	// moved is called with a path that a folder was found to have left.
	moved func(rel string)
	// ruled is called when a folder that was entered holds an ignore file: its rules may have been unknown to policy when
	// the folder was judged.
	ruled func()
}

func newTree(p Policy, src source, max int, log *slog.Logger) *tree {
	root := p.Root()
	sep := string(filepath.Separator)
	return &tree{
		root: root, below: strings.TrimSuffix(root, sep) + sep, policy: p, src: src, max: max, log: log,
		top: &dir{}, byID: map[ident]*dir{}, blind: map[string]struct{}{}, side: map[string]struct{}{}, moved: func(string) {}, ruled: func() {},
	}
}

func (t *tree) abs(rel string) string {
	if rel == "." {
		return t.root
	}
	return t.below + filepath.FromSlash(rel)
}

// rel is the inverse of abs.
func (t *tree) rel(abs string) (string, bool) {
	if abs == t.root {
		return ".", true
	}
	rest, ok := strings.CutPrefix(abs, t.below)
	return filepath.ToSlash(rest), ok && rest != ""
}

// find returns the folder at rel, nil if it is not in the tree.
func (t *tree) find(rel string) *dir {
	d := t.top
	if rel == "." {
		return d
	}
	for name := range strings.SplitSeq(rel, "/") {
		if d = d.kids[name]; d == nil {
			return nil
		}
	}
	return d
}

// child returns the folder at rel, made if its parent is in the tree.
func (t *tree) child(rel string) *dir {
	if rel == "." {
		return t.top
	}
	parent := t.find(path.Dir(rel))
	if parent == nil {
		return nil
	}
	return parent.kid(path.Base(rel))
}

func (d *dir) kid(name string) *dir {
	k := d.kids[name]
	if k == nil {
		k = &dir{name: name, parent: d}
		if d.kids == nil {
			d.kids = map[string]*dir{}
		}
		d.kids[name] = k
	}
	return k
}

// grow enters a folder and everything below it that policy admits, nearest first, so that a limit leaves the deepest
// without a watch. Entering a known folder again renews its watch.
func (t *tree) grow(ctx context.Context, rel string) {
	d := t.child(rel)
	if d == nil {
		return // the parent is gone or not admitted
	}
	if d == t.top {
		extra := t.extra
		if o, ok := t.policy.(interface{ Outside() []string }); ok {
			extra = slices.Concat(extra, o.Outside())
		}
		for _, f := range extra {
			t.beside(f)
		}
	}
	for line := []*dir{d}; len(line) > 0 && ctx.Err() == nil; line = line[1:] {
		line = append(line, t.enter(line[0])...)
	}
}

// enter watches one folder, then reads it: in this order, so that nothing that appears in between is lost. It returns the
// folders in it.
func (t *tree) enter(d *dir) []*dir {
	rel := d.rel()
	abs := t.abs(rel)
	fi, err := os.Lstat(abs)
	if err != nil || !fi.IsDir() {
		t.leave(d, err)
		return nil
	}
	shared := !t.identify(d, identOf(fi))
	if err := t.watch(d, abs, shared); err != nil {
		t.leave(d, err)
		return nil
	}
	// A link put in the folder's place in the meantime would have been followed out of the project.
	if after, err := os.Lstat(abs); err != nil || identOf(after) != d.id || !after.IsDir() {
		t.leave(d, err)
		return nil
	}
	entries, err := os.ReadDir(abs)
	if err != nil {
		t.leave(d, err)
		return nil
	}
	if d.how == polled {
		d.seen = stamps(entries)
	}
	return t.inside(d, rel, entries)
}

// inside goes through a folder's entries: the folders to enter next, files that can't be read, ignore files of git.
func (t *tree) inside(d *dir, rel string, entries []fs.DirEntry) []*dir {
	var next []*dir
	super := superuser()
	for _, e := range entries {
		child := join(rel, e.Name())
		if t.policy.IsIgnoreFile(child) {
			t.ruled()
			if e.Name() == ".git" {
				t.gitSide(rel)
			}
		}
		switch {
		case e.IsDir():
			if t.policy.Dir(child) == "" {
				next = append(next, d.kid(e.Name()))
			}
		case super || !e.Type().IsRegular():
		default:
			if fi, err := e.Info(); err == nil {
				t.see(child, fi)
			}
		}
	}
	return next
}

// see keeps in mind whether a file can be read, and says whether that changed.
func (t *tree) see(rel string, fi fs.FileInfo) (changed bool) {
	_, was := t.blind[rel]
	is := !readable(t.abs(rel), fi.Mode())
	if is {
		t.blind[rel] = struct{}{}
	} else {
		delete(t.blind, rel)
	}
	return is != was
}

// identify notes which folder stands at d. If the tree has it at another path it was moved, and the watches of the old
// path are given up first: the kernel would hand out the old watch again, under the old name. It returns false if the
// folder stands at both paths, as with a bind mount.
func (t *tree) identify(d *dir, id ident) bool {
	if id == (ident{}) {
		return true
	}
	if other := t.byID[id]; other != nil && other != d {
		rel := other.rel()
		if fi, err := os.Lstat(t.abs(rel)); err == nil && identOf(fi) == id {
			d.id = id
			return false
		}
		t.drop(other)
		t.moved(rel)
	}
	if t.byID[d.id] == d {
		delete(t.byID, d.id)
	}
	d.id = id
	t.byID[id] = d
	return true
}

// watch asks the source for a watch; without one the folder is polled. An error means that there is no folder to see.
func (t *tree) watch(d *dir, abs string, shared bool) error {
	if t.src == nil || t.exhausted != nil || shared {
		t.set(d, polled)
		return nil
	}
	if t.max > 0 && t.watched >= t.max && d.how != watched {
		t.exhausted = syscall.ENOSPC
		t.set(d, polled)
		return nil
	}
	err := t.src.Add(abs)
	switch {
	case err == nil:
		t.set(d, watched)
		return nil
	case exhausted(err):
		t.exhausted = err
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return err
	default:
		t.log.Warn("Folder can't be watched and is polled", "folder", d.rel(), "error", err)
	}
	t.set(d, polled)
	return nil
}

// leave is what becomes of a folder that could not be entered: unreadable ones stay in the tree without a watch.
func (t *tree) leave(d *dir, err error) {
	if !errors.Is(err, fs.ErrPermission) {
		t.drop(d)
		return
	}
	for _, k := range d.kids {
		t.drop(k)
	}
	if d.how == watched {
		t.unwatch(d)
	}
	t.set(d, closed)
}

// drop forgets a folder and everything below it, watches included.
func (t *tree) drop(d *dir) {
	for _, k := range d.kids {
		t.drop(k)
	}
	if d.how == watched {
		t.unwatch(d)
	}
	t.set(d, unseen)
	if t.byID[d.id] == d {
		delete(t.byID, d.id)
	}
	if d.parent != nil {
		delete(d.parent.kids, d.name)
	}
}

// unwatch ignores the error: a source has often dropped the watch of a vanished folder by itself.
func (t *tree) unwatch(d *dir) {
	if t.src != nil {
		_ = t.src.Remove(t.abs(d.rel()))
	}
}

// set changes how a folder is seen, and the counts.
func (t *tree) set(d *dir, h how) {
	t.count(d.how, -1)
	t.count(h, +1)
	d.how = h
	if h != polled {
		d.seen = nil
	}
}

func (t *tree) count(h how, n int) {
	switch h {
	case watched:
		t.watched += n
	case polled:
		t.polled += n
	}
}

// rewalk compares the tree with the disk and with policy, and renews every watch: after lost events nothing of the
// bookkeeping can be trusted.
func (t *tree) rewalk(ctx context.Context) {
	t.exhausted = nil
	clear(t.side)
	t.prune(ctx, t.top, ".")
	t.grow(ctx, ".")
}

// prune drops the folders that are gone, replaced or no longer admitted. Dropping comes before growing, for the reason
// given at identify.
func (t *tree) prune(ctx context.Context, d *dir, rel string) {
	for name, k := range d.kids {
		if ctx.Err() != nil {
			return
		}
		child := join(rel, name)
		fi, err := os.Lstat(t.abs(child))
		if err != nil || !fi.IsDir() || identOf(fi) != k.id || t.policy.Dir(child) != "" {
			t.drop(k)
			continue
		}
		t.prune(ctx, k, child)
	}
}

// gitSide watches info/exclude of the repository at rel: it decides over the project's files and lies in a folder that the
// deny list keeps out of the tree, or, for worktrees and submodules, outside the root.
func (t *tree) gitSide(rel string) {
	repo, err := gitAt(t.abs(rel))
	if err != nil {
		return // not a repository after all
	}
	t.beside(filepath.Join(repo.common, "info", "exclude"))
}

// beside watches one ignore file that lies outside the watched folders, by its folder.
func (t *tree) beside(file string) {
	if _, ok := t.side[file]; ok || t.src == nil {
		return
	}
	folder := filepath.Dir(file)
	if fi, err := os.Lstat(folder); err != nil || !fi.IsDir() {
		return
	}
	if err := t.src.Add(folder); err != nil {
		t.log.Debug("Ignore file can't be watched; the next full pass sees its changes", "file", file, "error", err)
		return
	}
	t.side[file] = struct{}{}
}

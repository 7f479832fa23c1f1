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

	"searchmcp/engine/files/repo"
)

// fileID identifies a folder by device and inode. It is zero on systems without such numbers.
type fileID struct{ dev, ino uint64 }

type watchState uint8

const (
	unwatched watchState = iota
	watched
	polled     // no watch; polled instead
	unreadable // can't be listed
)

type dir struct {
	name     string
	parent   *dir
	children map[string]*dir
	id       fileID
	state    watchState
	share    bool             // on a network share: watched and polled
	stamps   map[string]stamp // entries of a polled folder at the last poll
}

func (d *dir) isPolled() bool { return d.state == polled || d.state == watched && d.share }

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

type tree struct {
	root   string
	prefix string // root with a path separator at the end
	policy Policy
	src    sources
	log    *slog.Logger

	rootDir   *dir
	byID      map[fileID]*dir
	folders   [unreadable + 1]int // number of folders in each state
	exhausted error               // set when the system allowed no more watches
	share     bool                // a folder was on a network share
	outside   map[string]struct{} // ignore files outside the watched folders
	// onMoved is called with the old path of a moved folder.
	onMoved func(rel string)
	// onIgnoreFile is called for an added folder with an ignore file.
	onIgnoreFile func()
}

func newTree(p Policy, src sources, log *slog.Logger) *tree {
	root := p.Root()
	sep := string(filepath.Separator)
	return &tree{
		root: root, prefix: strings.TrimSuffix(root, sep) + sep, policy: p, src: src, log: log,
		rootDir: &dir{}, byID: map[fileID]*dir{}, outside: map[string]struct{}{},
		onMoved: func(string) {}, onIgnoreFile: func() {},
	}
}

func (t *tree) abs(rel string) string {
	if rel == "." {
		return t.root
	}
	return t.prefix + filepath.FromSlash(rel)
}

func (t *tree) rel(abs string) (string, bool) {
	if abs == t.root {
		return ".", true
	}
	rest, ok := strings.CutPrefix(abs, t.prefix)
	return filepath.ToSlash(rest), ok && rest != ""
}

func (t *tree) find(rel string) *dir {
	d := t.rootDir
	if rel == "." {
		return d
	}
	for name := range strings.SplitSeq(rel, "/") {
		if d = d.children[name]; d == nil {
			return nil
		}
	}
	return d
}

func (t *tree) spelled(rel string) string {
	parent, name := path.Split(rel)
	if parent == "" || t.find(path.Clean(parent)) != nil {
		return rel
	}
	d, found := t.rootDir, "."
	for at := range strings.SplitSeq(path.Clean(parent), "/") {
		next := d.children[at]
		for k, c := range d.children {
			if next == nil && sameName(k, at) {
				next = c
			}
		}
		if next == nil {
			return rel
		}
		d, found = next, join(found, next.name)
	}
	return join(found, name)
}

func (d *dir) child(name string) *dir {
	k := d.children[name]
	if k == nil {
		k = &dir{name: name, parent: d}
		if d.children == nil {
			d.children = map[string]*dir{}
		}
		d.children[name] = k
	}
	return k
}

// add watches a folder and all folders below that policy allows. It works breadth first, so that at the system's limit
// only the deepest folders lack a watch.
func (t *tree) add(ctx context.Context, rel string) {
	d := t.rootDir
	if rel != "." {
		parent := t.find(path.Dir(rel))
		if parent == nil {
			return // missing or excluded
		}
		d = parent.child(path.Base(rel))
	} else {
		for _, f := range t.policy.ExternalIgnoreFiles() {
			t.watchOutside(f)
		}
		if n, ok := t.src.tree.(interface{ WatchName(dir string) error }); ok {
			if err := n.WatchName(t.root); err != nil {
				t.log.Debug("root's name can't be watched; the next full pass notices a move", "err", err)
			}
		}
	}
	for line := []*dir{d}; len(line) > 0 && ctx.Err() == nil; line = line[1:] {
		line = append(line, t.addFolder(line[0])...)
	}
}

// addFolder watches a folder and then reads the folder, so that no new entry is missed. The result is the subfolders.
func (t *tree) addFolder(d *dir) []*dir {
	rel := d.rel()
	abs := t.abs(rel)
	fi, err := os.Lstat(abs)
	if err != nil || !fi.IsDir() {
		t.handleUnwatchable(d, err)
		return nil
	}
	if t.misspelled(d, fileIDOf(fi)) {
		t.remove(d)
		return nil
	}
	err = t.watch(d, abs, !t.claimIdentity(d, fileIDOf(fi)))
	if err == nil {
		// For security, check that no symbolic link has replaced the folder.
		if fi, err = os.Lstat(abs); err == nil && (fileIDOf(fi) != d.id || !fi.IsDir()) {
			err = fs.ErrNotExist
		}
	}
	var entries []fs.DirEntry
	if err == nil {
		entries, err = os.ReadDir(abs)
	}
	if err != nil {
		t.handleUnwatchable(d, err)
		return nil
	}
	if d.isPolled() {
		d.stamps = stamps(entries)
	}
	var next []*dir
	for _, e := range entries {
		child := join(rel, e.Name())
		if t.policy.IsIgnoreFile(child) {
			t.onIgnoreFile()
			if e.Name() == ".git" {
				if git, err := repo.At(t.abs(rel)); err == nil {
					t.watchOutside(filepath.Join(git.Common, "info", "exclude"))
				}
			}
		}
		if e.IsDir() && t.policy.Dir(child) == "" {
			next = append(next, d.child(e.Name()))
		}
	}
	return next
}

// claimIdentity records the identity of the folder d, and removes the watches of a moved folder's old path. The result
// is false for a folder with two paths, as with a bind mount.
func (t *tree) claimIdentity(d *dir, id fileID) bool {
	if id == (fileID{}) {
		return true
	}
	if other := t.byID[id]; other != nil && other != d {
		rel := other.rel()
		if fi, err := os.Lstat(t.abs(rel)); err == nil && fileIDOf(fi) == id &&
			(!respelling(other, d) || t.listed(other)) {
			d.id = id
			return false
		}
		t.remove(other)
		t.onMoved(rel)
	}
	if t.byID[d.id] == d {
		delete(t.byID, d.id)
	}
	d.id = id
	t.byID[id] = d
	return true
}

func respelling(a, b *dir) bool { return a.parent == b.parent && sameName(a.name, b.name) }

func (t *tree) misspelled(d *dir, id fileID) bool {
	other := t.byID[id]
	return id != (fileID{}) && other != nil && other != d && respelling(other, d) && !t.listed(d)
}

func (t *tree) listed(d *dir) bool {
	f, err := os.Open(t.abs(d.parent.rel()))
	if err != nil {
		return true
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	return err != nil || slices.Contains(names, d.name)
}

// watch watches a folder, or polls the folder if the system allows no more watches. duplicate is set for a folder that
// is watched at another path.
func (t *tree) watch(d *dir, abs string, duplicate bool) error {
	if t.exhausted != nil || duplicate {
		t.setState(d, polled)
		return nil
	}
	if t.src.recursive && d != t.rootDir {
		t.setState(d, t.rootDir.state)
		return nil
	}
	err := t.src.tree.Add(abs)
	switch {
	case err == nil:
		d.share = t.src.onShare != nil && t.src.onShare(abs)
		t.share = t.share || d.share
		t.setState(d, watched)
		return nil
	case errors.Is(err, errSecondPath):
	case exhausted(err):
		t.exhausted = err
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return err
	default:
		t.log.Warn("folder can't be watched and is polled", "folder", d.rel(), "err", err)
	}
	t.setState(d, polled)
	return nil
}

func (t *tree) handleUnwatchable(d *dir, err error) {
	if !errors.Is(err, fs.ErrPermission) {
		t.remove(d)
		return
	}
	for _, k := range d.children {
		t.remove(k)
	}
	if d.state == watched {
		t.unwatch(d)
	}
	t.setState(d, unreadable)
}

func (t *tree) remove(d *dir) {
	for _, k := range d.children {
		t.remove(k)
	}
	if d.state == watched {
		t.unwatch(d)
	}
	t.setState(d, unwatched)
	if t.byID[d.id] == d {
		delete(t.byID, d.id)
	}
	if d.parent != nil {
		delete(d.parent.children, d.name)
	}
}

func (t *tree) unwatch(d *dir) {
	if d == t.rootDir || !t.src.recursive {
		_ = t.src.tree.Remove(t.abs(d.rel()))
	}
}

func (t *tree) setState(d *dir, h watchState) {
	t.folders[d.state]--
	t.folders[h]++
	if d.state = h; !d.isPolled() {
		d.stamps = nil
	}
}

// resync compares all watches with the disk. It is called after events were lost.
func (t *tree) resync(ctx context.Context) {
	t.exhausted = nil
	clear(t.outside)
	t.prune(ctx, t.rootDir, ".")
	t.add(ctx, ".")
}

// prune removes folders that are missing, replaced or excluded. Call prune before add, so that the old watch of a moved
// folder is removed first.
func (t *tree) prune(ctx context.Context, d *dir, rel string) {
	for name, k := range d.children {
		if ctx.Err() != nil {
			return
		}
		child := join(rel, name)
		fi, err := os.Lstat(t.abs(child))
		if err != nil || !fi.IsDir() || fileIDOf(fi) != k.id || t.policy.Dir(child) != "" {
			t.remove(k)
			continue
		}
		t.prune(ctx, k, child)
	}
}

func (t *tree) watchOutside(file string) {
	if _, ok := t.outside[file]; ok {
		return
	}
	folder := filepath.Dir(file)
	if fi, err := os.Lstat(folder); err != nil || !fi.IsDir() {
		return
	}
	if _, below := t.rel(folder); !below || !t.src.recursive {
		if err := t.src.outside.Add(folder); err != nil {
			t.log.Debug("ignore file can't be watched; the next full pass reads it", "file", file, "err", err)
			return
		}
	}
	t.outside[file] = struct{}{}
}

func (t *tree) outsideBelow(name string) bool {
	for file := range t.outside {
		if strings.HasPrefix(file, name+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

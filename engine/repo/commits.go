package repo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"searchmcp/engine/policy"
)

// Commit is what a commit says and which files it changed.
type Commit struct {
	Message string
	Files   []string // paths below the folder that was asked about, with slashes; files that it deleted are not among them
}

// Limits of what is read of a repository that anybody may have made.
const (
	maxFiles  = 30       // of one commit: one that changed more says little of each (of 10, 20 and 50, none ranked better)
	maxWalked = 20_000   // commits, where few of them touch the folder: some 3 s
	maxObject = 16 << 20 // bytes of a commit or of one folder's list, of 400,000 names
	maxIndex  = 64 << 20 // bytes of all packs' indexes, 2,000,000 objects: they are held in memory while commits are read
	cacheSize = 16 << 20 // bytes of objects that the next ones are differences to
)

// Commits returns at most n commits that changed files below folder, newest first. They are those that HEAD has behind
// it, less merges and those of more than maxFiles files. A shallow or partial clone ends where its objects do; with
// ctx it ends early and returns what it has beside the error. The error is ErrNone for a folder in no work tree.
func Commits(ctx context.Context, folder string, n int) (commits []Commit, err error) {
	g, err := Above(folder)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil { // a damaged pack is the library's to refuse; what it overlooks ends here
			commits, err = nil, fmt.Errorf("read git history: %v", r)
		}
	}()
	below, err := filepath.Rel(g.top, folder)
	if err != nil {
		return nil, fmt.Errorf("read git history: %w", err)
	}
	var prefix []string
	if below != "." {
		prefix = strings.Split(filepath.ToSlash(below), "/")
	}
	if err := g.checkSize(); err != nil {
		return nil, err
	}
	files := dotgit.NewRepositoryFilesystem(newReadOnly(g.Dir), newReadOnly(g.Common))
	store := filesystem.NewStorageWithOptions(files, cache.NewObjectLRU(cacheSize),
		filesystem.Options{KeepDescriptors: true})
	defer store.Close() // only read
	w := walk{objects: bounded{store}, prefix: prefix}
	head, err := storer.ResolveReference(store, plumbing.HEAD)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return nil, nil // before the first commit
	}
	if err != nil {
		return nil, fmt.Errorf("read git history: %w", err)
	}
	if err := w.from(ctx, head.Hash(), n); err != nil {
		return w.commits, fmt.Errorf("read git history: %w", err)
	}
	return w.commits, nil
}

// checkSize fails for a repository whose packs' indexes take more memory than a history is worth.
func (g Git) checkSize() error {
	packs, err := os.ReadDir(filepath.Join(g.Common, "objects", "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read git history: %w", err)
	}
	var sum int64
	for _, p := range packs {
		if fi, err := p.Info(); err == nil && filepath.Ext(p.Name()) == ".idx" {
			sum += fi.Size()
		}
	}
	if sum > maxIndex {
		return fmt.Errorf("read git history: its packs' indexes have %d MB, more than %d", sum>>20, maxIndex>>20)
	}
	return nil
}

// walk collects commits.
type walk struct {
	objects storer.EncodedObjectStorer
	prefix  []string // the folder within the work tree
	commits []Commit
}

// from walks back from a commit, by time.
func (w *walk) from(ctx context.Context, start plumbing.Hash, n int) error {
	c, err := object.GetCommit(w.objects, start)
	if err != nil {
		return err
	}
	all := object.NewCommitIterCTime(c, nil, nil)
	defer all.Close()
	for walked := 0; walked < maxWalked && len(w.commits) < n; walked++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := all.Next()
		if err == nil {
			err = w.add(c)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, plumbing.ErrObjectNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a commit unless it is a merge, or has changed nothing or too much.
func (w *walk) add(c *object.Commit) error {
	if c.NumParents() > 1 {
		return nil
	}
	now, err := w.folder(c.TreeHash)
	if err != nil {
		return err
	}
	var before plumbing.Hash
	if c.NumParents() == 1 {
		parent, err := object.GetCommit(w.objects, c.ParentHashes[0])
		if err != nil {
			return err
		}
		if before, err = w.folder(parent.TreeHash); err != nil {
			return err
		}
	}
	d := difference{objects: w.objects}
	err = d.folders(before, now, "")
	if err != nil && !errors.Is(err, errManyFiles) {
		return err
	}
	if err == nil && len(d.files) > 0 {
		w.commits = append(w.commits, Commit{Message: c.Message, Files: d.files})
	}
	return nil
}

// folder is the hash of the folder in a commit's tree; zero if it isn't there.
func (w *walk) folder(tree plumbing.Hash) (plumbing.Hash, error) {
	for _, name := range w.prefix {
		entries, err := list(w.objects, tree)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		tree = plumbing.ZeroHash
		for _, e := range entries {
			if e.Name == name && e.Mode == filemode.Dir {
				tree = e.Hash
			}
		}
	}
	return tree, nil
}

var errManyFiles = errors.New("more files than are of interest")

// difference collects the files that are in one tree and not the same in another.
type difference struct {
	objects storer.EncodedObjectStorer
	files   []string
}

func (d *difference) folders(before, now plumbing.Hash, at string) error {
	if before == now {
		return nil
	}
	old, err := list(d.objects, before)
	if err != nil {
		return err
	}
	entries, err := list(d.objects, now)
	if err != nil {
		return err
	}
	was := make(map[string]object.TreeEntry, len(old))
	for _, e := range old {
		was[e.Name] = e
	}
	for _, e := range entries {
		before := was[e.Name]
		switch {
		case before.Hash == e.Hash:
		case e.Mode == filemode.Dir:
			if before.Mode != filemode.Dir {
				before.Hash = plumbing.ZeroHash
			}
			if err := d.folders(before.Hash, e.Hash, at+e.Name+"/"); err != nil {
				return err
			}
		case len(d.files) == maxFiles:
			return errManyFiles
		case e.Mode.IsFile():
			d.files = append(d.files, at+e.Name)
		}
	}
	return nil
}

// list reads one folder of a tree; the zero hash is an empty one.
func list(objects storer.EncodedObjectStorer, tree plumbing.Hash) ([]object.TreeEntry, error) {
	if tree.IsZero() {
		return nil, nil
	}
	t, err := object.GetTree(objects, tree)
	if err != nil {
		return nil, err
	}
	return t.Entries, nil
}

// bounded refuses objects that are larger than any commit or folder is.
type bounded struct{ storer.EncodedObjectStorer }

// EncodedObject implements storer.EncodedObjectStorer.
func (b bounded) EncodedObject(t plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	size, err := b.EncodedObjectSize(h)
	if err != nil {
		return nil, err
	}
	if size > maxObject {
		return nil, fmt.Errorf("object %s has %d bytes, more than %d", h, size, maxObject)
	}
	return b.EncodedObjectStorer.EncodedObject(t, h)
}

// readOnly is a folder of git's that is read through policy, so that no pipe is waited for, and never written.
type readOnly struct{ billy.Filesystem }

func newReadOnly(dir string) billy.Filesystem { return readOnly{osfs.New(dir)} }

// Open implements billy.Basic.
func (f readOnly) Open(name string) (billy.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile implements billy.Basic.
func (f readOnly) OpenFile(name string, flag int, _ os.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, billy.ErrReadOnly
	}
	file, err := policy.OpenRegular(f.Join(f.Root(), name))
	if err != nil {
		return nil, err
	}
	return unlocked{file}, nil
}

// Chroot implements billy.Chroot.
func (f readOnly) Chroot(dir string) (billy.Filesystem, error) {
	return newReadOnly(f.Join(f.Root(), dir)), nil
}

// What writes implements billy.Filesystem by refusing.

func (readOnly) Create(string) (billy.File, error)           { return nil, billy.ErrReadOnly }
func (readOnly) Rename(string, string) error                 { return billy.ErrReadOnly }
func (readOnly) Remove(string) error                         { return billy.ErrReadOnly }
func (readOnly) TempFile(string, string) (billy.File, error) { return nil, billy.ErrReadOnly }
func (readOnly) MkdirAll(string, os.FileMode) error          { return billy.ErrReadOnly }
func (readOnly) Symlink(string, string) error                { return billy.ErrReadOnly }

// unlocked is a file that nobody locks, for it is only read.
type unlocked struct{ *os.File }

func (unlocked) Lock() error   { return nil }
func (unlocked) Unlock() error { return nil }

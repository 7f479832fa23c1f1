package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
)

const (
	nextDir    = "next"    // the next generation, while it is built
	compactDir = "compact" // a compacted vector table, while it is built
	oldDir     = "old"     // replaced files, until they are removed
	intentName = "switch.intent"
)

// intent is the content of switch.intent, which lists the renames that replace a generation or a vector table. After a
// crash, Open completes these renames.
type intent struct {
	From string   `json:"from"`           // folder of the new files, next or compact
	Move []string `json:"move"`           // files to move into the project's folder
	Drop []string `json:"drop,omitempty"` // files to remove from the project's folder
}

// NextGeneration creates an empty generation in a subfolder, and removes an earlier unfinished one. The caller fills
// the generation, and then calls Switch or Abandon.
func (s *Store) NextGeneration(ctx context.Context) (*Store, error) {
	if !s.handles.rlock() {
		return nil, ErrClosed
	}
	defer s.handles.RUnlock()
	dir := filepath.Join(s.dir, nextDir)
	if err := os.RemoveAll(dir); err != nil {
		return nil, s.apiError(fmt.Errorf("remove unfinished generation: %w", err), 0)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, s.apiError(fmt.Errorf("make folder of next generation: %w", err), 0)
	}
	next := newStore(dir, s.opt)
	if err := next.open(ctx); err != nil {
		return nil, s.apiError(errors.Join(err, os.RemoveAll(dir)), 0)
	}
	next.metaMu.Lock()
	next.meta = s.Metadata()
	next.metaMu.Unlock()
	return next, nil
}

// Switch replaces the current generation with next and closes next. Searches wait only for the renames. Open completes
// a switch that a crash interrupted.
func (s *Store) Switch(ctx context.Context, next *Store) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	meta := next.Metadata()
	if err := next.Checkpoint(); err != nil {
		return fmt.Errorf("finish next generation: %w", err)
	}
	if err := files.WriteMetadata(next.dir, meta); err != nil {
		return s.apiError(err, 0)
	}
	if err := next.closeWithoutCheckpoint(); err != nil {
		return fmt.Errorf("close next generation: %w", err)
	}
	return s.exclusively(func() error {
		in, err := generationIntent(s.dir)
		if err != nil {
			return err
		}
		if err := s.closeCorpora(); err != nil {
			return errors.Join(err, s.reopen(ctx))
		}
		if err := s.writeIntent(in); err != nil {
			return errors.Join(err, s.reopen(ctx))
		}
		// The switch is committed and cannot be undone.
		return errors.Join(s.applyIntent(in), s.reopen(ctx))
	})
}

func generationIntent(dir string) (intent, error) {
	in := intent{From: nextDir}
	names := []string{files.MetadataName, files.StampsName, manifestName}
	for _, c := range api.Corpora {
		names = append(names, layouts[c].names()...)
	}
	for _, n := range names {
		_, err := os.Lstat(filepath.Join(dir, nextDir, n))
		switch {
		case err == nil:
			in.Move = append(in.Move, n)
		case errors.Is(err, fs.ErrNotExist):
			in.Drop = append(in.Drop, n)
		default:
			return in, fmt.Errorf("look at next generation: %w", err)
		}
	}
	return in, nil
}

func (s *Store) writeIntent(in intent) error {
	crashPoint("before intent")
	if err := files.WriteJSON(filepath.Join(s.dir, intentName), in); err != nil {
		return fmt.Errorf("write intent: %w", err)
	}
	crashPoint("intent")
	return nil
}

func (s *Store) applyIntent(in intent) error {
	old := filepath.Join(s.dir, oldDir)
	if err := os.MkdirAll(old, 0o700); err != nil {
		return fmt.Errorf("make folder for replaced files: %w", err)
	}
	for _, n := range in.Drop {
		if err := moveToOld(s.dir, n); err != nil {
			return err
		}
	}
	for _, n := range in.Move {
		from := filepath.Join(s.dir, in.From, n)
		if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return fmt.Errorf("look at %s: %w", n, err)
		}
		if err := moveToOld(s.dir, n); err != nil {
			return err
		}
		crashPoint("retired")
		if err := files.Rename(from, filepath.Join(s.dir, n)); err != nil {
			return fmt.Errorf("put %s in place: %w", n, err)
		}
		crashPoint("moved")
	}
	if err := files.SyncDir(s.dir); err != nil {
		return err
	}
	if err := files.Remove(filepath.Join(s.dir, intentName)); err != nil {
		return fmt.Errorf("remove intent: %w", err)
	}
	if err := files.SyncDir(s.dir); err != nil {
		return err
	}
	crashPoint("finished")
	return s.removeUnreferenced()
}

// moveToOld moves a file or folder into the folder old. Removing a large folder would take much longer.
func moveToOld(dir, name string) error {
	to := filepath.Join(dir, oldDir, name)
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("remove replaced %s: %w", name, err)
	}
	if err := files.Rename(filepath.Join(dir, name), to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replace %s: %w", name, err)
	}
	return nil
}

func (s *Store) removeUnreferenced() error {
	for _, name := range []string{oldDir, nextDir, compactDir} {
		err := os.RemoveAll(filepath.Join(s.dir, name)) // fails on a read-only disk even if there is nothing to remove
		if api.Unwritable(err) {
			s.log.Warn("replaced files not removed", "err", err)
		} else if err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
	}
	return nil
}

// recoverSwitch completes a committed switch, or removes an uncommitted generation.
func (s *Store) recoverSwitch() error {
	var in intent
	err := files.ReadJSON(filepath.Join(s.dir, intentName), &in)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.removeUnreferenced()
	case err != nil:
		return fmt.Errorf("read intent: %w: %w", files.ErrDamaged, err)
	case !in.valid():
		return fmt.Errorf("read intent: %w: it names foreign files", files.ErrDamaged)
	}
	s.log.Info("interrupted switch of generation finished", "from", in.From)
	return s.applyIntent(in)
}

// valid reports whether all files of the intent are inside the project's folder.
func (in intent) valid() bool {
	if in.From != nextDir && in.From != compactDir {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(in.Move, in.Drop), func(n string) bool {
		return n == "" || n == "." || n == ".." || filepath.Base(n) != n
	})
}

// reopen opens the files of the current generation. Only functions passed to exclusively may call reopen.
func (s *Store) reopen(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	if err := s.readManifest(); err != nil {
		return err
	}
	for _, c := range s.corpora {
		c.reset()
	}
	if err := s.openCorpora(ctx); err != nil {
		return err
	}
	s.readMetadata()
	return nil
}

func (c *corpus) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries, c.chunks, c.outlines = map[string]entry{}, 0, 0
	c.missing, c.missingKnown = missingFiles{}, false
	c.stale, c.unclean, c.preferred, c.queue = map[string]bool{}, map[string]bool{}, map[string]uint64{}, nil
	c.sortedPaths.Store(nil)
}

func (s *Store) Abandon(next *Store) error {
	return errors.Join(next.closeWithoutCheckpoint(), os.RemoveAll(next.dir))
}

package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/host/memory"
	"searchmcp/engine/sources/archive"
)

func (s *Sources) Archive(searchDBPath, dir string) (path string, exists bool) {
	if searchDBPath != "" {
		return searchDBPath, true // the file may be missing; a search then returns an error
	}
	if dir != "" {
		local := filepath.Join(dir, "data", "search.db")
		if info, err := os.Lstat(local); err == nil && info.Mode().IsRegular() {
			return local, true
		}
	}
	own := s.ownArchive()
	_, err := os.Stat(own)
	return own, !errors.Is(err, fs.ErrNotExist)
}

func (s *Sources) ownArchive() string { return filepath.Join(s.opt.Data, "archive", "search.db") }

func (s *Sources) SearchArchive(ctx context.Context, path string, q api.ArchiveQuery) (*api.ArchiveAnswer, error) {
	return s.archives.Search(ctx, path, q)
}

func (s *Sources) ArchiveInfo(ctx context.Context, path string) (api.ArchiveInfo, error) {
	info, err := archive.Describe(ctx, path)
	if ctx.Err() != nil {
		return info, ctx.Err()
	}
	if err != nil {
		s.log.Warn("archive not described", "err", err)
		info.Problem = asSentence(err)
	}
	return info, nil
}

// ImportArchive imports a folder with archive.Import. Imports run one at a time. For a home folder or a whole disk,
// it returns CONFIRMATION_REQUIRED unless broad is true. A caller may set broad only if the user has confirmed twice.
func (s *Sources) ImportArchive(ctx context.Context, path, dir string, broad bool,
	progress func(done, total int)) (api.ArchiveReport, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return api.ArchiveReport{}, api.ErrArgument("DIR", "a folder, the one with this file for example")
	}
	root, err := s.opt.Projects.Canonical(dir)
	if err != nil {
		return api.ArchiveReport{}, err
	}
	if policy.IsTooBroad(root) && !broad {
		return api.ArchiveReport{}, api.New(api.ConfirmationRequired, fmt.Sprintf("'%s' is a home folder or a whole disk: "+
			"assistants could search every document in it. To import it anyway, run 'search-mcp archive import' in a "+
			"terminal, which asks twice.", root), "a broad folder has to be confirmed twice", nil)
	}
	if err := s.archiveLock.Acquire(ctx, 1); err != nil {
		return api.ArchiveReport{}, err
	}
	defer s.archiveLock.Release(1)
	defer memory.LimitGrowth(memory.Headroom)() // limits the heap, because a file may be 64 MB large
	r, err := archive.Import(ctx, path, root, s.opt.Reader, progress)
	if err != nil {
		if r.Added+r.Updated > 0 {
			s.changed(api.SourceArchives)
		}
		if err = disk.Error(err, ""); ctx.Err() != nil {
			return r, err
		}
		return r, api.Known(err, fmt.Sprintf("The folder can't be imported: %v.", err))
	}
	s.changed(api.SourceArchives)
	return r, nil
}

func (s *Sources) RemoveFromArchive(ctx context.Context, path, folder string) (api.ArchiveInfo, error) {
	if err := s.archiveLock.Acquire(ctx, 1); err != nil {
		return api.ArchiveInfo{}, err
	}
	defer s.archiveLock.Release(1)
	if root, err := s.opt.Projects.Canonical(folder); err == nil {
		folder = root // the import stores canonical paths
	}
	removed, err := archive.Remove(ctx, path, folder)
	switch {
	case ctx.Err() != nil:
		return api.ArchiveInfo{}, ctx.Err()
	case err != nil:
		return api.ArchiveInfo{}, api.Known(disk.Error(err, ""), fmt.Sprintf("The folder can't be removed: %v.", err))
	case removed == 0:
		return api.ArchiveInfo{}, api.New(api.InvalidArgument, fmt.Sprintf("The archive has no documents of '%s'.", folder),
			"no documents of that folder", nil)
	}
	info, err := s.ArchiveInfo(ctx, path)
	if err == nil && info.Documents == 0 && info.Problem == "" && path == s.ownArchive() {
		if err = os.Remove(path); err != nil {
			return info, fmt.Errorf("remove empty archive: %w", err)
		}
		info.Exists, info.Bytes = false, 0
	}
	s.changed(api.SourceArchives)
	return info, err
}

func asSentence(err error) string {
	text := strings.TrimSuffix(err.Error(), ".")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

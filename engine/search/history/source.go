package history

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/files/repo"
)

// MaxCommits is the number of commits read. The ranking is worse with 300 and not better with 3,000.
const MaxCommits = 1000

const (
	// fresh is the minimum time between checks of HEAD. A few new commits in a thousand hardly change an answer.
	fresh = time.Minute
	// maxReading limits the time for reading commits from a slow disk.
	maxReading = 10 * time.Second
	// maxNested is the maximum number of nested repositories that are read.
	maxNested = 20
	// leastNested is the minimum number of commits read from a nested repository.
	leastNested = 200
)

// Folder is a project's folder whose commits are read. A nested folder must be a repository, such as a submodule.
type Folder struct {
	Path   string // absolute
	Prefix string // prefix of the folder's paths in the project, "" or "@name/"
	Nested bool   // inside another folder of the project
}

// Source reads a project's commits on first use, and keeps their Log in memory (less than a megabyte).
type Source struct {
	ctx     context.Context
	start   func(func()) // starts a goroutine that the project waits for when it closes
	folders func() []Folder
	log     *slog.Logger

	mu      sync.Mutex // leaf
	last    *Log
	heads   []string  // prefix, path and HEAD of each folder
	note    string    // see Note
	read    time.Time // time of the last read, or zero
	reading bool
}

// NewSource returns a Source for a project's folders. It calls start to read commits in the background until ctx ends.
func NewSource(ctx context.Context, start func(func()), folders func() []Folder, log *slog.Logger) *Source {
	return &Source{ctx: ctx, start: start, folders: folders, log: log}
}

// Ask returns the last Log, or nil, without waiting. If the Log is missing or old, Ask starts a read in the
// background.
func (s *Source) Ask() *Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.reading && s.ctx.Err() == nil && (s.read.IsZero() || time.Since(s.read) > fresh) {
		s.reading = true
		s.start(s.readAll)
	}
	return s.last
}

func (s *Source) readAll() {
	folders := repositories(s.folders())
	heads := headsOf(folders)
	s.mu.Lock()
	log, note, moved := s.last, s.note, !slices.Equal(heads, s.heads)
	s.mu.Unlock()
	if moved { // git may crash on a repository, so read again only after a new commit
		log, note = s.logOf(folders)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.note, s.heads, s.read = log, note, heads, time.Now()
	s.reading = false
}

func repositories(folders []Folder) []Folder {
	nested := 0
	return slices.DeleteFunc(folders, func(f Folder) bool {
		if !f.Nested || nested == maxNested {
			return f.Nested
		}
		_, err := repo.At(f.Path)
		if err == nil {
			nested++
		}
		return err != nil
	})
}

func headsOf(folders []Folder) []string {
	var heads []string
	for _, f := range folders {
		at := ""
		if git, err := repo.Above(f.Path); err == nil {
			if h, err := git.Head(); err == nil {
				at = h.String()
			}
		}
		heads = append(heads, f.Prefix+" "+f.Path+" "+at)
	}
	return heads
}

// Note explains which commits could not be read. It returns "" if all were read or none were requested.
func (s *Source) Note() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.note
}

func (s *Source) logOf(folders []Folder) (log *Log, note string) {
	ctx, stop := context.WithTimeout(s.ctx, maxReading)
	defer stop()
	nested := 0
	for _, f := range folders {
		if f.Nested {
			nested++
		}
	}
	var all []repo.Commit
	for _, f := range folders {
		most := MaxCommits
		if f.Nested {
			most = max(leastNested, MaxCommits/nested)
		}
		commits, err := repo.Commits(ctx, f.Path, most)
		if err != nil && !errors.Is(err, repo.ErrNone) {
			s.log.Info("git history not read to its end", "folder", f.Path, "commits", len(commits), "err", err)
			note = noteOf(f, err)
		}
		for _, c := range commits {
			for i := range c.Files {
				c.Files[i] = f.Prefix + c.Files[i]
			}
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil, note
	}
	return NewLog(all), note
}

func noteOf(f Folder, err error) string {
	switch {
	case errors.Is(err, repo.ErrNoGit):
		return "Git is not installed in a usual place, so searches can't use commits."
	case errors.Is(err, context.Canceled):
		return ""
	}
	return "The commits of '" + filepath.Base(f.Path) + "' can't be read completely, so searches can't use " +
		"them. They are read again after the next commit."
}

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

// MaxCommits is how many are read. The last 300 rank changes as well, questions less well; 3,000 rank none better.
const MaxCommits = 1000

const (
	// fresh is how long what was read is good: a commit more or less in a thousand changes hardly an answer. After that,
	// commits are read again if HEAD has moved.
	fresh = time.Minute
	// maxReading bounds one reading, so that a repository on a slow disk is not read for ever.
	maxReading = 10 * time.Second
	// maxNested is how many nested repositories are read, the first in the order given. Together they have as many
	// commits as one, so that a question takes hardly longer, but no fewer than leastNested each.
	maxNested   = 20
	leastNested = 200
)

// Folder is one whose commits are read: if it is in a repository, and a nested one if it is a repository of its own,
// such as a clone in a workspace or a submodule.
type Folder struct {
	Path   string // absolute
	Prefix string // what begins the project's paths of its files
	Nested bool   // it is below another of the project's folders
}

// Source has the Log of a project, read when it is first asked for. It is kept from then on: it takes less than a
// megabyte.
type Source struct {
	ctx     context.Context
	start   func(func()) // runs a goroutine that somebody waits for
	folders func() []Folder
	log     *slog.Logger

	mu      sync.Mutex // leaf
	last    *Log
	heads   []string  // where HEAD was in each folder
	note    string    // why some commits could not be read, for people
	read    time.Time // when last was; zero: it wasn't
	reading bool
}

// NewSource makes the source of a project's folders. Readings end with ctx and are started by start.
func NewSource(ctx context.Context, start func(func()), folders func() []Folder, log *slog.Logger) *Source {
	return &Source{ctx: ctx, start: start, folders: folders, log: log}
}

// Ask returns what was last read, nil if nothing was, and has the commits read behind it if they never were or that is
// long ago. It waits for nothing.
func (s *Source) Ask() *Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.reading && s.ctx.Err() == nil && (s.read.IsZero() || time.Since(s.read) > fresh) {
		s.reading = true
		s.start(s.readAll)
	}
	return s.last
}

// readAll reads the commits of all folders, unless HEAD is where it was.
func (s *Source) readAll() {
	folders := repositories(s.folders())
	heads := headsOf(folders)
	s.mu.Lock()
	log, note, moved := s.last, s.note, !slices.Equal(heads, s.heads)
	s.mu.Unlock()
	if moved { // and not before, so that a repository that ends git does so once
		log, note = s.logOf(folders)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.note, s.heads, s.read = log, note, heads, time.Now()
	s.reading = false
}

// repositories are the folders less those nested ones that are none, or too many.
func repositories(folders []Folder) []Folder {
	nested := 0
	return slices.DeleteFunc(folders, func(f Folder) bool {
		if !f.Nested {
			return false
		}
		if nested == maxNested {
			return true
		}
		_, err := repo.At(f.Path)
		if err == nil {
			nested++
		}
		return err != nil
	})
}

// headsOf says where HEAD is in each folder, and what the folder is called; in one without a repository it is nowhere.
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

// Note says in words which commits could not be read, and why; "" if all were, or none was asked for.
func (s *Source) Note() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.note
}

// logOf reads the commits of all folders. A folder without a history has none, which is no fault.
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

// noteOf says why commits of a folder were not read; that the project was closed meanwhile needs no words.
func noteOf(f Folder, err error) string {
	switch {
	case errors.Is(err, repo.ErrNoGit):
		return "Git is not installed where programs usually are, so what commits say of files is no help for " +
			"searches."
	case errors.Is(err, context.Canceled):
		return ""
	}
	return "The commits of '" + filepath.Base(f.Path) + "' can't be read to their end, so what they say of files is " +
		"no help for searches. They are tried again when there is a new one."
}

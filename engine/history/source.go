package history

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/repo"
)

// MaxCommits is how many are read. The last 300 rank changes as well, questions less well; 3,000 rank none better.
const MaxCommits = 1000

const (
	// fresh is how long what was read is good: a commit more or less in a thousand changes hardly an answer. After that,
	// commits are read again if HEAD has moved.
	fresh = time.Minute
	// firstWait is how long the first question waits for the commits, which mostly are there in that time.
	firstWait = 500 * time.Millisecond
	// maxReading bounds one reading, so that a repository on a slow disk is not read for ever.
	maxReading = 10 * time.Second
)

// Source has the Log of a project, read when it is first asked for. It is kept from then on, as it takes less than a
// megabyte and the next question would wait for it.
type Source struct {
	ctx   context.Context
	start func(func()) // runs a goroutine that somebody waits for
	roots func() []api.Root
	log   *slog.Logger

	mu      sync.Mutex // leaf
	last    *Log
	heads   []string      // where HEAD was in each folder
	read    time.Time     // when last was; zero: it wasn't
	reading chan struct{} // closed when the reading under way has ended; nil: there is none
}

// NewSource makes the source of a project's folders. Readings end with ctx and are started by start.
func NewSource(ctx context.Context, start func(func()), roots func() []api.Root, log *slog.Logger) *Source {
	return &Source{ctx: ctx, start: start, roots: roots, log: log}
}

// Ask returns the answer to one question, and has the commits read if they never were or that is long ago.
func (s *Source) Ask(ctx context.Context) *Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reading == nil && s.ctx.Err() == nil && (s.read.IsZero() || time.Since(s.read) > fresh) {
		s.reading = make(chan struct{})
		s.start(s.readAll)
	}
	a := &Answer{source: s, ctx: ctx}
	if s.read.IsZero() {
		a.reading = s.reading
	}
	return a
}

// Answer is what a Source has for one question. Other work of the question is best done before it is asked for files.
type Answer struct {
	source  *Source
	ctx     context.Context
	reading chan struct{} // what is waited for; nil: there is something to answer from
}

// Files is Log.Files of what was last read; only where nothing ever was it waits for the reading, for a moment.
func (a *Answer) Files(words []string) map[string]float64 {
	if a.reading != nil {
		wait, stop := context.WithTimeout(a.ctx, firstWait)
		defer stop()
		select {
		case <-a.reading:
		case <-wait.Done():
		}
	}
	a.source.mu.Lock()
	log := a.source.last
	a.source.mu.Unlock()
	if log == nil {
		return nil
	}
	return log.Files(words)
}

// readAll reads the commits of all folders, unless HEAD is where it was.
func (s *Source) readAll() {
	roots := s.roots()
	heads := headsOf(roots)
	s.mu.Lock()
	log, moved := s.last, !slices.Equal(heads, s.heads)
	s.mu.Unlock()
	if moved {
		log = s.logOf(roots)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.heads, s.read = log, heads, time.Now()
	close(s.reading)
	s.reading = nil
}

// headsOf says where HEAD is in each folder, and what the folder is called; in one without a repository it is nowhere.
func headsOf(roots []api.Root) []string {
	var heads []string
	for _, root := range roots {
		at := ""
		if git, err := repo.Above(root.Path); err == nil {
			if h, err := git.Head(); err == nil {
				at = h.String()
			}
		}
		heads = append(heads, root.Name+" "+root.Path+" "+at)
	}
	return heads
}

// logOf reads the commits of all folders. A folder without a history has none, which is no fault.
func (s *Source) logOf(roots []api.Root) *Log {
	ctx, stop := context.WithTimeout(s.ctx, maxReading)
	defer stop()
	var all []repo.Commit
	for _, root := range roots {
		commits, err := repo.Commits(ctx, root.Path, MaxCommits)
		if err != nil && !errors.Is(err, repo.ErrNone) {
			s.log.Info("git history not read to its end", "folder", root.Path, "commits", len(commits), "err", err)
		}
		for _, c := range commits {
			if root.Name != "" {
				for i, f := range c.Files {
					c.Files[i] = "@" + root.Name + "/" + f
				}
			}
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return NewLog(all)
}

package project

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"searchmcp/engine/api"
	"searchmcp/engine/files/glob"
	"searchmcp/engine/files/repo"
	"searchmcp/engine/index"
	"searchmcp/engine/search"
)

// tracked caches the paths of files that Git tracks, but that are excluded from the index, such as source files in
// build/.
type tracked struct {
	group singleflight.Group
	made  atomic.Pointer[trackedList]
}

type trackedList struct {
	of    trackedOf
	paths []string
}

type trackedOf struct {
	tree *index.Tree // its rules exclude files
	seen string      // sizes and modification times of Git's index files
}

const (
	maxTracked  = 10_000           // maximum number of cached paths
	maxNamed    = 5                // maximum number of paths in a note
	trackedWait = time.Second      // maximum time for which a query waits for the list of paths
	trackedTime = 10 * time.Second // maximum time for listing the paths
)

// latest returns the list of paths for state. An outdated list is updated in the background, for which latest waits at
// most trackedWait. projectCtx ends when the project is closed.
func (t *tracked) latest(ctx, projectCtx context.Context, state trackedOf,
	makeList func(context.Context) []string) []string {
	made := t.made.Load()
	if made == nil || made.of != state {
		done := t.group.DoChan("", func() (any, error) {
			ctx, cancel := context.WithTimeout(projectCtx, trackedTime)
			defer cancel()
			t.made.Store(&trackedList{state, makeList(ctx)})
			return nil, nil
		})
		select {
		case <-done:
		case <-time.After(trackedWait):
		case <-ctx.Done():
		}
		if made = t.made.Load(); made == nil {
			return nil
		}
	}
	return made.paths
}

func (p *Project) leftOut(ctx context.Context) []string {
	tree, seen := p.actor.Tree(), ""
	repositories := map[string]repo.Git{}
	for prefix, policy := range tree.Policies() {
		g, err := repo.Above(policy.Root())
		if err != nil {
			continue
		}
		if info, err := os.Stat(g.Index()); err == nil {
			repositories[prefix] = g
			seen += fmt.Sprint(prefix, info.Size(), info.ModTime().UnixNano(), "\n")
		}
	}
	return p.tracked.latest(ctx, p.ctx, trackedOf{tree, seen}, func(ctx context.Context) (paths []string) {
		for prefix, policy := range tree.Policies() {
			g, ok := repositories[prefix]
			if !ok {
				continue
			}
			err := g.Tracked(ctx, policy.Root(), func(file string) {
				reason := policy.Path(file)
				above := policy.Dir(path.Dir(file))
				if (reason == api.SkipIgnored || above == api.SkipDenied) && len(paths) < maxTracked {
					paths = append(paths, prefix+file)
				}
			})
			if err != nil {
				p.log.Debug("tracked files not listed", "root", policy.Root(), "err", err)
			}
		}
		return paths
	})
}

// trackedNote returns a note about files that Git tracks, but that are excluded from the index. It considers only paths
// for which match returns true.
func (p *Project) trackedNote(ctx context.Context, match func(path string) bool) string {
	var names []string
	files := map[string]int{}
	for _, file := range p.leftOut(ctx) {
		if !match(file) {
			continue
		}
		name, _ := p.outermost(file)
		if name == "" {
			continue // no longer excluded
		}
		if files[name]++; files[name] == 1 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	var described []string
	for _, name := range names[:min(len(names), maxNamed)] {
		_, why := p.outermost(name)
		if n := files[name]; n > 1 {
			name = fmt.Sprintf("%s (%d files)", name, n)
		}
		described = append(described, name+": "+why)
	}
	if more := len(names) - maxNamed; more > 0 {
		described = append(described, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("Tracked by Git but not in the index: %s.", strings.Join(described, "; "))
}

// outermost returns the topmost excluded folder that contains the file, and the reason for the exclusion. If only the
// file is excluded, it returns file.
func (p *Project) outermost(file string) (name, why string) {
	tree := p.actor.Tree()
	for end := 0; end < len(file); {
		n := strings.IndexByte(file[end:], '/')
		if n < 0 {
			if reason := tree.Path(file); reason != api.SkipNone {
				return file, reason.InWords()
			}
			return "", ""
		}
		if reason := tree.Dir(file[:end+n]); reason != api.SkipNone {
			return file[:end+n+1], reason.InWords()
		}
		end += n + 1
	}
	return "", ""
}

// missing returns notes that explain why a search has no results. pattern limits the search to some paths, or is "".
func (p *Project) missing(ctx context.Context, pattern string) []string {
	return append(p.notRead(), p.notIndexed(ctx, pattern)...)
}

func (p *Project) notRead() (notes []string) {
	snap := p.Snapshot()
	if n := snap.Skipped[api.SkipUnreadable]; n > 0 {
		notes = append(notes, fmt.Sprintf("%d files of this project can't be read, such as %s.", n,
			strings.Join(snap.Examples[api.SkipUnreadable], ", ")))
	}
	if snap.Pending > 0 && p.actor.Config().IndexingStrategy == api.Git {
		notes = append(notes, fmt.Sprintf("%d changed files will be indexed with the next commit (strategy 'git').",
			snap.Pending))
	}
	return notes
}

// notIndexed returns a note if the files that match pattern are missing or excluded.
func (p *Project) notIndexed(ctx context.Context, pattern string) []string {
	match := func(string) bool { return true }
	if pattern != "" {
		named := pattern
		if at := strings.IndexAny(named, glob.Meta); at >= 0 {
			named = named[:strings.LastIndexByte(named[:at], '/')+1]
		} else if at, err := p.actor.Tree().Absolute(named); err == nil {
			if info, err := os.Lstat(at); err == nil && info.IsDir() {
				named = strings.TrimSuffix(named, "/") + "/"
			}
		}
		switch name, why := p.outermost(named); {
		case name != "" && p.exists(name):
			return []string{fmt.Sprintf("%s is not in the index: %s.", name, why)}
		case name == "" && strings.HasSuffix(named, "/") && !p.exists(named):
			return []string{fmt.Sprintf("There is no folder %s in this project.", named)}
		}
		if g, err := glob.Compile(pattern); err == nil {
			match = g.Match
		}
	}
	if note := p.trackedNote(ctx, match); note != "" {
		return []string{note}
	}
	if pattern != "" && !p.hasFile(pattern) {
		return []string{fmt.Sprintf("No indexed file matches the path %s.", pattern)}
	}
	return nil
}

func (p *Project) hasFile(pattern string) bool {
	names := p.overlay()
	defer names.release()
	match, err := search.PathFilter(known{names}, pattern)
	return err != nil || match == nil || slices.ContainsFunc(names.Paths(api.CorpusCode), match) ||
		slices.ContainsFunc(names.Paths(api.CorpusDocs), match)
}

func (p *Project) exists(name string) bool {
	at, err := p.actor.Tree().Absolute(strings.TrimSuffix(name, "/"))
	if err != nil {
		return false
	}
	_, err = os.Lstat(at)
	return err == nil
}

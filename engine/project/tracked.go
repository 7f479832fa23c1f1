package project

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/glob"
	"searchmcp/engine/files/repo"
	"searchmcp/engine/index"
	"searchmcp/engine/search"
)

// tracked are the files that git tracks and a rule on names leaves out: sources below build/, files that a .gitignore
// names. Whoever looks for one is told.
type tracked struct {
	mu     sync.Mutex
	of     trackedOf // that the paths are of
	paths  []string
	making chan struct{} // closed when another list is there; nil: none is being made
}

// trackedOf is what a list depends on.
type trackedOf struct {
	tree *index.Tree // whose rules it is of
	seen string      // the state of git's indexes
}

// Bounds on what is said of them, and on how long git may take and a question waits for it.
const (
	maxTracked  = 10_000 // that are kept: a folder of dependencies has more
	maxToldOf   = 5
	trackedWait = time.Second
	trackedTime = 10 * time.Second
)

// latest is the list of what is so now, made if it has changed and once for all who ask meanwhile. Who has waited long
// enough gets the one before. A list outlives the question that it was begun for.
func (t *tracked) latest(ctx, life context.Context, of trackedOf, list func(context.Context) []string) []string {
	t.mu.Lock()
	if t.of != of && t.making == nil {
		made := make(chan struct{})
		t.making = made
		go func() {
			ctx, cancel := context.WithTimeout(life, trackedTime)
			defer cancel()
			paths := list(ctx)
			t.mu.Lock()
			defer t.mu.Unlock()
			t.of, t.paths, t.making = of, paths, nil
			close(made)
		}()
	}
	making := t.making
	t.mu.Unlock()
	if making != nil {
		ctx, cancel := context.WithTimeout(ctx, trackedWait)
		defer cancel()
		select {
		case <-making:
		case <-ctx.Done():
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.paths
}

// leftOut lists them. A repository that can't be read has none.
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

// trackedNote names those that match, at most maxToldOf; "" for none.
func (p *Project) trackedNote(ctx context.Context, match func(path string) bool) string {
	var names []string
	files := map[string]int{}
	for _, file := range p.leftOut(ctx) {
		if !match(file) {
			continue
		}
		name, _ := p.outermost(file)
		if name == "" {
			continue // an ignore file has changed since
		}
		if files[name]++; files[name] == 1 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	var told []string
	for _, name := range names[:min(len(names), maxToldOf)] {
		_, why := p.outermost(name)
		if n := files[name]; n > 1 {
			name = fmt.Sprintf("%s (%d files)", name, n)
		}
		told = append(told, name+": "+why)
	}
	if more := len(names) - maxToldOf; more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("Git tracks what is not in the index: %s.", strings.Join(told, "; "))
}

// outermost is the file or folder by which a path is left out, and why; "" if no rule leaves it out.
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

// missing says of a question that found nothing what it could not find: the place that its pattern names, where a rule
// leaves that out, else the files that git tracks.
func (p *Project) missing(ctx context.Context, pattern string) []string {
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

// hasFile reports whether an indexed file matches pattern as the searches read it.
func (p *Project) hasFile(pattern string) bool {
	names := p.overlay()
	defer names.release()
	match, err := search.PathFilter(known{names}, pattern)
	return err != nil || match == nil || slices.ContainsFunc(names.Paths(api.CorpusCode), match) ||
		slices.ContainsFunc(names.Paths(api.CorpusDocs), match)
}

// exists reports whether there is something of that path in the project's folders.
func (p *Project) exists(name string) bool {
	at, err := p.actor.Tree().Absolute(strings.TrimSuffix(name, "/"))
	if err != nil {
		return false
	}
	_, err = os.Lstat(at)
	return err == nil
}

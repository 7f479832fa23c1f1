package project

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/glob"
	"searchmcp/engine/files/repo"
	"searchmcp/engine/index"
)

// tracked are the files that git tracks and a rule on names leaves out: sources below build/, files that a .gitignore
// names. Whoever looks for one is told.
type tracked struct {
	mu    sync.Mutex
	tree  *index.Tree // whose rules the rest is of
	seen  string      // the state of git's indexes
	paths []string
}

// Bounds on what is said of them, and on how long a question waits for git.
const (
	maxTracked  = 10_000 // that are kept: a folder of dependencies has more
	maxToldOf   = 5
	trackedTime = time.Second
)

// leftOut lists them. A repository that can't be read has none.
func (p *Project) leftOut(ctx context.Context) []string {
	t, tree, seen := &p.tracked, p.actor.Tree(), ""
	t.mu.Lock()
	defer t.mu.Unlock()
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
	if t.tree == tree && t.seen == seen {
		return t.paths
	}
	ctx, cancel := context.WithTimeout(ctx, trackedTime)
	defer cancel()
	t.tree, t.seen, t.paths = tree, seen, nil
	for prefix, policy := range tree.Policies() {
		g, ok := repositories[prefix]
		if !ok {
			continue
		}
		err := g.Tracked(ctx, policy.Root(), func(file string) {
			reason := policy.Path(file)
			above := policy.Dir(path.Dir(file))
			if (reason == api.SkipIgnored || above == api.SkipDenied) && len(t.paths) < maxTracked {
				t.paths = append(t.paths, prefix+file)
			}
		})
		if err != nil {
			p.log.Debug("tracked files not listed", "root", policy.Root(), "err", err)
		}
	}
	return t.paths
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
	return nil
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

package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/api"
)

type dirState struct {
	reason     api.Reason // reason for skipping the folder, or SkipNone
	git        *scope
	search     *scope
	repo       *repo
	depth      int
	included   bool   // config.include matches all files in the folder
	ignoredDir string // first ignored folder of the path, or ""
	docs       bool   // docPatterns match all files in the folder
}

type cache struct {
	mu       sync.RWMutex // leaf
	dirs     map[string]*dirState
	names    map[string]listing
	outside  []string
	problems []error
}

type listing struct {
	modTime time.Time
	names   map[string]bool
}

// maxCached limits the number of cached folders. A project of 50,000 files has about 10,000 folders.
const maxCached = 1 << 17

func newCache() *cache {
	return &cache{dirs: map[string]*dirState{}, names: map[string]listing{}}
}

func (c *cache) get(key string) *dirState {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.dirs[key]
}

func (c *cache) put(key string, st *dirState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.dirs) >= maxCached {
		clear(c.dirs)
	}
	c.dirs[key] = st
}

func (c *cache) problem(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.problems) < 100 {
		c.problems = append(c.problems, err)
	}
}

func (c *cache) noteOutside(file string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.outside, file) {
		c.outside = append(c.outside, file)
	}
}

func (p *Policy) state(key string) *dirState {
	c := p.cache.Load()
	if st := c.get(key); st != nil {
		return st
	}
	return p.loadState(c, key, nil, nil)
}

// loadState computes the rules for a folder and caches the result. Without an open folder, the rules depend only on the
// path.
func (p *Policy) loadState(c *cache, key string, d *folder, names map[string]bool) *dirState {
	var st *dirState
	if key == "." {
		st = &dirState{included: p.include.all()}
		if p.ownData("") {
			st.reason = api.SkipOwnData
		} else if p.rules.RespectGitignore {
			p.outerRules(c, st)
		}
	} else {
		parent := c.get(path.Dir(key))
		if parent == nil {
			parent = p.loadState(c, path.Dir(key), nil, nil)
		}
		if parent.reason != api.SkipNone {
			return parent
		}
		st = p.enter(parent, key)
	}
	if st.reason == api.SkipNone {
		if d == nil {
			opened, err := p.openDir(key)
			if err != nil {
				if api.CodeOf(err) == api.SymlinkNotAllowed {
					st.reason = api.SkipSymlink
				}
				return st
			}
			defer opened.Close()
			d = opened
		}
		p.load(c, st, key, d, names)
	}
	c.put(key, st)
	return st
}

func (p *Policy) enter(parent *dirState, key string) *dirState {
	st := *parent
	st.depth++
	base := path.Base(key)
	switch {
	case st.depth > MaxDepth:
		st.reason = api.SkipDepth
	case p.ownData(key):
		st.reason = api.SkipOwnData
	case deniedName(base, true, p.fold):
		st.reason = api.SkipDenied
	case p.exclude.match(key, true):
		st.reason = api.SkipExcluded
	case p.ignored(parent, key, base, true):
		st.reason = api.SkipIgnored
	}
	if st.ignoredDir == "" && parent.git.match(key, base, true) == ignored {
		st.ignoredDir = key
	}
	if st.ignoredDir != "" && p.include.matchPrefixed(st.ignoredDir, key, false) {
		st.ignoredDir = ""
	}
	st.included = st.included || p.include.match(key, true)
	st.docs = st.docs || p.docs.match(key, true)
	if st.reason == api.SkipNone && !st.included && !p.include.reaches(key) {
		st.reason = api.SkipNotInclude
	}
	return &st
}

func (p *Policy) ignored(st *dirState, key, base string, dir bool) bool {
	if st.search.match(key, base, dir) == ignored {
		return true
	}
	if st.ignoredDir != "" {
		return !p.include.matchPrefixed(st.ignoredDir, key, dir) && !p.named(key, dir)
	}
	return st.git.match(key, base, dir) == ignored && !p.named(key, dir)
}

func (p *Policy) named(key string, dir bool) bool {
	if dir {
		return p.include.leads(key)
	}
	return p.include.names(key)
}

func (p *Policy) load(c *cache, st *dirState, key string, d *folder, names map[string]bool) {
	has := func(name string) bool { return names == nil || names[name] }
	if has(lockOfData) && has(indexesOfData) && d.containsData() {
		st.reason = api.SkipOwnData
		return
	}
	if has("HEAD") && has("objects") && has("refs") && d.isRepository() {
		st.reason = api.SkipDenied
		return
	}
	down := 0
	if key != "." {
		down = len(key) + 1
	}
	if p.rules.RespectGitignore {
		if key != "." && has(".git") {
			if inner := c.openRepo(filepath.Join(p.root, d.disk), "", down, p.fold); inner != nil {
				if st.repo != nil && inner.common == st.repo.common && !p.include.leads(key) {
					st.reason = api.SkipCheckout // another working tree of the same repository
					return
				}
				st.repo, st.git = inner, inner.base
			}
		}
		if has(".gitignore") {
			st.git = p.own(c, st.git, d, ".gitignore", down)
		}
	}
	if has(searchIgnore) {
		st.search = p.own(c, st.search, d, searchIgnore, down)
	}
}

const searchIgnore = ".searchignore"

// own returns the rules of a folder's ignore file, followed by parent. If the ignore file is unreadable, all files in
// the folder are ignored.
func (p *Policy) own(c *cache, parent *scope, d *folder, name string, down int) *scope {
	data, _, err := d.read(name, maxIgnoreFile+1)
	if err == nil && len(data) > maxIgnoreFile {
		err = errLongIgnore
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return parent
		}
		c.problem(fmt.Errorf("read ignore file %s: %w", path.Join(d.disk, name), err))
		if name != searchIgnore && api.CodeOf(err) == api.SymlinkNotAllowed {
			return parent
		}
		data = ignoreAll
	}
	return withList(parent, data, "", down, p.fold)
}

// outerRules loads the rules of the root's repository and of the folders above the root.
func (p *Policy) outerRules(c *cache, st *dirState) {
	if st.repo = c.openRepo(p.root, "", 0, p.fold); st.repo != nil {
		st.git = st.repo.base
		return
	}
	top, common := filepath.Dir(p.root), ""
	for {
		var err error
		if _, common, err = GitDir(top); err == nil {
			break
		}
		if filepath.Dir(top) == top {
			st.git = c.external(c.excludesFile("", ""), "", 0, p.fold, nil)
			return
		}
		top = filepath.Dir(top)
	}
	rel, err := filepath.Rel(top, p.root)
	if err != nil {
		return
	}
	up := norm.NFC.String(filepath.ToSlash(rel)) + "/"
	st.repo = c.openRepo(top, up, 0, p.fold)
	if st.repo == nil {
		return
	}
	st.git = st.repo.base
	dir := top
	for {
		st.git = c.external(filepath.Join(dir, ".gitignore"), up, 0, p.fold, st.git)
		part, rest, _ := strings.Cut(up, "/")
		if above(st.git, strings.TrimSuffix(up[len(part):], "/")).match("", part, true) == ignored {
			st.repo = &repo{common: common}
			st.git = c.external(c.excludesFile("", ""), "", 0, p.fold, nil)
			return
		}
		if rest == "" {
			return
		}
		dir, up = filepath.Join(dir, part), rest
	}
}

func above(s *scope, tail string) *scope {
	if s == nil {
		return nil
	}
	l := *s.list
	l.up = strings.TrimSuffix(strings.TrimSuffix(l.up, "/"), tail)
	return &scope{list: &l, parent: above(s.parent, tail)}
}

// foldsCase reports whether the file system at root ignores case. It looks up root's name with its case swapped.
func foldsCase(root string) bool {
	base := filepath.Base(root)
	other := strings.Map(func(r rune) rune {
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r ^ 0x20
		}
		return r
	}, base)
	if other == base {
		return foldsByDefault
	}
	mine, err := os.Lstat(root)
	if err != nil {
		return foldsByDefault
	}
	theirs, err := os.Lstat(filepath.Join(filepath.Dir(root), other))
	if err != nil {
		return foldsByDefault && !errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(mine, theirs)
}

package policy

import (
	"cmp"
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
)

// ErrRootGone reports that the root is missing, not a folder, or unreadable.
var ErrRootGone = errors.New("project folder is missing or unreadable")

// ErrLocked reports that another program has locked a part of the file, on Windows.
var ErrLocked = errors.New("another program has locked the file")

type Policy struct {
	root    string
	rules   api.Config
	include globs
	exclude globs
	docs    globs
	fold    bool // the file system ignores case
	cache   atomic.Pointer[cache]
	seen    atomic.Pointer[os.FileInfo] // file info of the root before it became empty
}

// New returns the policy of root, a path returned by scan.CanonicalRoot, with the settings of c. It returns
// INVALID_PATTERN for an invalid glob.
func New(root string, c api.Config) (*Policy, error) {
	p := &Policy{root: root, rules: c, fold: foldsCase(root)}
	var errs [3]error
	p.include, errs[0] = compileGlobs(c.Include, p.fold)
	p.exclude, errs[1] = compileGlobs(c.Exclude, p.fold)
	p.docs, errs[2] = compileGlobs(c.DocPatterns, true)
	if err := cmp.Or(errs[:]...); err != nil {
		return nil, err
	}
	p.cache.Store(newCache())
	return p, nil
}

func (p *Policy) Root() string { return p.root }

func (p *Policy) Rules() api.Config { return p.rules }

func (p *Policy) Refresh() { p.cache.Store(newCache()) }

// Problems returns the errors of reading ignore files since the last Refresh.
func (p *Policy) Problems() []error {
	c := p.cache.Load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.problems)
}

// ExternalIgnoreFiles returns the absolute paths of ignore files and git configurations outside the root. Some files
// may not exist.
func (p *Policy) ExternalIgnoreFiles() []string {
	p.state(".")
	c := p.cache.Load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.outside)
}

// Dir returns the reason for skipping the folder at rel, or SkipNone.
func (p *Policy) Dir(rel string) api.Reason {
	key, ok := Key(rel)
	if !ok {
		return api.SkipPath
	}
	return p.state(key).reason
}

// DirNow is like Dir, but reads the rules again, and drops outdated rules from the cache.
func (p *Policy) DirNow(rel string) api.Reason {
	key, ok := Key(rel)
	if !ok {
		return api.SkipPath
	}
	now := p.loadState(newCache(), key, nil, nil).reason
	if now != p.state(key).reason {
		p.Refresh()
	}
	return now
}

// Path returns the reason for skipping the file at rel, or SkipNone. It checks only the path, so the file may be
// missing.
func (p *Policy) Path(rel string) api.Reason {
	key, ok := Key(rel)
	if !ok || key == "." {
		return api.SkipPath
	}
	st := p.state(path.Dir(key))
	if r := p.beforeSize(st, key); r != api.SkipNone {
		return r
	}
	return p.afterSize(st, key)
}

func (p *Policy) beforeSize(st *dirState, key string) api.Reason {
	base := path.Base(key)
	switch {
	case st.reason != api.SkipNone:
		return st.reason
	case deniedName(base, false, p.fold):
		return api.SkipDenied
	case Secret(key) && !p.include.names(key):
		return api.SkipSecret
	case p.exclude.match(key, false):
		return api.SkipExcluded
	case p.ignored(st, key, base, false):
		return api.SkipIgnored
	case binaryName(base):
		return api.SkipBinary
	}
	return api.SkipNone
}

func (p *Policy) afterSize(st *dirState, key string) api.Reason {
	if !st.included && !p.include.match(key, false) {
		return api.SkipNotInclude
	}
	if !p.rules.IndexDocs && p.isDoc(st, key) {
		return api.SkipDocsOff
	}
	return api.SkipNone
}

// isDoc reports whether a file matches docPatterns.
func (p *Policy) isDoc(st *dirState, key string) bool {
	if !st.docs && !p.docs.match(key, false) {
		return false
	}
	l := lang.OfFile(key, nil)
	return l == "" || lang.Of(l).Category != lang.Code ||
		!slices.Equal(p.rules.DocPatterns, api.DefaultConfig().DocPatterns)
}

// Corpus returns CorpusDocs for files that match docPatterns, and CorpusCode for other files.
func (p *Policy) Corpus(rel string) api.Corpus {
	key, ok := Key(rel)
	if ok && key != "." && p.isDoc(p.state(path.Dir(key)), key) {
		return api.CorpusDocs
	}
	return api.CorpusCode
}

// IsIgnoreFile reports whether a change of the file at rel can change the set of indexed files.
func (p *Policy) IsIgnoreFile(rel string) bool {
	switch path.Base(rel) {
	case searchIgnore:
		return true
	case ".gitignore", ".git":
		return p.rules.RespectGitignore
	case "exclude":
		return p.rules.RespectGitignore && strings.HasSuffix("/"+rel, "/.git/info/exclude")
	case "config":
		return p.rules.RespectGitignore && strings.HasSuffix("/"+rel, "/.git/config")
	case lockOfData, indexesOfData:
		d, err := p.openDir(path.Dir(rel))
		if err != nil {
			return false
		}
		defer d.Close()
		return d.containsData()
	}
	return false
}

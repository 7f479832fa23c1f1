package policy

import (
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
)

// Rules is the part of a project's configuration that decides about files.
type Rules struct {
	Include, Exclude []string
	RespectGitignore bool
	MaxFileSize      int64 // bytes; 0 or less means the RFC's 1 MB
	DocPatterns      []string
	IndexDocs        bool
}

// RulesOf returns the rules of a configuration.
func RulesOf(c api.Config) Rules {
	return Rules{
		Include: c.Include, Exclude: c.Exclude, RespectGitignore: c.RespectGitignore,
		MaxFileSize: c.MaxFileSize, DocPatterns: c.DocPatterns, IndexDocs: c.IndexDocs,
	}
}

// ErrRootGone says that the root is missing, is no folder or can't be read: nothing is known about any file.
var ErrRootGone = errors.New("project folder is missing or unreadable")

// ErrHeld says that another program has a file or a part of it to itself for now. Windows alone knows such a thing.
var ErrHeld = errors.New("another program keeps the file to itself")

// Policy decides about the files of one root.
type Policy struct {
	root    string
	rules   Rules
	include globs
	exclude globs
	docs    globs
	fold    bool // the file system ignores case
	cache   atomic.Pointer[cache]
	seen    atomic.Pointer[os.FileInfo] // the root when it last had something in it
}

// New makes the policy of a root, an absolute path as scan.CanonicalRoot gives it. A bad glob is INVALID_PATTERN.
func New(root string, r Rules) (*Policy, error) {
	p := &Policy{root: root, rules: r, fold: foldsCase(root)}
	if p.rules.MaxFileSize <= 0 {
		p.rules.MaxFileSize = api.DefaultConfig().MaxFileSize
	}
	var err error
	if p.include, err = compileGlobs(r.Include, p.fold); err != nil {
		return nil, err
	}
	if p.exclude, err = compileGlobs(r.Exclude, p.fold); err != nil {
		return nil, err
	}
	if p.docs, err = compileGlobs(r.DocPatterns, true); err != nil {
		return nil, err
	}
	p.cache.Store(newCache())
	return p, nil
}

// Root is the folder the policy is about.
func (p *Policy) Root() string { return p.root }

// Rules are those the policy was made with.
func (p *Policy) Rules() Rules { return p.rules }

// Refresh drops the cached rules of ignore files.
func (p *Policy) Refresh() { p.cache.Store(newCache()) }

// Problems tells which ignore files could not be read since the last Refresh; what they could leave out is left out.
func (p *Policy) Problems() []error {
	c := p.cache.Load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.problems)
}

// Outside lists the ignore files that lie where no walker goes (absolute paths, some may not exist):
// core.excludesFile, info/exclude, .gitignore above the root. A watcher answers their change with Refresh and a
// rescan.
func (p *Policy) Outside() []string {
	p.state(".")
	c := p.cache.Load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.outside)
}

// Dir says by path rules alone whether a walker may descend into a folder and a watcher watch it.
func (p *Policy) Dir(rel string) api.Reason {
	key, ok := keyOf(rel)
	if !ok {
		return api.SkipPath
	}
	return p.state(key).reason
}

// DirNow says the same of a folder as it is at this moment: a checkout may stand in it of which no watcher has told.
func (p *Policy) DirNow(rel string) api.Reason {
	key, ok := keyOf(rel)
	if !ok {
		return api.SkipPath
	}
	now := p.findOut(newCache(), key, nil, nil).reason
	if now != p.state(key).reason {
		p.Refresh()
	}
	return now
}

// Path says by path rules alone whether a file is indexed. Folders above it are looked at for ignore files and symbolic
// links; the file itself need not exist.
func (p *Policy) Path(rel string) api.Reason {
	key, ok := keyOf(rel)
	if !ok || key == "." {
		return api.SkipPath
	}
	st := p.state(path.Dir(key))
	if r := p.beforeSize(st, key); r != api.SkipNone {
		return r
	}
	return p.afterSize(st, key)
}

// beforeSize applies RFC 5.2's steps 1 to 4 to a file, which precede the check of its size.
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

// afterSize applies the steps that follow the check of the size: include, then the switch for documents.
func (p *Policy) afterSize(st *dirState, key string) api.Reason {
	if !st.included && !p.include.match(key, false) {
		return api.SkipNotInclude
	}
	if !p.rules.IndexDocs && p.isDoc(st, key) {
		return api.SkipDocsOff
	}
	return api.SkipNone
}

// isDoc reports whether a file matches docPatterns. The default patterns mean prose: what is code by its name, such as
// CMakeLists.txt, is none.
func (p *Policy) isDoc(st *dirState, key string) bool {
	if !st.docs && !p.docs.match(key, false) {
		return false
	}
	l := lang.OfFile(key, nil)
	return l == "" || lang.Of(l).Sort != lang.Code || !slices.Equal(p.rules.DocPatterns, api.DefaultConfig().DocPatterns)
}

// Corpus tells which half of the index a file belongs to: those that match docPatterns are documents.
func (p *Policy) Corpus(rel string) api.Corpus {
	key, ok := keyOf(rel)
	if ok && key != "." && p.isDoc(p.state(path.Dir(key)), key) {
		return api.CorpusDocs
	}
	return api.CorpusCode
}

// IsIgnoreFile reports whether a change of the file can change what is indexed: ignore files, a repository's exclude
// file and configuration, and .git itself, which begins or ends a repository's rules.
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
	}
	return false
}

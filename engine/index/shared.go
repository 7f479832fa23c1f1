package index

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/watch"
)

// SharedLookup must be safe for concurrent use.
type SharedLookup func(corpus api.Corpus, path, hash string) bool

// SetShared leaves the files that has reports to a shared index; nil removes it. Indexed files change with the next
// RescanContents.
func (a *Actor) SetShared(has SharedLookup) {
	if has == nil {
		a.shared.Store(nil)
		return
	}
	a.shared.Store(&has)
}

func (a *Actor) SetSharing(s *api.SharedIndex) { a.change(func(f *status) { f.sharing = s }) }

func (a *Actor) leftToShared(corpus api.Corpus, path, hash string) bool {
	has := a.shared.Load()
	return has != nil && !a.forceReindex.Load() && (*has)(corpus, path, hash)
}

// MatchesShared: the shared index contains the file's current content, of stamp now.
func (a *Actor) MatchesShared(path string, now policy.Stamp) bool {
	has := a.shared.Load()
	if has == nil {
		return false
	}
	hash, ok := a.skips.shared(path, now)
	return ok && (*has)(a.tree.Load().Corpus(path), path, hash)
}

// RescanContents reads every file, and indexes content that neither index has.
func (a *Actor) RescanContents(ctx context.Context) error {
	return a.Update(ctx, watch.Batch{Rescan: true, Full: true, Cause: watch.CausePolicy})
}

package index

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/watch"
)

// SharedLookup reports whether a shared index has a path with that content. It is called from many goroutines.
type SharedLookup func(corpus api.Corpus, path, hash string) bool

// SetShared overlays the project's own index on a shared one: files whose content the shared index has are left to it.
// nil removes the overlay. Files that are indexed already follow with the next RescanContents.
func (a *Actor) SetShared(has SharedLookup) {
	if has == nil {
		a.shared.Store(nil)
		return
	}
	a.shared.Store(&has)
}

// SetSharing sets the shared index's state in the snapshot, nil for none.
func (a *Actor) SetSharing(s *api.SharedIndex) { a.change(func(f *status) { f.sharing = s }) }

// leftToShared reports whether the shared index has the content that was just read.
func (a *Actor) leftToShared(corpus api.Corpus, path, hash string) bool {
	has := a.shared.Load()
	return has != nil && !a.forceReindex.Load() && (*has)(corpus, path, hash)
}

// MatchesShared reports whether a file's content, as of its stamp now, is what the shared index has for it.
func (a *Actor) MatchesShared(path string, now policy.Stamp) bool {
	has := a.shared.Load()
	if has == nil {
		return false
	}
	hash, ok := a.skips.shared(path, now)
	return ok && (*has)(a.tree.Load().Corpus(path), path, hash)
}

// RescanContents reads and hashes every file and indexes those whose content neither the project's own nor the shared
// index has. It is needed when the shared index has changed.
func (a *Actor) RescanContents(ctx context.Context) error {
	return a.Update(ctx, watch.Batch{Rescan: true, Full: true, Cause: watch.CausePolicy})
}

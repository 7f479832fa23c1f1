package index

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/watch"
)

// SharedLookup reports whether a shared index contains a path with the given content. It must be safe for concurrent
// use.
type SharedLookup func(corpus api.Corpus, path, hash string) bool

// SetShared overlays the project's own index on a shared index, whose files are then not indexed here. If has is nil,
// SetShared removes the overlay. For files that are already indexed, the change takes effect with the next
// RescanContents.
func (a *Actor) SetShared(has SharedLookup) {
	if has == nil {
		a.shared.Store(nil)
		return
	}
	a.shared.Store(&has)
}

// SetSharing sets the state of the shared index in the snapshot, or nil if the project has none.
func (a *Actor) SetSharing(s *api.SharedIndex) { a.change(func(f *status) { f.sharing = s }) }

// leftToShared reports whether the shared index contains content that was just read.
func (a *Actor) leftToShared(corpus api.Corpus, path, hash string) bool {
	has := a.shared.Load()
	return has != nil && !a.forceReindex.Load() && (*has)(corpus, path, hash)
}

// MatchesShared reports whether the shared index contains the current content of a file. now is the current stamp.
func (a *Actor) MatchesShared(path string, now policy.Stamp) bool {
	has := a.shared.Load()
	if has == nil {
		return false
	}
	hash, ok := a.skips.shared(path, now)
	return ok && (*has)(a.tree.Load().Corpus(path), path, hash)
}

// RescanContents indexes the files whose content is neither in the project's own index nor in the shared index, after a
// change of the shared index. It reads every file.
func (a *Actor) RescanContents(ctx context.Context) error {
	return a.Update(ctx, watch.Batch{Rescan: true, Full: true, Cause: watch.CausePolicy})
}

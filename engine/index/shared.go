package index

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/watch"
)

// SharedLookup reports whether a shared index contains the file path with the given content hash. It must be safe for
// concurrent use.
type SharedLookup func(corpus api.Corpus, path, hash string) bool

// SetShared sets the shared index, or none if has is nil. If has returns true for a file, the file is left to it. The
// next RescanContents changes the project's own index accordingly.
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

// MatchesShared reports whether the shared index contains the content of path with the stamp now.
func (a *Actor) MatchesShared(path string, now policy.Stamp) bool {
	has := a.shared.Load()
	if has == nil {
		return false
	}
	hash, ok := a.omitted.shared(path, now)
	return ok && (*has)(a.tree.Load().Corpus(path), path, hash)
}

// RescanContents reads every file and indexes content that neither the project's own index nor the shared index
// contains.
func (a *Actor) RescanContents(ctx context.Context) error {
	return a.Update(ctx, watch.Batch{Rescan: true, Full: true, Cause: watch.CausePolicy})
}

package index

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/watch"
)

// SharedLookup reports whether the shared index contains the file at path with the content that has this hash. It must
// be safe for concurrent use.
type SharedLookup func(corpus api.Corpus, path, hash string) bool

// SetShared sets the lookup in the shared index. A nil lookup means that the project has no shared index. The actor
// doesn't index files for which lookup returns true. After SetShared, RescanContents must be called.
func (a *Actor) SetShared(lookup SharedLookup) {
	if lookup == nil {
		a.shared.Store(nil)
		return
	}
	a.shared.Store(&lookup)
}

func (a *Actor) SetSharing(s *api.SharedIndex) { a.change(func(f *status) { f.shown.Shared = s }) }

func (a *Actor) leftToShared(corpus api.Corpus, path, hash string) bool {
	has := a.shared.Load()
	return has != nil && !a.forceReindex.Load() && (*has)(corpus, path, hash)
}

// MatchesShared reports whether the shared index contains the content of the file at path. stamp is the file's current
// stamp.
func (a *Actor) MatchesShared(path string, stamp policy.Stamp) bool {
	has := a.shared.Load()
	if has == nil {
		return false
	}
	hash, ok := a.omitted.shared(path, stamp)
	return ok && (*has)(a.tree.Load().Corpus(path), path, hash)
}

// RescanContents reads every file, and indexes files that neither the project's own index nor the shared index
// contains.
func (a *Actor) RescanContents(ctx context.Context) error {
	return a.Update(ctx, watch.Batch{Rescan: true, Full: true, Cause: watch.CausePolicy})
}

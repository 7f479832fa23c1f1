package index

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/watch"
)

// SharedLookup reports whether the shared index contains a file with the given path and hash. It must be safe for
// concurrent use.
type SharedLookup func(corpus api.Corpus, path, hash string) bool

// SetShared sets the function that finds files in the shared index. It is nil without a shared index. The caller must
// then call RescanContents.
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

// MatchesShared reports whether the shared index contains the current content of the file at path. stamp is the file's
// size and modification time.
func (a *Actor) MatchesShared(path string, stamp policy.Stamp) bool {
	has := a.shared.Load()
	if has == nil {
		return false
	}
	hash, ok := a.omitted.shared(path, stamp)
	return ok && (*has)(a.tree.Load().Corpus(path), path, hash)
}

// RescanContents reads all files, and indexes those that neither the project's index nor the shared index contains.
func (a *Actor) RescanContents(ctx context.Context) error {
	return a.Update(ctx, watch.Batch{Rescan: true, Full: true, Cause: watch.CausePolicy})
}

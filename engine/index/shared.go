package index

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/policy"
	"searchmcp/engine/watch"
)

// Same reports whether a shared index has a path with that content. It is called from many goroutines.
type Same func(corpus api.Corpus, path, hash string) bool

// SetShared lays the project's own index over a shared one: files whose content that one has are left to it. nil takes it away.
// What is indexed already changes with the next Reexamine.
func (a *Actor) SetShared(same Same) {
	if same == nil {
		a.shared.Store(nil)
		return
	}
	a.shared.Store(&same)
}

// Sharing notes what is known of the shared index, nil for none, for the snapshot.
func (a *Actor) Sharing(s *api.SharedIndex) { a.change(func(f *flags) { f.sharing = s }) }

// inShared reports whether the shared index has the content that was just read.
func (a *Actor) inShared(corpus api.Corpus, path, hash string) bool {
	same := a.shared.Load()
	return same != nil && !a.refresh.Load() && (*same)(corpus, path, hash)
}

// Shared reports whether a file, which looks like now, was last seen to have the content that the shared index has now.
func (a *Actor) Shared(path string, now policy.Stamp) bool {
	same := a.shared.Load()
	if same == nil {
		return false
	}
	hash, ok := a.skips.shared(path, now)
	return ok && (*same)(a.tree.Load().Corpus(path), path, hash)
}

// Reexamine reads every file and indexes those whose content differs from what the indexes hold, the project's own and the
// shared one: the shared one is another now.
func (a *Actor) Reexamine(ctx context.Context) error {
	return a.Update(ctx, watch.Batch{Rescan: true, Full: true, Cause: watch.CausePolicy})
}

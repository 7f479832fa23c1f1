// Package repo reads git repositories: the location of a work tree's git data, the position of HEAD, and the files that
// its commits changed.
//
// It must not know projects, indexes or searches. It reads git's small files through engine/files/policy, and commits
// through the system's git, in a process with limits and access to only the repository's objects. It never writes to a
// repository or uses the network. It has no goroutines and no locks.
package repo

// Package repo reads git repositories: the location of a work tree's git data, the position of HEAD, and the files that
// each commit changed.
//
// It must not know projects, indexes or searches. It reads git's small files through engine/files/policy, and commits
// through the system's git, in a resource-limited process that can access only the repository's objects. It never
// writes to a repository or uses the network. It has no goroutines and no locks.
package repo

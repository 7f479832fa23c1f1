// Package repo reads git repositories: the location of git's data, the position of HEAD, and the files that each
// commit changed. It must not depend on projects, indexes or searches. The system's git reads commits, in a resource-
// limited process that can access only the repository's objects. The package never writes to a repository or uses the
// network. It has no goroutines and no locks.
package repo

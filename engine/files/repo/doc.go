// Package repo reads git repositories: the state of HEAD, and the files that each commit changed. It must not depend on
// projects, indexes or searches. For security, the system's git program reads commits in a process with limited
// resources, which can access only the repository's objects. The package never writes to a repository or uses the
// network. It has no goroutines and no locks.
package repo

// Package repo reads git repositories: where a work tree keeps its git data, where HEAD is, and which files the
// commits behind it changed.
//
// It must not know projects, indexes or what a search makes of it. It reads git's own small files through
// engine/files/policy and has the commits read by the system's git, in a process under limits that knows nothing but
// the repository's objects. It writes nothing to a repository and reaches no network. It has no goroutines and no
// locks.
package repo

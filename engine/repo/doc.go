// Package repo reads git repositories: where a work tree keeps its git data, where HEAD is, and which files the commits
// behind it changed.
//
// It must not know projects, indexes or what a search makes of it. It reads git's own files through engine/policy and
// go-git, runs no program, writes nothing and reaches no network: of go-git it imports storage and objects, no
// transport. It has no goroutines and no locks.
package repo

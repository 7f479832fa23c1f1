// Package policy is the security boundary between a project's files and everything else: it alone decides whether a
// path may be read, and it alone opens project files.
//
// It owns the hard deny list, the names of files of secrets, include and exclude globs, git's ignore files and
// .searchignore, the binary and size limits, and the confined open that never follows a symbolic link. It must not know
// what becomes of a file: no chunks, no indexes, no scheduling.
//
// # Names
//
// A key is a path as the rest of the program knows it: relative to the root, slash-separated, in NFC, "." for the
// root. A name on disk may be in another normal form (NFD on file systems that keep what they are given); keys are
// always NFC and the confined open finds the entry whose NFC form is the key's component, an exact match first. A name
// on disk that holds invisible, bidirectional or control characters, or bytes that are not UTF-8, is never opened
// (SkipPath); Clean removes such characters from what a caller typed.
//
// # Globs of the configuration
//
// Patterns are doublestar globs over keys. A pattern without a slash (other than a trailing one) matches at any depth,
// as in gitignore: "*.go", "Makefile", "src/". A pattern with a slash is anchored at the root: "src/**", "docs/*.md";
// a leading slash anchors a single name. A trailing slash matches folders only. A pattern that matches a folder takes
// in everything below it. Case counts unless the file system folds it; docPatterns never mind case. An empty include
// is the default.
//
// # Ignore files
//
// Git's semantics whole: .gitignore at every level, info/exclude (of the common directory in worktrees),
// core.excludesFile, rules of an outer repository up to its top, and a fresh start at each nested repository or
// submodule. A second checkout of the same repository inside the root (a linked worktree) is a project of its own and
// skipped. Where there is no repository .gitignore files count all the same. .searchignore has the same syntax at any
// level, holds with respectGitignore false too, and is not stopped by repository boundaries. It comes with the files
// it is about, so it can leave out more and take in nothing: a negated line takes back lines of .searchignore alone.
// What git ignores is taken in by config.include, where it names the file or begins with the folder. Neither can
// re-include what the deny list, the secrets or config.exclude skip.
//
// # Secrets
//
// Read, and ReadAs for files that are no UTF-8, are the one door through which bytes of a person's files reach an
// index, an answer, a resource or an archive. It leaves out files that exist to hold secrets and has package secret put
// marks in the place of all others.
//
// # Concurrency
//
// A Policy is safe for concurrent use and starts no goroutine. Its one lock guards the map of per-folder rules, is a
// leaf, and is held over no I/O. Refresh swaps the map.
package policy

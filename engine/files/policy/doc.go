// Package policy is the security boundary around a project's files. Only this package decides whether a path may be
// read, and only it opens project files. It must not depend on how files are used.
//
// # Names
//
// A key is a path relative to the root, slash-separated, in NFC, "." for the root. The package opens the names on disk
// with the same NFC form, preferring an exact match. A name with invisible, bidirectional or control characters, or
// with invalid UTF-8, is never opened (SkipPath).
//
// # Globs of the configuration
//
// Patterns are doublestar globs. As in gitignore, a pattern without a slash, or with only a trailing slash, matches at
// any depth, other patterns are anchored at the root, and a trailing slash matches only folders. A pattern that matches
// a folder includes everything below it. docPatterns always ignore case. An empty include list includes everything.
//
// # Ignore files
//
// Git's semantics apply completely. A linked worktree of the same repository inside the root is treated as a separate
// project. .gitignore files also apply outside of repositories. .searchignore has the same syntax, applies even if
// respectGitignore is false, and ignores repository boundaries. Its negated lines revert only other lines of
// .searchignore. A pattern in config.include that is the path of a file, or begins with the path of an ignored folder,
// also includes files that git ignores, but never denied, secret or excluded files.
//
// # Secrets
//
// All bytes of the user's files that reach an index, an answer, a resource or an archive pass through Read or ReadAs,
// which skip files whose purpose is to store secrets, and replace other secrets with markers (package secret).
//
// # Concurrency
//
// A Policy is safe for concurrent use and starts no goroutines. Its only lock guards the cache of per-folder rules. It
// is never held during I/O.
package policy

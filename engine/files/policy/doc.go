// Package policy is the security boundary around a project's files. Only this package decides whether a path may be
// read, and only it opens project files.
//
// It owns the hard deny list, the names of secret files, include and exclude globs, git's ignore files and
// .searchignore, the binary and size limits, and opening files without following symbolic links. It must not know how
// files are used.
//
// # Names
//
// A key is the form of a file's path that the program uses: relative to the root, slash-separated, in NFC, "." for the
// root. To open a key, the package opens, for each component, the name on disk with the same NFC form, preferring an
// exact match. A name on disk with invisible, bidirectional or control characters, or with invalid UTF-8, is never
// opened (SkipPath). Clean removes such characters from a caller's path.
//
// # Globs of the configuration
//
// Patterns are doublestar globs that are matched against keys. A pattern without a slash, or with only a trailing
// slash, matches at any depth, as in gitignore: "*.go", "src/". A pattern with a slash is anchored at the root:
// "docs/*.md", "/Makefile". A trailing slash matches only folders. A pattern that matches a folder includes everything
// below it. Case matters unless the file system ignores it, but docPatterns always ignore case. An empty include list
// includes everything.
//
// # Ignore files
//
// Git's semantics apply completely: .gitignore at every level, info/exclude (of the common directory in worktrees),
// core.excludesFile, rules of an outer repository up to its top, and separate rules in each nested repository or
// submodule. A linked worktree of the same repository inside the root counts as a separate project and is skipped.
// .gitignore files also apply outside of repositories. .searchignore has the same syntax, applies even if
// respectGitignore is false, and ignores repository boundaries. Because it comes with the project, it can only exclude
// files, so a negated line reverts only other lines of .searchignore. A pattern in config.include that is the path of a
// file, or begins with the path of an ignored folder, also includes files that git ignores. It never includes files
// skipped by the deny list, as secrets, or by config.exclude.
//
// # Secrets
//
// All bytes of the user's files that reach an index, an answer, a resource or an archive pass through Read, or through
// ReadAs if their format may be binary. Both skip files whose purpose is to store secrets, and replace secrets in other
// files by markers (package secret).
//
// # Concurrency
//
// A Policy is safe for concurrent use and starts no goroutines. Its only lock guards the cache of per-folder rules. It
// is a leaf, and is never held during I/O. Refresh replaces the cache.
package policy

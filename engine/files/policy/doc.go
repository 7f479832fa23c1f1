// Package policy is the security boundary around a project's files. Only this package decides which files may be read,
// and only this package opens them. It must not depend on how files are used.
//
// # Keys
//
// A key is a slash-separated path relative to the root, in NFC. The root's key is ".". A key opens the file with
// exactly this name, or else a file whose name has this NFC form. A name with invalid UTF-8, or with invisible,
// bidirectional or control characters, is skipped (SkipPath).
//
// # Patterns of the configuration
//
// Patterns are doublestar globs. As in .gitignore, a pattern without a slash matches at any depth, and a pattern with a
// slash is relative to the root. A pattern with a slash at the end matches only folders. A pattern that matches a
// folder also matches the files below the folder. An empty include list includes all files. docPatterns ignore case.
//
// # Ignore files
//
// A .gitignore file has the same effect as in git, and also applies outside of repositories. A .searchignore file has
// the same syntax. It applies even if respectGitignore is false, and also inside nested repositories. Its negated lines
// revert only lines of .searchignore files.
//
// A pattern in config.include overrides .gitignore if the pattern is the path of a file, or begins with the path of the
// ignored folder. It never overrides .searchignore, config.exclude or the deny list.
//
// # Secrets
//
// The bytes of the user's files pass through Read or ReadAs before they reach an index, an answer, a resource or an
// archive. Both functions skip files that are meant to store secrets, and replace other secrets with markers (package
// secret). config.include can name such a file to include it.
//
// # Concurrency
//
// A Policy is safe for concurrent use and starts no goroutines. Its only lock guards the cache of per-folder rules. The
// lock is never held during I/O.
package policy

// Package grep finds every line of a project's indexed files that matches a regular expression.
//
// It opens no files, because its caller reads through policy. Search starts one goroutine per processor and waits for
// them.
//
// Redacted secrets are replaced with NUL before lines are matched, so that answers don't depend on secrets. Patterns
// never match NUL. Only the check whether a file can contain a match reads the original bytes.
package grep

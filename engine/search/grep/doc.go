// Package grep finds the lines of a project's indexed files that match a regular expression.
//
// It opens no files, because its caller reads through policy. Search starts one goroutine per processor and waits for
// them.
//
// Secrets are replaced with NUL before lines are matched, and patterns never match NUL. So answers don't depend on
// secrets. Only the check whether a file can contain a match reads the original bytes.
package grep

// Package grep finds every line of a project's indexed files that matches a regular expression.
//
// It owns the matching and the order of an answer. It opens no file: its caller reads through policy. Search starts
// one goroutine for each processor and returns when they have ended.
//
// Lines are matched without their secrets. The matcher sees NUL, which no line contains, in place of redacted
// secrets, so that no answer depends on a secret. The search for required literals runs before redaction; it only
// decides whether a file is read on, and a redacted line still contains them.
package grep

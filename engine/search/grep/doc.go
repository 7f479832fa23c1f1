// Package grep finds every line of a project's indexed files that matches a regular expression.
//
// It owns the matching and the order of an answer. It opens no file: its caller reads through policy. Search starts
// one goroutine for each processor and returns when they have ended.
//
// Lines are matched without their secrets. The matcher reads NUL, which no line contains, instead of redacted secrets,
// so answers don't depend on secrets. The search for required literals runs before redaction. It only decides whether
// reading the file continues.
package grep

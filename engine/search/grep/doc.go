// Package grep finds every line of a project's indexed files that matches a regular expression.
//
// It owns the matching and the order of an answer. It opens no files, because its caller reads through policy. Search
// starts one goroutine per processor and returns when they have ended.
//
// Lines are matched without their secrets. The matcher sees redacted secrets as NUL, which no line contains, so answers
// don't depend on secrets. Only the search for required literals reads raw bytes. It decides whether reading the file
// continues.
package grep

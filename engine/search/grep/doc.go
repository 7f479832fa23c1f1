// Package grep finds every line of a project's indexed files that matches a regular expression.
//
// It opens no files, because its caller reads through policy. Search starts one goroutine per processor and returns
// when they have ended.
//
// The matcher sees redacted secrets as NUL, which no line contains, so answers don't depend on secrets. Only the search
// for required literals reads raw bytes, to decide whether reading the file continues.
package grep

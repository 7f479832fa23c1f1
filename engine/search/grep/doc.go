// Package grep finds every line of a project's indexed files that matches a regular expression.
//
// It opens no files, because its caller reads through policy. Search starts one goroutine per processor and returns
// when they have ended.
//
// Before lines are matched, redacted secrets are replaced by NUL, which no line contains, so that answers don't depend
// on secrets. Only the search for required literals reads the raw bytes, to decide whether the file is read any
// further.
package grep

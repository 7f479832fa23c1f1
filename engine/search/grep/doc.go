// Package grep finds every line of a project's indexed files that matches a regular expression.
//
// It opens no files, because its caller reads through policy. Search starts one goroutine per processor and waits for
// them.
//
// Before lines are matched, NUL, which no line contains, replaces redacted secrets, so that answers don't depend on
// secrets. Only the search for required literals reads the raw bytes, to decide whether to continue reading the file.
package grep

// Package grep finds every line of a project's indexed files that matches a regular expression.
//
// It owns the matching and the order of an answer. It opens no file: its caller reads through policy. Search starts one
// goroutine for each processor and returns when they have ended.
//
// Lines are matched without their secrets. Where the marks of secrets stand, the matcher sees NUL, which no line of a
// file has, so that no answer depends on what a mark covers. Literals that every match has are looked for before
// secrets are; they decide only whether a file is read on, and a line without secrets has them too.
package grep

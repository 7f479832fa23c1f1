// Package term shows results at a terminal and to programs: whether there is colour and how wide a line is, source with
// line numbers and marked words, tables, and the pager.
//
// It must not know the app, its nouns nor commands. A pager is a child process that Page waits for; no goroutine, no
// lock.
package term

// Package term prints results at a terminal and for programs. It detects colour and width and formats source with line
// numbers and highlighted terms, tables, and paged text.
//
// It must not import the app, its types or commands. Page waits for the pager, a child process; the package starts no
// goroutine and has no lock.
package term

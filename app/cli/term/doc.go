// Package term prints results at a terminal and for programs: source with line numbers and highlighted terms, tables,
// and paged text.
//
// It must not import the app, its types or commands. It starts no goroutine and has no lock. Page waits for the pager.
package term

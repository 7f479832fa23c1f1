// Package term formats results for a terminal and for programs: source with line numbers and highlighted terms, tables,
// and paged text.
//
// It must not import the app. It has no goroutines or locks. Page waits for the pager.
package term

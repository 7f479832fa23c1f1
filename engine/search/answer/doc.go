// Package answer selects the text of search results. Snippet scores the lines of a result, Excerpt selects the relevant
// lines, and Shape limits the size of an answer.
//
// The tools, the terminal and the window show the text from Shape. They limit no sizes themselves.
//
// Package answer must not depend on the index or files. It has no I/O, goroutines or locks.
package answer

// Package answer turns search results into answers: it ranks the declarations of the found chunks (Places), selects the
// relevant lines of each (Place.Excerpt), and divides an answer's size among them (Shape). It is the only package with
// a budget: search_code, search_docs, the terminal and the window show the output of Shape.
//
// It has no I/O: it knows text, the query's words and the declarations of chunks, but neither index nor files. No
// goroutines, no locks.
package answer

// Package answer turns search results into answers. It ranks the declarations of the found chunks (Place), selects the
// relevant lines of each (Place.Excerpt), and divides an answer's size among them (Shape). It is the only package with
// a budget: search_code, search_docs, the terminal and the window show the output of Shape.
//
// It has no I/O, goroutines or locks. It knows text, the query's words and the declarations of chunks, but neither
// index nor files.
package answer

// Package answer turns search results into answers. It ranks the declarations of the found chunks (Place), selects the
// relevant lines of each (Place.Excerpt), and divides an answer's size among them (Shape). No other package limits
// sizes: the tools, the terminal and the window show the output of Shape.
//
// It must not depend on the index or files. It has no I/O, goroutines or locks.
package answer

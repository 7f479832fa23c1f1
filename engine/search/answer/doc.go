// Package answer turns search results into answers. It ranks the declarations of the found chunks (Place), selects the
// relevant lines of each (Place.Excerpt), and divides an answer's size among them (Shape). No other package has a
// budget: the tools, the terminal and the window show the output of Shape.
//
// It has no I/O, goroutines or locks, and knows neither index nor files.
package answer

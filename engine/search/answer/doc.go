// Package answer makes answers of what was found: it ranks the declarations of the chunks that were found (Places),
// picks the lines of each that answer (Place.Excerpt), and shares an answer's room among them (Shape). Nothing else
// has a budget: search_code, search_docs, terminal and window show what Shape gives.
//
// It is pure: it knows text, the query's words and the declarations that chunks carry, and neither index nor files. No
// goroutines, no locks.
package answer

// Package excerpt picks the telling lines of a result: the declaration that the result stands in and the lines that
// answer, in the order in which they are worth their room, so that a caller shows as many as it has room for.
// Assistant, terminal and window show what it picked.
//
// It is pure: it knows text, the query's words and the names that the text defines, and neither index nor files. No
// goroutines, no locks.
package excerpt

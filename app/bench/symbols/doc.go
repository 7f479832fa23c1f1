// Command symbols compares find_symbol with language servers: on pinned projects it draws definitions that a server
// lists, asks both for them and for their uses, and counts what agrees. Beside it stand grep -w and search_code.
//
//	go -C app/bench run -exec "env -C ../.." ./symbols -servers DIR [-n 300] [-project NAME] [-misses]
//
// Truth is the server's answer, at the level of lines. A server that knows types finds more than syntax can; what only
// find_symbol finds counts as wrong, even where it is right (a use in a file that the server does not build).
package main

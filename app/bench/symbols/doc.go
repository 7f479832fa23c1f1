// Command symbols compares find_symbol with language servers. In pinned projects, it draws definitions from those
// that a server lists, requests the definitions and uses of their names from both, and measures recall and precision
// by line. It also measures grep -w and search_code.
//
//	go -C app/bench run -exec "env -C ../.." ./symbols -servers DIR [-n 300] [-project NAME] [-misses]
//
// The server's answer is considered correct. A line that only find_symbol finds counts as wrong, even if it is a use
// in a file that the server does not build.
package main

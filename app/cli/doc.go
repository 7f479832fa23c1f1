// Package cli is the command line of search-mcp. It owns the commands, what they print for people and for programs
// (--json), the questions at the terminal and the exit codes. Each command stands in a file of its own.
//
// It knows the app through app/socket/client alone and nothing of the engine but its nouns. Goroutines: one reads the
// terminal while a question is open and ends with the process; a second handles Ctrl-C while a job runs and ends with
// the command.
package cli

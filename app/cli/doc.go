// Package cli is the command line of search-mcp. It owns the commands, their output for users and programs (--json),
// the questions at the terminal and the exit codes.
//
// It reaches the app through app/socket/client and imports only engine/api of the engine. Goroutines: one reads the
// terminal during a question and ends with the process. Another handles Ctrl-C during a job.
package cli

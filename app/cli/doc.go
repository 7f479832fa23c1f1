// Package cli is the command line of search-mcp. It owns the commands, their output for users and programs (--json),
// the questions at the terminal and the exit codes.
//
// It uses the app through app/socket/client and imports only engine/api of the engine. Goroutines: one reads the
// terminal during a question and ends with the process; one handles Ctrl-C while a job runs and ends with the command.
package cli

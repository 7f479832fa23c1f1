// Package cli is the command line of search-mcp. It owns the commands, their output, questions and exit codes.
//
// It reaches the app through app/socket/client and imports only engine/api of the engine. One goroutine reads the
// terminal during a question and lasts until the process exits. Another handles Ctrl-C during a job.
package cli

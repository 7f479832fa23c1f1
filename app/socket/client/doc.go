// Package client is the client of the app's socket for the command line and the window. It implements MCP and the
// private methods of app/socket/wire. The command line, the window and the bridge start the app with a Launcher.
//
// The package must not import the engine or a user interface.
//
// Each Client has a reading goroutine and one for each elicitation, and Close waits for all of them. A Launcher has a
// goroutine that waits for the started process. Under Client.mu, no other lock is acquired and no I/O is done.
package client

// Package client is the MCP client of the app's socket for the command line and the window, with the private methods of
// app/socket/wire. Its Launcher starts the app for them and for the bridge.
//
// It imports no engine and no user interface.
//
// Goroutines: one reader per Client and one per elicitation; Close waits for all of them. A Launcher's goroutine waits
// for the process that it started. Locks: Client.mu is a leaf and is never held over I/O.
package client

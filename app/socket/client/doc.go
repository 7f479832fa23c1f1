// Package client is the MCP client of the app's socket, for the command line and the window: JSON-RPC 2.0, one message
// a line, protocol version 2025-11-25, and the private methods of app/socket/wire. It also starts the app where none
// runs (Launcher), for them and for the bridge.
//
// It knows shapes (app/socket/wire, engine/api) and the way to the app (app/socket/ipc), nothing of the engine behind
// it nor of what a terminal or a window looks like.
//
// Goroutines: one reader per Client, and one for each request of the app that a person answers; Close waits for all of
// them. A Launcher's goroutine waits for the process that it started, which ends as soon as the app stands by itself.
// Locks: Client.mu is a leaf and never held over I/O.
package client

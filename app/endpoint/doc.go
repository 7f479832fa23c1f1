// Package endpoint is the MCP server on the app's socket: it accepts connections, waits for the engine, connects the
// packages below, and notifies clients of the engine's changes.
//
// session one connection: reading, writing, requests in flight, the identity of the peer
//
//	tools      the tools of assistants, their schemas and results
//	scope      the project of a call and the documents of a session
//	confirm    questions to the user
//	resources  documents as MCP resources
//	prompts    MCP prompts for the user
//	admin      the private methods of window and terminal
//	activity   the record of calls and index events
//	display    formatting of figures, times, names and external text
//
// It must not know how to index or search (that is Engine, of which each package declares a part), how the socket is
// protected (app/socket/ipc), nor how a window or an icon looks.
//
// Goroutines: one accept loop in Serve, one for each connection (session has more), and three in Serve that follow the
// engine's events. Serve returns after all of its connections.
//
// Locks: Server.mu is a leaf. The locks of the packages are leaves too, except tools.Registry.syncing.
package endpoint

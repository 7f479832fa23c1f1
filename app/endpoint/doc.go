// Package endpoint is the MCP server on the app's socket: it accepts connections, waits for the engine, connects the
// packages below, and notifies clients of the engine's changes. It neither indexes nor searches.
//
// Goroutines: one accept loop in Serve, one for each connection (session has more), and three in Serve that follow the
// engine's events. Serve returns after all of its connections.
//
// Locks: Server.mu is a leaf. The locks of the packages are leaves too, except tools.Registry.syncing.
package endpoint

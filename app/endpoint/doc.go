// Package endpoint is the MCP server on the app's socket. It accepts connections, and notifies clients of changes in
// the engine. It neither indexes nor searches.
//
// Serve has one goroutine for each connection and three that follow the engine's events. Each session has further
// goroutines. Serve waits for all of them.
//
// No other lock is acquired under Server.mu or the locks of the subpackages, except under tools.Registry.syncing.
package endpoint

// Package endpoint is the MCP server on the app's socket. It accepts connections, waits for the engine, and notifies
// clients of the engine's changes. It neither indexes nor searches.
//
// Serve has a goroutine for each connection (session has more) and three that follow the engine's events, and waits for
// them.
//
// Server.mu is a leaf, and so are the locks of the subpackages except tools.Registry.syncing.
package endpoint

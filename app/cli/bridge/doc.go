// Package bridge connects an editor, which uses MCP on the bridge's stdin and stdout, to the app's socket. If the app
// restarts or crashes, the bridge reconnects, restores the session, and repeats or answers the requests that were lost.
//
// The bridge stores the open requests of both sides and the messages to replay to a new app. It forwards all other
// messages as bytes. It replaces the ids of the app's requests, so that a late answer never matches a request of the
// next app. It forwards no private methods (app/socket/wire).
//
// Run starts a reader and a writer for the editor, a connector, and a reader and a writer for each connection. It waits
// for all goroutines except the reader and the writer that are blocked in the editor's pipes.
//
// Bridge.mu guards the state. queue.mu is a leaf and may be locked under Bridge.mu. Neither is held over I/O.
package bridge

// Package bridge connects an editor's MCP session on stdin and stdout to the app's socket. If the app restarts or
// crashes, the bridge reconnects, restores the session, and repeats or answers the requests that were lost.
//
// The bridge forwards messages as bytes, except private methods (app/socket/wire). It replaces the ids of the app's
// requests, so that a late answer never matches a request of the next app.
//
// Run starts a reader and a writer for the editor and for each connection, and a connector. It does not wait for a
// reader or writer that is blocked in the editor's pipes.
//
// Bridge.mu guards the state. queue.mu may be locked under Bridge.mu. No I/O is done under either mutex.
package bridge

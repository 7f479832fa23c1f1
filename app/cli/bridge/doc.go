// Package bridge connects an editor's MCP session on stdin and stdout to the app's socket. If the app restarts or
// crashes, the bridge reconnects and restores the session. It repeats the requests that were lost or answers them with
// an error.
//
// The bridge forwards messages as bytes. It refuses private methods (app/socket/wire). It replaces the ids of the app's
// requests, so that a late answer never matches a request of the next app.
//
// Run starts a reader and a writer for the editor and for each connection, and a connector. It does not wait for
// goroutines that are blocked in the editor's pipes.
//
// Bridge.mu guards the state. queue.mu may be locked under Bridge.mu. No I/O is done under either mutex.
package bridge

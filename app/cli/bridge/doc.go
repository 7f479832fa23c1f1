// Package bridge connects an editor, which speaks MCP over its child's stdin and stdout, to the app's socket. When the
// app restarts, crashes or is upgraded, the bridge reconnects, restores the session and answers lost requests.
//
// It stores the open requests of both sides and the messages to replay to a new app. It interprets only the methods of
// MCP with such state, and forwards messages as bytes. Only the ids of the app's requests are rewritten, so that a late
// answer never matches a request of the next app. Private methods (app/socket/wire) pass in neither direction.
//
// Goroutines, all started by Run: the editor's reader and writer, the connector, and for each connection a reader and a
// writer. Run waits for all of them except those blocked in the editor's pipes.
//
// Locks: Bridge.mu guards the state; queue.mu is a leaf that may be taken under it. Neither is held over I/O.
package bridge

// Package bridge joins an editor, which speaks MCP over its child's stdin and stdout, to the app's socket, and keeps
// the two joined: when the app restarts, crashes or is upgraded, the bridge connects again, puts the session back as it
// was and answers what was lost, so that the editor never sees a dead server.
//
// It owns the session's outer state: which requests of the editor are at the app, which questions of the app are at the
// editor, and what has to be said again to a new app. It knows the methods of MCP that carry such state and nothing of
// tools, results or indexes. Messages travel as bytes; only ids of the app's own requests are rewritten, so that an
// answer that comes too late can't fit a question of the next app. Private methods (app/socket/wire) pass in neither
// direction.
//
// Goroutines, all started by Run: the editor's reader and writer, the connector, and for each connection a reader and a
// writer. Run waits for all of them but those that hang in the editor's pipes, which only the end of the process frees.
//
// Locks: Bridge.mu guards the state; queue.mu is a leaf that may be taken under it. Neither is held over I/O.
package bridge

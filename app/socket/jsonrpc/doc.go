// Package jsonrpc is JSON-RPC 2.0 over a stream with one message per line, for the three peers of the socket:
// app/endpoint, app/socket/client and the bridge. It reads the stream (Reader), checks messages (Parse), and keeps each
// peer's two tables: its own unanswered requests (Calls) and the peer's requests in progress (Serving).
//
// It implements no methods, opens no connection and starts no goroutine. Ids are returned as the received bytes,
// because a number beyond 2^53 must not change.
//
// Locks: the mutexes of Calls and Serving are leaves.
package jsonrpc

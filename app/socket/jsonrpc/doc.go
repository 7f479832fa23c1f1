// Package jsonrpc implements JSON-RPC 2.0 with one message per line, for app/endpoint, app/socket/client and the
// bridge. Reader reads a stream and Parse checks messages. Calls contains a peer's own open requests, Serving the other
// peer's.
//
// It implements no methods and has no connections or goroutines. Ids are kept as the received bytes, because a number
// beyond 2^53 must not change.
//
// The mutexes of Calls and Serving are leaves.
package jsonrpc

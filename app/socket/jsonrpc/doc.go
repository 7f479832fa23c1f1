// Package jsonrpc implements JSON-RPC 2.0 with one message per line, for app/endpoint, app/socket/client and the
// bridge. Reader reads lines and Parse checks messages. Calls contains the open requests that a peer has sent, and
// Serving contains the open requests that it has received.
//
// The package implements no methods and has no connections or goroutines. It keeps ids as the received bytes, because
// decoding would change numbers beyond 2^53.
//
// No other lock is acquired under the mutexes of Calls and Serving.
package jsonrpc

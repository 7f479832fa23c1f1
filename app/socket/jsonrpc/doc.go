// Package jsonrpc is JSON-RPC 2.0 over a stream with one message a line (the framing of MCP's stdio transport), for the
// three peers of the socket: app/endpoint, app/socket/client and the bridge. It owns reading and splitting the stream
// (Reader), the shape of a message (Parse, Envelope) and the two tables that every peer keeps: its own requests that
// are not answered yet (Calls), and the other side's that it serves (Serving).
//
// It knows neither MCP nor the private methods, opens no connection and starts no goroutine. Ids stay the bytes that
// they were sent as, because a number beyond 2^53 must come back as it came.
//
// Locks: the mutexes of Calls and Serving are leaves.
package jsonrpc

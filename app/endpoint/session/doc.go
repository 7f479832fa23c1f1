// Package session is one connection to the endpoint: the requests in both directions, the identity of the peer, and the
// listen streams of the stateless protocol. It implements both versions of the protocol.
//
// Each session has goroutines for writing, for each request and listen stream, and for events. Serve waits for them.
//
// Session.mu, stream.mu and Progress.mu are leaves, never held over I/O.
package session

// Package session is one connection to the endpoint: reading and writing, the requests in both directions, the identity
// of the peer, and the listen streams of the stateless protocol. It implements both versions of the protocol.
//
// Each session has a goroutine for writing, each request, each listen stream, and a subscription to events. Serve
// returns after all of them have ended.
//
// Session.mu, stream.mu and Progress.mu are leaves, never held over I/O.
package session

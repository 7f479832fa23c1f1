// Package session is one connection to the endpoint: reading, writing, the requests in flight in both directions, the
// identity of the peer, and the listen streams of the stateless protocol. It implements both versions of the protocol.
//
// Goroutines: a writer, one for each request in flight, one for each listen stream and one for a subscription to
// events. Serve returns after all of them have ended.
//
// Locks: Session.mu, stream.mu and Progress.mu are leaves, never held over I/O.
package session

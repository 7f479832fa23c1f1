// Package session implements one connection to the endpoint: the requests in both directions, the identity of the peer,
// and the listen streams of the stateless protocol. It implements the protocol both with and without a handshake.
//
// Each session has goroutines for writing, for each request and listen stream, and for events. Serve waits for them.
//
// Under Session.mu, stream.mu and Progress.mu, no other lock is acquired and no I/O is done.
package session

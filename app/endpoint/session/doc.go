// Package session is one connection to the endpoint: its reader, its writer, the requests in flight in both directions,
// the identity of the peer (role, name, capabilities, roots), and the listen streams of the stateless protocol. It
// implements both versions of the protocol and passes requests to the MCP server, or private methods to
// Options.Private.
//
// It must not import tools, questions or the engine.
//
// Goroutines: the reader is Serve's own; a writer, one for each request in flight, one for each listen stream and one
// for a subscription to events. Serve returns after all of them have ended.
//
// Locks: Session.mu, stream.mu, resources.mu and Progress.mu are leaves, never held over I/O.
package session

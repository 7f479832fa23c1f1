// Package session is one connection to the endpoint: its reader, its writer, the requests in flight in both directions,
// who is at the other end (role, name, capabilities, roots), and the listen streams of the stateless protocol. It
// speaks both eras of MCP and hands each request to the MCP server or, private methods, to whoever Options name.
//
// It must not know any tool, what is asked of a person, nor the engine.
//
// Goroutines: the reader is Serve's own; a writer, one for each request in flight, one for each listen stream and one
// for a subscription to events. Serve returns after all of them have ended.
//
// Locks: Session.mu, stream.mu, resources.mu and Progress.mu are leaves, never held over I/O.
package session

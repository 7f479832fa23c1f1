// Package endpoint is the MCP server on the app's socket. It owns the sessions (one per connection, both eras of the
// protocol), the tools and what their results look like, the decision which project a call means, the confirm gate,
// and the private methods of window and terminal.
//
// It must not know how anything is indexed or searched (that is Backend, which the engine implements), how the socket
// is found and guarded (app/ipc), nor how a window or an icon looks.
//
// Goroutines: one accept loop in Serve; for each connection a reader (the goroutine of ServeConn) and a writer; one for
// each request in flight, bounded per session; one for each subscription to events and to listen streams, two in Serve that follow the engine's events. ServeConn
// returns after all of its own have ended, Serve after all of its connections.
//
// Locks: the mutexes of Server, session, listener, gate, rounds, activity, registry and progress are leaves: none is
// held over I/O, over a call of Backend or while another one is taken. Server.syncing alone is held while registry.mu is taken.
package endpoint

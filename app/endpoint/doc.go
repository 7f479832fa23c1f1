// Package endpoint is the MCP server on the app's socket: it accepts connections, waits for the engine, joins the rooms
// below, and keeps what clients see in step with the engine.
//
//	session    one connection: reading, writing, requests in flight, who is at the other end
//	tools      what an assistant calls, the schemas, how an answer is rendered
//	target     which project a call means, which documents a session has
//	confirm    what a person is asked, and where
//	resources  documents as MCP resources
//	prompts    openings for a person
//	admin      the private methods of window and terminal
//	activity   what was called and what happened to the indexes
//	words      figures, times and names in words; what others wrote made safe to show
//
// It must not know how anything is indexed or searched (that is Engine, which each room declares a part of), how the
// socket is found and guarded (app/socket/ipc), nor how a window or an icon looks.
//
// Goroutines: one accept loop in Serve, one for each connection (session has more), and three in Serve that follow the
// engine's events. Serve returns after all of its connections.
//
// Locks: Server.mu is a leaf. The rooms' locks are leaves too, but for tools.Registry.syncing.
package endpoint

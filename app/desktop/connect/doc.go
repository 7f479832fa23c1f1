// Package connect adds Search MCP to the configuration of editors and other AI clients, or removes it. The variable
// editors lists the supported clients.
//
// The user approves every change as a Plan. An edit is refused if it changes any byte outside our entry. Our entry is
// the server whose program is named search-mcp, in any folder and under any name. If the file or the list of servers
// would become empty, it is removed with our entry.
//
// The package must not import socket or app, and has no goroutines or locks. It detects concurrent changes by reading a
// file again before replacing it.
package connect

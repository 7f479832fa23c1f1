// Package connect adds Search MCP to the configuration of editors and other AI clients, and removes it. It owns the
// table of clients.
//
// The user approves every change as a Plan. If an edit can't preserve all bytes outside our entry, it is refused. An
// entry counts as ours if its program is named search-mcp, whatever the program's folder and the entry's name. If
// nothing else is left in a file or in a list of servers, it is removed with our entry.
//
// The package must not import socket or app, and has no goroutines or locks. It detects concurrent changes by reading a
// file again before replacing it.
package connect

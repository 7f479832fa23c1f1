// Package connect adds Search MCP to the configuration of editors and other AI clients and removes it. It owns the
// table of clients.
//
// The user approves every change as a Plan. If an edit can't preserve all bytes outside our entry, it is refused. An
// entry is treated as ours if its program is named search-mcp, whatever the folder or the entry's name. A file or list
// of servers that would become empty is removed with our entry.
//
// The package must not import socket or app, and has no goroutines or locks. It detects concurrent changes by reading a
// file again before replacing it.
package connect

// Package connect adds Search MCP to the configuration of editors and other AI clients, and removes it. It owns the
// table of clients.
//
// The user approves every change as a Plan. An edit that can't preserve all bytes outside our entry is refused. An
// entry is ours if its program is named search-mcp, whatever its folder and the name of the entry. If a file contains
// only our entry, the file is removed with it. So is a list of servers that becomes empty.
//
// The package must not import socket or app, and has no goroutines or locks. It detects concurrent changes by reading a
// file again before replacing it.
package connect

// Package connect adds Search MCP to the configuration of editors and other AI clients, and removes it. It owns the
// table of clients.
//
// The user approves every change as a Plan. An edit preserves all bytes that don't belong to our entry, or is refused.
// An entry is ours if its program is search-mcp, in any folder and under any name. A file that contains only our entry,
// and an empty list of servers, are removed with it.
//
// It must not import socket or app, and has no goroutines or locks. It detects concurrent changes by reading a file
// again before replacing it.
package connect

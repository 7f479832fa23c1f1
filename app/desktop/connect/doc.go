// Package connect adds Search MCP to the configuration of editors and other AI clients, and removes it. It owns the
// table of clients: detection, location and format of the configuration, and the client's own command.
//
// The user first sees every change (Plan). An edit preserves every byte of a file that is not ours, or is refused. An
// entry is ours if its program is search-mcp, in any folder and under any name. A key or file that was created for an
// entry is removed with it (Machine.Records).
//
// It does not import socket or app, starts no goroutines and has no locks; it detects concurrent changes by reading the
// file again before replacing it.
package connect

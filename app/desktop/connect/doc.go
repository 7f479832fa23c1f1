// Package connect adds Search MCP to the configuration of editors and other AI clients, and removes it. It owns the
// table of clients: detection, location and format of the configuration, the client's own command for changes, and its
// recently opened folders, which suggest the first project.
//
// Every change follows three rules. The user first sees the commands and the edit (Plan). An edit preserves every byte
// of a file that is not ours, including comments, or is refused. An entry is ours if its program is search-mcp, in any
// folder and under any name; no other entry is removed or overwritten. A key or file that was created for an entry is
// removed with it (Machine.Records).
//
// It does not import socket or app, and does not display plans. It starts no goroutines and has no locks; it detects
// concurrent changes by reading the file again before replacing it.
package connect

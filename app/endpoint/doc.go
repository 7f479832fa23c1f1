// Package endpoint is the MCP server on the app's socket: sessions, tools, the confirm gate and the private methods of
// window and terminal.
package endpoint

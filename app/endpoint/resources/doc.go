// Package resources serves the documents in a session's folders (app/endpoint/scope) as MCP resources with docs://
// URIs. It has no goroutines or locks.
package resources

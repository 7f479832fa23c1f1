// Package resources serves the documents of a session's folders (app/endpoint/scope) as MCP resources with docs://
// URIs. It has no goroutine and no lock.
package resources

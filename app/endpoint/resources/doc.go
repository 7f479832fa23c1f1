// Package resources serves the documents of a session's folders as MCP resources with docs:// URIs, for resources/list
// and resources/read. app/endpoint/scope selects the folders; the engine decides which documents may be read. It has no
// goroutine and no lock.
package resources

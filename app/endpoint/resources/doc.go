// Package resources serves the documents of a session's folders as MCP resources, docs:// addresses, for resources/list
// and resources/read. Which folders these are is app/endpoint/scope's; what may be read of them is the engine's.
// No goroutine, no lock.
package resources

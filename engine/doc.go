// Package engine is the entry point to indexing and searching. It opens, connects and closes the projects
// (engine/project), the other sources (engine/sources) and the parts that they share: settings, embedding model,
// problems, worker processes, vector cache, events and throttling (engine/host/throttle).
//
// The package must not depend on sessions, MCP, windows or terminals. Package app asks the user before it calls Create,
// Reindex or Delete.
//
// # Goroutines
//
// One goroutine locates or downloads the embedding model. Another one releases memory when the app is idle. Projects
// and sources have their own goroutines. All goroutines end with the Engine's context. Close waits for them.
package engine

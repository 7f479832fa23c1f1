// Package engine is the entry point to indexing and searching. It opens and connects the shared parts (settings,
// model, vector cache, event hub), the projects (engine/project), the other sources (engine/sources) and throttling
// (engine/host/throttle). An Engine has the methods of project.Registry, sources.Sources and jobs.Hub.
//
// It must not depend on sessions, MCP, windows or terminals. Package app asks the user before it calls Create,
// Reindex or Delete.
//
// # Goroutines
//
// One goroutine locates or downloads the embedding model, and one releases memory when the app is idle. Projects and
// sources have their own goroutines. All of them end with the Engine's context, and Close waits for them.
//
// # Locks
//
// Engine.mu guards the app's problems. It is a leaf.
package engine

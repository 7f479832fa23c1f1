// Package engine is the entry point to indexing and searching. It opens and connects the shared parts (settings,
// model, vector cache, event hub), the projects (engine/project), the other sources (engine/sources) and throttling
// (engine/host/throttle). An Engine has the methods of project.Registry and sources.Sources.
//
// It must not know sessions, MCP, windows or terminals. Package app asks the user before it calls Create, Reindex or
// Delete.
//
// # Goroutines
//
// One makes the model available, one releases memory when idle; projects and sources have their own. All are children
// of the context made by Open, and Close waits for them.
//
// # Locks
//
// Engine.mu guards the app's problems. settings.mu is locked while settings.json is written. Both are leaves.
package engine

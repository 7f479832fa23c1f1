// Package engine is the only door to everything that indexes and searches. It opens, closes and wires: what all
// projects share (settings, model, vector cache, event hub), the projects (engine/project), what is served beside them
// (engine/sources), and what makes work wait (engine/host/throttle). An Engine has the methods of the first two.
//
// It must not know sessions, MCP, windows or terminals: app asks a person before it calls Create, Reindex or Delete.
//
// # Goroutines
//
// One that makes sure of the model, one that gives memory back when nothing happens, and those of projects and sources.
// All are children of the context that Open makes and are waited for by Close.
//
// # Locks
//
// Engine.mu guards the app's problems; settings.mu is held over the write of settings.json. Both are leaves.
package engine

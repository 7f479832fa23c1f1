// Package tools contains the tools for assistants, one file each. Types determine their input schemas and the checks of
// arguments (params.go), and their output schemas (schema.go).
//
// It starts no goroutine. Registry.syncing is held while Sync reads the engine's sources and changes the tools.
// Registry.mu is a leaf, locked under it. Neither is held while a tool runs.
package tools

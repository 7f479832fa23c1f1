// Package tools contains the tools for assistants, one per file. The types of a tool's parameters and result determine
// its schemas and how its arguments are checked (params.go, schema.go).
//
// The package starts no goroutines. Registry.syncing is held while Sync reads the engine's sources and changes the
// tools. Registry.mu is a leaf and may be locked under syncing. Neither is held while a tool runs.
package tools

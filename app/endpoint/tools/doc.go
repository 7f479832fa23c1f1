// Package tools contains the tools for assistants, one file each. The types of a tool's parameters and result determine
// its schemas and the checks of its arguments (params.go, schema.go).
//
// The package starts no goroutine. Registry.syncing is held while Sync reads the engine's sources and changes the
// tools. Registry.mu is a leaf, locked under syncing. Neither is held while a tool runs.
package tools

// Package tools contains the tools for assistants, one per file. A tool's schemas and the checks of its arguments are
// derived from the types of its parameters and result (params.go, schema.go).
//
// The package starts no goroutines. Registry.syncing is held while Sync reads the engine's sources and changes the
// tools. Registry.mu is a leaf and may be locked under syncing. Neither is held while a tool runs.
package tools

// Package tools contains the tools for assistants, one file each. A type of parameters determines the input schema and
// the checks of arguments (params.go), a type of result the output schema (schema.go).
//
// It starts no goroutine. Registry.syncing is held while Sync reads the engine's sources and changes the tools.
// Registry.mu is a leaf, locked under it. Neither is held while a tool runs.
package tools

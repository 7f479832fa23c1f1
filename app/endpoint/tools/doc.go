// Package tools contains the tools for assistants, one per file. A tool's schemas and the checks of its arguments are
// derived from the types of its parameters and result (params.go, schema.go).
//
// The package starts no goroutines. Registry.syncing serializes Sync. Registry.mu guards the tools and may be locked
// under syncing. Neither is locked while a tool runs.
package tools

// Package tools contains the tools for assistants, one file each. Input schema and argument checks derive from a type
// of parameters (params.go), the output schema from a type of result (schema.go).
//
// It starts no goroutine. Registry.syncing is held from reading the engine's sources to the last change of the tools;
// Registry.mu is a leaf, taken under it. Neither is held while a tool runs.
package tools

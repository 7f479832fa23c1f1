// Package tools are the tools that assistants call: one file each, with its parameters as a type from which the input
// schema is made and arguments are checked (params.go), and its result as a type from which the output schema is made
// (schema.go). It owns which tools a session sees (Registry), the frame around a call (call.go), and the one place
// where an answer is rendered (answer.go).
//
// It must not know how anything is indexed or searched: each file declares what it needs of the engine. Who may be
// asked what is app/endpoint/confirm's, which project a call means app/endpoint/scope's.
//
// Goroutines: none of its own. Locks: Registry.syncing is held from asking the engine for its sources to the last
// change of the tools; Registry.mu is a leaf and taken under it. Neither is held while a tool runs.
package tools

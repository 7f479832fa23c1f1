// Package admin serves the private methods (app/socket/wire) of a person's own programs, the window and the terminal:
// one table says each method's name, who may call it, its parameters and what it does (table.go). Each part of the
// engine that a method needs is declared beside it.
//
// It must not know MCP, beyond that a method may report progress, nor how a question is put.
//
// Goroutines: one that quits the app, after the answer to the request. No lock.
package admin

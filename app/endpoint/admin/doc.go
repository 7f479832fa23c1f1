// Package admin serves the private methods (app/socket/wire) of window and terminal. One table lists each method's
// name, parameters and function (table.go). The parts of the engine are declared beside the methods that use them.
//
// It must not import MCP except for progress, nor ask questions itself.
//
// Goroutines: one that quits the app after the answer to the request. It has no lock.
package admin

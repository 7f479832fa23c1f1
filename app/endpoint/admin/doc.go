// Package admin serves the private methods (app/socket/wire) of window and terminal. It asks no questions
// itself.
//
// Goroutines: one that quits the app after the answer to the request. It has no lock.
package admin

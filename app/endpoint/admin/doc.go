// Package admin serves the private methods (app/socket/wire) of window and terminal. It asks no questions
// itself.
//
// A goroutine quits the app after the answer to the request. The package has no lock.
package admin

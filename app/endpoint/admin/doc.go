// Package admin serves the private methods (app/socket/wire) of windows and terminals. It asks no questions itself.
//
// One goroutine quits the app after the request is answered. The package has no lock.
package admin

// Package admin serves the private methods (app/socket/wire) for windows and terminals. It never asks the user a
// question.
//
// A goroutine quits the app once the request to quit is answered. The package has no locks.
package admin

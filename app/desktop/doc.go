// Package desktop represents the user's desktop session. It shows the tray icon. It starts the window and other
// programs with the user's umask.
//
// The package must not import the engine. It has a goroutine for each started process and no locks.
package desktop

// Package desktop represents the user's desktop session. It shows the tray icon and starts the window and other
// programs with the user's umask. Its subpackages edit editors' configurations (connect), start the app at login
// (login) and draw the icon (tray).
//
// It must not import the engine. It has a goroutine for each started process and no locks.
package desktop

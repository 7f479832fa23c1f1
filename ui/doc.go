// Package ui implements the window with Fyne: six pages, the sheets next to them and the confirmations on top. Package
// present provides the texts, and package widget the controls. Backend is the connection to the app, and Desktop is the
// interface to the operating system. Package ui imports neither the socket nor the engine's implementation, and no cgo,
// because only the window's main links Fyne's driver.
//
// A Window is used on Fyne's goroutine only. Its one lock, Window.mu, guards the events that other goroutines add.
// Blocking work runs in goroutines of Window.background and returns through Window.onUI. Close cancels these goroutines
// and waits for them.
package ui

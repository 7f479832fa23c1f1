// Package page contains the pages of the window and their sheets. Window is the part of the window that shows a page
// and, next to it, a sheet. Frame is the interface to the window around them. Backend is the connection to the app, and
// Desktop is the interface to the operating system. The package imports neither the socket nor the engine's
// implementation.
//
// A Window is used only on Fyne's goroutine. Blocking work runs in goroutines of Window.Background and returns through
// Window.OnUI.
package page

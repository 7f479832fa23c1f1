// Package page contains the pages of the window and their sheets. Window is the part of the window that shows a page
// and next to it a sheet. The pages know the window around it as a Frame. Backend is the connection to the app, and
// Desktop is the interface to the operating system. The package imports neither the socket nor the engine's
// implementation.
//
// A Window is used on Fyne's goroutine only. Blocking work runs in goroutines of Window.Background and returns through
// Window.OnUI.
package page
